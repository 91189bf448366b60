"""Replace `current_user`, `current_catalog`, `current_schema` and `version()` by the gateway's values, which differ
from Spark's. In a view `current_user` stays a call: it is the user who queries the view.

`current_timestamp` and similar functions lose their precision argument: Spark's have six digits.
"""

from __future__ import annotations

from sqlglot import exp

from sqe import __version__
from sqe.sql.trino.rules.rule import Context, Rule, call, needs

TRINO_VERSION = "484"
"""The version of Trino whose SQL and protocol the gateway implements."""


def session_functions(node: exp.Expr, context: Context) -> exp.Expr | None:
    if isinstance(node, exp.CurrentUser):
        return call("current_user") if context.stored else exp.Literal.string(context.scope.user)
    if isinstance(node, exp.CurrentCatalog):
        return _text(context.scope.catalog)
    if isinstance(node, exp.CurrentSchema):
        return _text(context.scope.namespace)
    if isinstance(node, exp.CurrentDate):
        return call("current_date")
    if isinstance(node, exp.CurrentTime | exp.Localtime):
        return call("current_time")
    return call("localtimestamp" if isinstance(node, exp.Localtimestamp) else "current_timestamp")


def _text(value: str | None) -> exp.Expr:
    return exp.cast(exp.Null(), exp.DType.VARCHAR) if value is None else exp.Literal.string(value)


def _version(node: exp.Anonymous) -> exp.Expr:
    needs(node, 0)
    return exp.Literal.string(f"{TRINO_VERSION}-sqe-{__version__}")


def _plain(name: str) -> exp.Expr:
    return call(name)


RULE = Rule(
    "session_functions",
    __doc__ or "",
    session_functions,
    (
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
        "version": _version,
        "current_timestamp": lambda _: _plain("current_timestamp"),
        "localtimestamp": lambda _: _plain("localtimestamp"),
        "current_time": lambda _: _plain("current_time"),
        "localtime": lambda _: _plain("current_time"),
    },
)
