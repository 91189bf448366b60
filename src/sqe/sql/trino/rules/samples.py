"""Replace `TABLESAMPLE BERNOULLI (10)` and `SYSTEM (10)` by Spark's `TABLESAMPLE (10 PERCENT)`, before the alias."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Context, node_rule


def samples(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if isinstance(node, exp.Select):
        _of_values(node)
        return None
    percent = node.args.get("percent")
    method = node.args.get("method")
    known = method is not None and method.name.upper() in ("BERNOULLI", "SYSTEM")
    if not known or not isinstance(percent, exp.Literal) or percent.is_string:
        raise UnsupportedError("TABLESAMPLE is supported with a number of percent only.")
    node.set("method", None)
    return None


def _of_values(node: exp.Select) -> None:
    """Move the sample of `FROM (VALUES ..) t(x)`, which sqlglot leaves at the SELECT, to a subquery."""
    sample, source = node.args.get("sample"), node.args.get("from_")
    if sample is None:
        return
    if source is None or node.args.get("joins") or not isinstance(source.this, exp.Values | exp.Subquery):
        raise UnsupportedError("TABLESAMPLE is not supported here.")
    node.set("sample", None)
    inner = source.this
    alias = inner.args.get("alias")
    if isinstance(inner, exp.Subquery):
        inner.set("sample", sample)
        return
    inner.set("alias", None)
    rows = exp.Select(expressions=[exp.Star()], from_=exp.From(this=inner.copy()))
    source.set("this", exp.Subquery(this=rows, alias=alias, sample=sample))


RULE = node_rule(__name__, __doc__, samples, exp.TableSample, exp.Select)
