"""Clauses that write row filters, masks and restricted columns into the plan."""

from __future__ import annotations

from tests.security.mutants.mutant import Mutant, corpus, java

PLANS: tuple[Mutant, ...] = (
    Mutant(
        "guard-rule",
        java("guard/Guard"),
        "    extensions.injectPostHocResolutionRule(session -> new GuardRule((SparkSession) session));\n",
        "",
        corpus("guard-star"),
    ),
    Mutant(
        "guard-filter",
        java("guard/PolicyText"),
        "decision.filter() == null ? whole : Barriers.above(",
        "true ? whole : Barriers.above(",
        corpus("kyuubi-3186-any-filter-at-all"),
    ),
    Mutant(
        "guard-barrier",
        java("guard/PolicyText"),
        "Barriers.above(new Filter(filter(decision, table.resource()), whole))",
        "new Filter(filter(decision, table.resource()), whole)",
        corpus(
            *("postgres-leaky-division-in-where", "postgres-leaky-cast-in-where"),
            *("postgres-leaky-division-in-join", "postgres-leaky-raise-in-subquery"),
        ),
    ),
    Mutant(
        "guard-masks",
        java("guard/PolicyText"),
        "    if (mask != null) {\n",
        "    if (false) {\n",
        corpus("guard-star"),
    ),
    Mutant(
        "guard-metadata-columns",
        java("guard/PolicyText"),
        "if (package$.MODULE$.MetadataColumnHelper(column).isMetadataCol()) {",
        "if (false) {",
        corpus("column-file", "column-partition"),
    ),
    Mutant(
        "guard-policy-functions",
        java("guard/PolicyText"),
        "if (part instanceof UserDefinedExpression || part instanceof CallMethodViaReflection) {",
        "if (false) {",
        (
            (
                "tests/integration/engine/test_guard_reads.py"
                "::test_a_policy_that_is_wrong_is_a_refusal_that_does_not_show_it"
            ),
        ),
    ),
    Mutant(
        "guard-restricted-columns",
        java("guard/GuardedTable"),
        "this.hidden = whole ? List.of() : seen().restricted();",
        "this.hidden = List.of();",
        corpus("guard-star", "kyuubi-2391-restricted-in-a-condition"),
    ),
    Mutant(
        "guard-own-properties",
        java("guard/GuardedTable"),
        "key.startsWith(OWN) || !open && !HARMLESS.contains(key)",
        "!open && !HARMLESS.contains(key)",
        corpus("command-show-properties"),
    ),
    Mutant(
        "guard-harmless-properties",
        java("guard/GuardedTable"),
        "key.startsWith(OWN) || !open && !HARMLESS.contains(key)",
        "key.startsWith(OWN)",
        corpus("command-show-properties"),
    ),
)
