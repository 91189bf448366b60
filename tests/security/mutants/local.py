"""The local executor: what is rendered above a row filter, and plans that come again."""

from __future__ import annotations

from tests.security.mutants.mutant import Mutant, java

_TESTS = "tests/integration/test_local_executor.py::"

LOCAL: tuple[Mutant, ...] = (
    Mutant(
        "local-fails-above-filter",
        java("local/PlanRenderer"),
        "if (barrier && failsAboveBarrier) {",
        "if (barrier && !barrier) {",
        (f"{_TESTS}test_what_can_fail_is_not_computed_over_hidden_rows",),
    ),
    Mutant(
        "local-decides-again",
        java("local/Template"),
        "TableDecisions.now(loaded)",
        "TableDecisions.of(loaded)",
        (f"{_TESTS}test_policies_hold_locally_and_for_plans_that_come_again",),
    ),
    Mutant(
        "local-changed-tables",
        java("local/Template"),
        "if (!Facts.of(loaded, TableDecisions.now(loaded)).equals(facts)) {",
        "if (!facts.equals(facts)) {",
        (f"{_TESTS}test_policies_hold_locally_and_for_plans_that_come_again",),
    ),
    Mutant(
        "local-current-time",
        java("local/KeptPlans"),
        "      return expression instanceof AttributeReference\n",
        "      return expression != null || expression instanceof AttributeReference\n",
        (f"{_TESTS}test_the_current_time_is_not_kept",),
    ),
)
