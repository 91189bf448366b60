"""Random queries over the three tables, as text with `{t}`, `{u}`, `{p}` and `{v}` in the place of names.

They are deterministic: no order among equals decides, and nothing fails but one kind of predicate, alone on one table,
which fails for the rows that are there and for no others.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st
from tests.security.random_policies import COLUMNS, TEXTS, Subject, Type


@dataclass(frozen=True, slots=True)
class Relation:
    """A query without an order, and its columns."""

    sql: str
    columns: tuple[tuple[str, Type], ...]

    def of(self, *types: Type) -> list[str]:
        return [name for name, type_ in self.columns if type_ in types]


_NUMBERS = ("bigint", "int")


@st.composite
def queries(draw: st.DrawFn, subject: Subject) -> str:
    depth = draw(st.integers(0, 4))
    return draw(_failing(subject)) if depth == 4 else draw(relations(subject, depth)).sql


@st.composite
def _failing(draw: st.DrawFn, subject: Subject) -> str:
    table = draw(st.sampled_from(sorted(COLUMNS)))
    columns = list(subject.variants[table].visible.items())
    shown, _ = _shown(draw, columns)
    names = [name for name, type_ in columns if type_ in _NUMBERS]
    condition = draw(
        st.sampled_from(
            (
                "12 / ({0} - {1}) <> 5",
                "CAST(if({0} = {1}, concat({0}, 'x'), '1') AS INT) = 1",
                "7 % ({0} - {1}) < 8",
            )
        )
    )
    number = draw(st.sampled_from((0, 1, 3, 7)))
    state = draw(st.sampled_from(("", " VERSION AS OF 'old'")))
    return f"SELECT {shown} FROM {{{table}}}{state} WHERE {condition.format(draw(st.sampled_from(names)), number)}"


def relations(subject: Subject, depth: int) -> st.SearchStrategy[Relation]:
    if depth == 0:
        return st.one_of(_table(subject), _star(subject), _view())
    below = relations(subject, depth - 1)
    leaf = relations(subject, 0)
    return st.one_of(
        _filtered(below),
        _filtered(below),
        _joined(below, leaf),
        _set_operation(below, leaf),
        _grouped(below),
        _windowed(below),
        _within(below, leaf),
        _lateral(below, subject),
        _limited(below),
        _common(below),
    )


def _expression(draw: st.DrawFn, name: str, type_: Type) -> tuple[str, Type]:
    """A value made of a column that cannot fail."""
    match type_:
        case "bigint" | "int":
            made = draw(st.sampled_from(("{c}", "coalesce({c}, -1)", "try_divide({c}, {c} - 3)", "abs({c})")))
            return made.format(c=name), "double" if "divide" in made else type_
        case "string":
            made = draw(
                st.sampled_from(("{c}", "upper({c})", "length({c})", "coalesce({c}, '?')", "left({c}, 2)"))
            )
            return made.format(c=name), "int" if "length" in made else type_
        case "date":
            made = draw(st.sampled_from(("{c}", "year({c})", "month({c})")))
            return made.format(c=name), type_ if made == "{c}" else "int"
        case _ if type_.startswith("struct"):
            return draw(st.sampled_from(((f"{name}.x", "int"), (f"{name}.y", "string"))))
        case _:
            return name, type_


def _predicate(draw: st.DrawFn, relation: Relation) -> str:
    name, type_ = draw(st.sampled_from(relation.columns))
    if type_.startswith("struct"):
        name, type_ = f"{name}.x", "int"
    choices = [f"{name} IS NULL", f"{name} IS NOT NULL"]
    match type_:
        case "bigint" | "int" | "double":
            number = draw(st.integers(-1, 7))
            choices += [
                f"{name} = {number}",
                f"{name} > {number}",
                f"{name} IN ({number}, 3)",
                f"NOT ({name} <= {number})",
            ]
        case "string":
            text = draw(st.sampled_from([text for text in TEXTS if text]))
            choices += [
                f"{name} = '{text}'",
                f"{name} LIKE '{text[0]}%'",
                f"{name} > '{text}'",
                f"upper({name}) = '{text.upper()}'",
            ]
        case "date":
            choices += [f"{name} > DATE '2004-01-01'", f"month({name}) = 1", f"{name} = DATE '1999-01-10'"]
    one = draw(st.sampled_from(choices))
    if draw(st.booleans()):
        return one
    other = draw(st.sampled_from(choices))
    return draw(st.sampled_from((f"{one} AND {other}", f"{one} OR {other}", f"NOT ({one} AND {other})")))


def _shown(
    draw: st.DrawFn, columns: list[tuple[str, Type]], least: int = 1
) -> tuple[str, tuple[tuple[str, Type], ...]]:
    chosen = draw(st.lists(st.sampled_from(columns), min_size=least, max_size=4))
    made = [_expression(draw, name, type_) for name, type_ in chosen]
    text = ", ".join(f"{expression} AS c{place}" for place, (expression, _) in enumerate(made))
    return text, tuple((f"c{place}", type_) for place, (_, type_) in enumerate(made))


@st.composite
def _table(draw: st.DrawFn, subject: Subject) -> Relation:
    table = draw(st.sampled_from(sorted(COLUMNS)))
    # What is not there for him fails at both, now and then.
    known = COLUMNS[table] if draw(st.integers(0, 19)) == 7 else subject.variants[table].visible
    shown, columns = _shown(draw, list(known.items()))
    state = draw(st.sampled_from(("", "", "", " VERSION AS OF 'old'")))
    relation = Relation("", tuple(known.items()))
    where = f" WHERE {_predicate(draw, relation)}" if draw(st.booleans()) else ""
    return Relation(f"SELECT {shown} FROM {{{table}}}{state}{where}", columns)


@st.composite
def _star(draw: st.DrawFn, subject: Subject) -> Relation:
    table = draw(st.sampled_from(sorted(COLUMNS)))
    columns = tuple(subject.variants[table].visible.items())
    return Relation(f"SELECT * FROM {{{table}}}", columns)


@st.composite
def _view(draw: st.DrawFn) -> Relation:
    shown, columns = _shown(draw, [("a", "bigint"), ("k", "bigint"), ("m", "bigint")])
    return Relation(f"SELECT {shown} FROM {{v}}", columns)


@st.composite
def _filtered(draw: st.DrawFn, below: st.SearchStrategy[Relation]) -> Relation:
    inner = draw(below)
    shown, columns = _shown(draw, list(inner.columns))
    return Relation(f"SELECT {shown} FROM ({inner.sql}) x WHERE {_predicate(draw, inner)}", columns)


@st.composite
def _joined(
    draw: st.DrawFn, below: st.SearchStrategy[Relation], leaf: st.SearchStrategy[Relation]
) -> Relation:
    left, right = draw(below), draw(leaf)
    pairs = [
        (one, other)
        for one, type_ in left.columns
        for other, same in right.columns
        if type_ == same and "<" not in type_
    ]
    if not pairs:
        return left
    one, other = draw(st.sampled_from(pairs))
    kind = draw(
        st.sampled_from(("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"))
    )
    columns = [(f"x.{name}", type_) for name, type_ in left.columns]
    if "SEMI" not in kind and "ANTI" not in kind:
        columns += [(f"y.{name}", type_) for name, type_ in right.columns]
    shown, made = _shown(draw, columns)
    return Relation(f"SELECT {shown} FROM ({left.sql}) x {kind} ({right.sql}) y ON x.{one} = y.{other}", made)


@st.composite
def _set_operation(
    draw: st.DrawFn, below: st.SearchStrategy[Relation], leaf: st.SearchStrategy[Relation]
) -> Relation:
    left, right = draw(below), draw(leaf)
    pairs = [
        (one, other, type_)
        for one, type_ in left.columns
        for other, same in right.columns
        if type_ == same and "<" not in type_
    ]
    if not pairs:
        return left
    one, other, type_ = draw(st.sampled_from(pairs))
    word = draw(st.sampled_from(("UNION ALL", "UNION", "EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL")))
    return Relation(
        f"SELECT c0 FROM (SELECT {one} AS c0 FROM ({left.sql}) x {word} SELECT {other} FROM ({right.sql}) y) z",
        (("c0", type_),),
    )


@st.composite
def _grouped(draw: st.DrawFn, below: st.SearchStrategy[Relation]) -> Relation:
    inner = draw(below)
    keys = [(name, type_) for name, type_ in inner.columns if "<" not in type_]
    if not keys:
        return inner
    key, type_ = draw(st.sampled_from(keys))
    value, of = draw(st.sampled_from(keys))
    made = [
        ("count(*)", "bigint"),
        (f"count(DISTINCT {value})", "bigint"),
        (f"max({value})", of),
        (f"min({value})", of),
    ]
    aggregate, its = draw(st.sampled_from(made))
    having = draw(st.sampled_from(("", " HAVING count(*) > 1")))
    if draw(st.integers(0, 3)) == 0:
        return Relation(f"SELECT {aggregate} AS c0 FROM ({inner.sql}) x", (("c0", its),))
    return Relation(
        f"SELECT {key} AS c0, {aggregate} AS c1 FROM ({inner.sql}) x GROUP BY {key}{having}",
        (("c0", type_), ("c1", its)),
    )


@st.composite
def _windowed(draw: st.DrawFn, below: st.SearchStrategy[Relation]) -> Relation:
    inner = draw(below)
    plain = [(name, type_) for name, type_ in inner.columns if "<" not in type_]
    if not plain:
        return inner
    key, type_ = draw(st.sampled_from(plain))
    order, _ = draw(st.sampled_from(plain))
    window = draw(
        st.sampled_from(
            (
                f"count(*) OVER (PARTITION BY {key})",
                f"rank() OVER (ORDER BY {order})",
                f"dense_rank() OVER (PARTITION BY {key} ORDER BY {order} DESC)",
                f"count({order}) OVER (ORDER BY {key})",
            )
        )
    )
    return Relation(
        f"SELECT {key} AS c0, {window} AS c1 FROM ({inner.sql}) x", (("c0", type_), ("c1", "bigint"))
    )


@st.composite
def _within(
    draw: st.DrawFn, below: st.SearchStrategy[Relation], leaf: st.SearchStrategy[Relation]
) -> Relation:
    """Subqueries in conditions and in the place of values."""
    outer, inner = draw(below), draw(leaf)
    pairs = [
        (one, other)
        for one, type_ in outer.columns
        for other, same in inner.columns
        if type_ == same and "<" not in type_
    ]
    if not pairs:
        return outer
    one, other = draw(st.sampled_from(pairs))
    shown, columns = _shown(draw, list(outer.columns))
    form = draw(
        st.sampled_from(
            (
                f"x.{one} IN (SELECT {other} FROM ({inner.sql}) y)",
                f"x.{one} NOT IN (SELECT {other} FROM ({inner.sql}) y WHERE {other} IS NOT NULL)",
                f"EXISTS (SELECT 1 FROM ({inner.sql}) y WHERE y.{other} = x.{one})",
                f"NOT EXISTS (SELECT 1 FROM ({inner.sql}) y WHERE y.{other} = x.{one})",
                f"x.{one} >= (SELECT max({other}) FROM ({inner.sql}) y)",
            )
        )
    )
    return Relation(f"SELECT {shown} FROM ({outer.sql}) x WHERE {form}", columns)


@st.composite
def _lateral(draw: st.DrawFn, below: st.SearchStrategy[Relation], subject: Subject) -> Relation:
    outer = draw(below)
    table = draw(st.sampled_from(sorted(COLUMNS)))
    numbers = outer.of("bigint")
    if not numbers:
        return outer
    number = draw(st.sampled_from(numbers))
    shown, columns = _shown(draw, list(subject.variants[table].visible.items()))
    return Relation(
        f"SELECT y.* FROM ({outer.sql}) x, LATERAL (SELECT {shown} FROM {{{table}}} z WHERE z.a = x.{number}) y",
        columns,
    )


@st.composite
def _limited(draw: st.DrawFn, below: st.SearchStrategy[Relation]) -> Relation:
    inner = draw(below)
    plain = [(name, type_) for name, type_ in inner.columns if "<" not in type_]
    if not plain:
        return inner
    # In the order of all that is shown, so that equals are the same.
    names = ", ".join(dict.fromkeys(name for name, _ in plain))
    shown = ", ".join(dict.fromkeys(name for name, _ in plain))
    return Relation(
        f"SELECT {shown} FROM (SELECT {shown} FROM ({inner.sql}) x ORDER BY {names} LIMIT {draw(st.integers(1, 3))}) l",
        tuple(dict.fromkeys(plain)),
    )


@st.composite
def _common(draw: st.DrawFn, below: st.SearchStrategy[Relation]) -> Relation:
    inner = draw(below)
    plain = [(name, type_) for name, type_ in inner.columns if "<" not in type_]
    if not plain:
        return inner
    name, type_ = draw(st.sampled_from(plain))
    return Relation(
        f"WITH q AS ({inner.sql}) SELECT l.{name} AS c0 FROM q l JOIN q r ON l.{name} = r.{name}",
        (("c0", type_),),
    )
