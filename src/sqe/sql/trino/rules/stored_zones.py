"""Drop the time zones of values in statements that store them: Iceberg's tables and the columns of views have points in
time without a zone.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import ANALYZER_PREFIX, Context, analyzed, node_rule, surround, text_of

_ZONED = frozenset(
    f"{ANALYZER_PREFIX}{name}"
    for name in ("at_timezone", "from_iso8601_timestamp", "from_unixtime", "parse_datetime", "with_timezone")
)
_CASTS = frozenset({f"{ANALYZER_PREFIX}cast", f"{ANALYZER_PREFIX}try_cast"})


def stored_zones(node: exp.Expr, context: Context) -> exp.Expr | None:
    if node.parent is not None or context.names_columns:
        return None
    for call in list(node.find_all(exp.Anonymous)):
        if call is node or not _is_zoned(call):
            continue
        if _is_merged(call):
            surround(call, lambda inner: analyzed("instant", inner, 1))
        elif text_of(call.expressions[0]) is None:
            surround(call, lambda inner: analyzed("instant", inner))
    return None


def _is_merged(call: exp.Anonymous) -> bool:
    """Whether a value is in a column with those of other queries, which may have other zones."""
    item = call.parent if isinstance(call.parent, exp.Alias) else call
    return isinstance(item.parent, exp.Select) and isinstance(item.parent.parent, exp.SetOperation)


def _is_zoned(call: exp.Anonymous) -> bool:
    if call.name not in _CASTS:
        return call.name in _ZONED
    wanted = text_of(call.expressions[1]) or ""
    return wanted.startswith("timestamp") and wanted.endswith(" with time zone")


RULE = node_rule(__name__, __doc__, stored_zones, exp.Query, exp.Merge, exp.Update, exp.Delete)
