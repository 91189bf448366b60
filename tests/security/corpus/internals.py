"""The server's own data: requests of the gateway, tags of dropped columns, keys of hashes, the current user."""

from __future__ import annotations

from tests.security.case import NO_FUNCTION, NONE, Answer, Case, refusal, rows

UNTAG = '{"table": ["lake", "hr", "people"], "set": {}, "unset": ["ssn"]}'

# What the gateway requests, and what policies hash with; each had, or could have, the name of a function.
REQUESTS = {
    "set-tags": f"sqe_set_tags('{UNTAG}')",
    "table": 'sqe_table(\'["lake", "hr", "vault"]\')',
    "unguarded": "sqe_unguarded()",
    "changed-rows": "sqe_changed_rows('q')",
    "parameter-types": "sqe_parameter_types('SELECT ? FROM lake.hr.vault')",
    "hmac": "sqe_hmac('x')",
    "shared-hmac": "sqe_shared_hmac('x', 'of the corpus')",
}
NOWHERE = refusal("FUNCTION_NOT_FOUND", "SYNTAX_ERROR", "ACCESS_DENIED", "NOT_SUPPORTED")

# How it is written, and the same with a function that there is.
WAYS: tuple[tuple[str, str, Answer, str], ...] = (
    ("as-a-table", "SELECT * FROM {call}", NO_FUNCTION, "SELECT * FROM range(1)"),
    ("as-a-value", "SELECT {call}", NO_FUNCTION, "SELECT abs(0)"),
    (
        "laterally",
        "SELECT * FROM ledger, LATERAL {call}",
        NO_FUNCTION,
        "SELECT b.x FROM VALUES (1) AS a(y), LATERAL explode(array(0)) AS b(x)",
    ),
    (
        "in-a-subquery",
        "SELECT id FROM ledger WHERE EXISTS (SELECT * FROM {call})",
        NO_FUNCTION,
        "SELECT 0 WHERE EXISTS (SELECT * FROM range(1))",
    ),
    ("in-a-view", "CREATE VIEW lake.pub.trap AS SELECT * FROM {call}", NO_FUNCTION, "SELECT * FROM range(1)"),
    (
        "in-a-temporary-view",
        "CREATE TEMPORARY VIEW trap AS SELECT * FROM {call}",
        NO_FUNCTION,
        "SELECT * FROM range(1)",
    ),
    (
        "in-a-function",
        "CREATE TEMPORARY FUNCTION trap() RETURNS TABLE (x STRING) RETURN SELECT * FROM {call}",
        NO_FUNCTION,
        "SELECT * FROM range(1)",
    ),
    ("by-identifier", "SELECT * FROM IDENTIFIER('{name}')('x')", NO_FUNCTION, "SELECT IDENTIFIER('abs')(0)"),
    (
        "as-a-value-by-identifier",
        "SELECT IDENTIFIER('{name}')('x')",
        NO_FUNCTION,
        "SELECT IDENTIFIER('abs')(0)",
    ),
    ("at-once", "EXECUTE IMMEDIATE \"SELECT * FROM {name}('x')\"", NOWHERE, "SELECT 0"),
)

CALLS = tuple(
    Case(
        f"internals-{request}-{way}",
        sql.format(call=call, name=call.partition("(")[0]),
        ann=answer,
        bob=rows(0),
        control=control,
        fresh=True,
    )
    for request, call in REQUESTS.items()
    for way, sql, answer, control in WAYS
)

OTHERS: tuple[tuple[str, str, Answer, Answer], ...] = (
    (
        "dropped-column",
        "SELECT id, ssn FROM dropped VERSION AS OF 'old'",
        rows((1, None), (2, None)),
        rows((1, "past-1"), (2, "past-2")),
    ),
    (
        "dropped-column-in-a-filter",
        "SELECT id FROM dropped VERSION AS OF 'old' WHERE concat(ssn, '') = 'past-1'",
        NONE,
        rows(1),
    ),
    (
        "dropped-column-by-selector",
        "SELECT DISTINCT ssn FROM lake.hr.dropped.tag_old",
        rows((None,)),
        rows("past-1", "past-2"),
    ),
    ("hashes-of-two-columns", "SELECT id FROM dropped WHERE code = twin", NONE, rows(1, 2)),
    (
        "hashes-of-a-value-in-another-table",
        "SELECT d.id FROM dropped d JOIN people p ON d.code = p.email",
        NONE,
        NONE,
    ),
    (
        "hashes-within-a-column",
        "SELECT a.id FROM dropped a JOIN lake.hr.dropped.tag_old b ON a.code = b.code",
        rows(1, 2),
        rows(1, 2),
    ),
    ("current-user", "SELECT current_user()", rows("ann"), rows("bob")),
    ("session-user", "SELECT session_user()", rows("ann"), rows("bob")),
    ("user", "SELECT user()", rows("ann"), rows("bob")),
    (
        "current-user-in-a-subquery",
        "SELECT who FROM team WHERE who = (SELECT user())",
        rows("ann"),
        rows("bob", "bob"),
    ),
)

CASES: tuple[Case, ...] = (
    *CALLS,
    *(Case(f"internals-{name}", sql, ann, bob) for name, sql, ann, bob in OTHERS),
)
