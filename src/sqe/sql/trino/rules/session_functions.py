"""Replace `current_user`, `current_catalog`, `current_schema`, `current_path` and `version()` by the gateway's values,
which differ from Spark's, and `fail` by `raise_error`. In a view `current_user` stays a call: it is the user who
queries the view.

`current_timestamp` and similar functions become those that know the digits of a second.
"""

from __future__ import annotations

from sqlglot import exp

from sqe import __version__
from sqe.sql.trino.rules.rule import CallRewrite, Context, Rule, analyzed, call, needs

TRINO_VERSION = "484"
"""The version of Trino whose SQL and protocol the gateway implements."""


def session_functions(node: exp.Expr, context: Context) -> exp.Expr | None:
    if isinstance(node, exp.Column):
        return _path(node)
    if isinstance(node, exp.CurrentUser):
        return call("current_user") if context.stored else _text(context.scope.user, node)
    if isinstance(node, exp.CurrentCatalog):
        return _text(context.scope.catalog, node)
    if isinstance(node, exp.CurrentSchema):
        return _text(context.scope.namespace, node)
    if isinstance(node, exp.CurrentDate):
        return call("current_date")
    name = "localtime" if isinstance(node, exp.Localtime) else "current_timestamp"
    if isinstance(node, exp.Localtimestamp):
        name = "localtimestamp"
    elif isinstance(node, exp.CurrentTime):
        name = "current_time"
    return analyzed(name, *([node.this] if isinstance(node.this, exp.Expr) else []))


def _path(node: exp.Column) -> exp.Expr | None:
    name = node.this
    if (
        not isinstance(name, exp.Identifier)
        or name.name.upper() != "CURRENT_PATH"
        or name.quoted
        or node.table
    ):
        return None
    return _text("", node)


def _text(value: str | None, node: exp.Expr) -> exp.Expr:
    if value is None:
        return exp.cast(exp.Null(), exp.DType.VARCHAR)
    literal = exp.Literal.string(value)
    # A condition of a virtual table is to be seen; the type of all others has no length.
    return literal if isinstance(node.parent, exp.Binary) else analyzed("cast", literal, "varchar")


def _version(node: exp.Anonymous) -> exp.Expr:
    needs(node, 0)
    return analyzed("cast", exp.Literal.string(f"{TRINO_VERSION}-sqe-{__version__}"), "varchar")


def _fail(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1)
    return call("raise_error", *node.expressions)


def _digits(name: str) -> CallRewrite:
    return lambda node: analyzed(name, *node.expressions)


RULE = Rule(
    "session_functions",
    __doc__ or "",
    session_functions,
    (
        exp.Column,
        exp.CurrentUser,
        exp.CurrentCatalog,
        exp.CurrentSchema,
        exp.CurrentDate,
        exp.CurrentTime,
        exp.CurrentTimestamp,
        exp.Localtime,
        exp.Localtimestamp,
    ),
    {
        "fail": _fail,
        "version": _version,
        "current_timestamp": _digits("current_timestamp"),
        "localtimestamp": _digits("localtimestamp"),
        "current_time": _digits("current_time"),
        "localtime": _digits("localtime"),
        "now": _digits("current_timestamp"),
    },
)
