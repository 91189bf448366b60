"""Clauses about statements: EXPLAIN, changes of rows, commands, and conditions below the barrier."""

from __future__ import annotations

from tests.security.mutants.mutant import Mutant, corpus, java

STATEMENTS: tuple[Mutant, ...] = (
    Mutant(
        "explain-is-refused",
        java("guard/PlanGate"),
        "if (mark != null && (mark.decision() == null || mark.decision().hides())) {",
        "if (false) {",
        corpus("command-explain", "command-explain-view"),
    ),
    Mutant(
        "explain-is-for-queries",
        java("guard/EarlyRule"),
        "    if (refused.get()) {\n",
        "    if (false) {\n",
        corpus("command-explain-insert-target", "command-explain-delete"),
    ),
    Mutant(
        "merge-is-no-insert",
        java("guard/EarlyRule"),
        "    return relation.requireWritePrivileges(Plans.seq(List.of(TableWritePrivilege.values())));\n",
        "    return relation;\n",
        corpus("write-merge-insert-only", "postgres-2023-39418-merge-inserts"),
    ),
    Mutant(
        "delete-has-a-safe-condition",
        java("guard/EarlyRule"),
        " || !SafePush.isSafe(filter.condition())) {\n",
        ") {\n",
        corpus("write-delete-by-a-function"),
    ),
    Mutant(
        "merge-by-identifier-is-no-insert",
        java("guard/EarlyRule"),
        "new Requiring(named.planBuilder())",
        "named.planBuilder()",
        corpus("write-merge-insert-only-by-identifier"),
    ),
    Mutant(
        "delete-by-identifier-is-filtered",
        java("guard/EarlyRule"),
        " && !(named instanceof PlanWithUnresolvedIdentifier)) {\n",
        ") {\n",
        corpus("write-delete-what-is-hidden-by-identifier"),
    ),
    Mutant(
        "insert-by-name-is-checked-by-name",
        java("guard/GuardRule"),
        "    if (table.capabilities().contains(TableCapability.ACCEPT_ANY_SCHEMA)) {\n",
        "    if (false) {\n",
        ("tests/integration/engine/test_row_changes.py::test_a_row_is_checked_by_the_names_of_its_values",),
    ),
    Mutant(
        "delete-is-filtered",
        java("guard/EarlyRule"),
        "new And(condition, filter.condition())",
        "filter.condition()",
        corpus("write-delete-what-is-visible", "kyuubi-3515-delete-what-is-hidden"),
    ),
    Mutant(
        "insert-is-checked",
        java("guard/RowCheck"),
        "    if (!satisfied) {\n",
        "    if (false) {\n",
        corpus("postgres-with-check"),
    ),
    Mutant(
        "insert-null-is-no-match",
        java("guard/RowCheck"),
        "new EqualNullSafe(condition, Literal$.MODULE$.TrueLiteral())",
        "new org.apache.spark.sql.catalyst.expressions.Not(new EqualNullSafe(condition, "
        "Literal$.MODULE$.FalseLiteral()))",
        corpus("postgres-with-check-null"),
    ),
    Mutant(
        "commands-are-asked-about",
        java("guard/CheckRule"),
        "        table.allowedNow(operation);\n",
        "",
        corpus("write-truncate-without-a-right", "write-alter-create-branch-without-a-right"),
    ),
    Mutant(
        "unguarded-is-refused",
        java("guard/CheckRule"),
        "    if (mark == null || !mark.session().equals(session.sessionUUID())) {\n",
        "    if (false) {\n",
        (
            (
                "tests/integration/engine/test_guard_reads.py"
                "::test_a_relation_that_nobody_has_guarded_is_refused"
            ),
        ),
    ),
    Mutant(
        "only-what-cannot-fail-goes-below",
        java("guard/SafePush"),
        "    return isOperand(condition) && condition.dataType() instanceof BooleanType;\n",
        "    return true;\n",
        corpus(
            "postgres-leaky-cast-in-where",
            "postgres-leaky-division-in-where",
            "postgres-leaky-raise-in-where",
        ),
    ),
    Mutant(
        "only-plain-operands-go-below",
        java("guard/SafePush"),
        "    return (isValue(expression) || isConstant(expression)) && isPlain(expression.dataType());\n",
        "    return true;\n",
        corpus("postgres-leaky-division-in-where", "postgres-leaky-cast-in-where"),
    ),
)
