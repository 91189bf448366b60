"""Derive the type of an expression from the text alone.

The types of columns are unknown, because the translation does not read the catalog. A rule that depends on types
changes literals, casts, and functions whose type does not depend on their arguments, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

_INTEGERS = (exp.DType.TINYINT, exp.DType.SMALLINT, exp.DType.INT, exp.DType.BIGINT)
_FRACTIONS = (exp.DType.DECIMAL, exp.DType.DOUBLE, exp.DType.FLOAT)
_INT_MAX = 2**31

# Functions whose type does not depend on their arguments, by their names in Trino and in Spark.
_FUNCTIONS: Mapping[str, exp.DType] = {
    **dict.fromkeys(
        ("count", "count_if", "approx_distinct", "approx_count_distinct", "row_number", "rank", "dense_rank"),
        exp.DType.BIGINT,
    ),
    **dict.fromkeys(
        ("length", "cardinality", "strpos", "instr", "year", "month", "day", "hour", "minute", "second"),
        exp.DType.BIGINT,
    ),
    **dict.fromkeys(("sqrt", "ln", "exp", "pi", "rand", "random", "to_unixtime", "avg"), exp.DType.DOUBLE),
    "date": exp.DType.DATE,
    "now": exp.DType.TIMESTAMPTZ,
    "from_unixtime": exp.DType.TIMESTAMPTZ,
    "timestamp_seconds": exp.DType.TIMESTAMPTZ,
    "date_parse": exp.DType.TIMESTAMP,
    "to_timestamp_ntz": exp.DType.TIMESTAMP,
    "localtimestamp": exp.DType.TIMESTAMP,
    "current_timestamp": exp.DType.TIMESTAMPTZ,
    "current_date": exp.DType.DATE,
    "map_from_arrays": exp.DType.MAP,
    "map": exp.DType.MAP,
    "map_concat": exp.DType.MAP,
    "map_filter": exp.DType.MAP,
    "map_from_entries": exp.DType.MAP,
    "array": exp.DType.ARRAY,
    "struct": exp.DType.STRUCT,
}


def known_type(node: exp.Expr) -> exp.DType | None:
    """Return the type of an expression; None: the text does not show it."""
    while isinstance(node, exp.Paren | exp.Neg | exp.Window | exp.Filter):
        node = node.this
    if isinstance(node, exp.Cast):
        kind = node.to.this
        return kind if isinstance(kind, exp.DType) else None
    if isinstance(node, exp.Literal):
        return _literal(node)
    if isinstance(node, exp.Anonymous):
        return _FUNCTIONS.get(node.name.lower())
    if isinstance(node, exp.Array):
        return exp.DType.ARRAY
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Mod):
        left, right = known_type(node.this), known_type(node.expression)
        if left in _INTEGERS and right in _INTEGERS:
            return max(left, right, key=_INTEGERS.index)
        if left in _FRACTIONS or right in _FRACTIONS:
            return exp.DType.DOUBLE if exp.DType.DOUBLE in (left, right) else exp.DType.DECIMAL
    if isinstance(node, exp.IntDiv):
        return exp.DType.BIGINT
    return None


def _literal(node: exp.Literal) -> exp.DType:
    if node.is_string:
        return exp.DType.VARCHAR
    digits = node.name.lower()
    if "e" in digits:
        return exp.DType.DOUBLE
    if "." in digits:
        return exp.DType.DECIMAL
    return exp.DType.INT if int(digits.replace("_", "")) < _INT_MAX else exp.DType.BIGINT


def is_integer(kind: exp.DType | None) -> bool:
    return kind in _INTEGERS


def is_fraction(kind: exp.DType | None) -> bool:
    return kind in _FRACTIONS
