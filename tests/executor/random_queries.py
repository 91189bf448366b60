"""Random queries over random tables, in Spark's SQL. A seed makes the same tables and the same queries again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.executor.random_tables import TAME, Column, Table

_ANY = "?"  # a type that is not compared with others
_COMPARED = ("=", "<>", "<", "<=", ">", ">=", "<=>")
_INTEGERS = ("INT", "BIGINT")
_FLOATS = ("FLOAT", "DOUBLE")


@dataclass(frozen=True)
class RandomQuery:
    sql: str
    ordered: bool
    tolerance: float | None


@dataclass
class _Select:
    sql: str
    columns: list[Column]


class Generator:
    """Makes queries over tables from random numbers."""

    def __init__(self, random: Random, tables: list[Table]) -> None:
        self._random = random
        self._tables = tables
        self._names = 0

    def query(self) -> RandomQuery:
        """Return a query. Where it has an order, the order is total."""
        r = self._random
        made = self._select(r.choice([0, 1, 1, 2]))
        sql, prefix = made.sql, ""
        if r.random() < 0.12 and all(column.exact for column in made.columns):
            prefix = f"WITH w AS ({sql}) "
            sql = self._with(made)
        exact = all(column.exact for column in made.columns)
        total = exact and all(column.tame or column.type not in _FLOATS for column in made.columns)
        tolerance = None if exact else 1e-9
        if prefix:
            return RandomQuery(prefix + sql, False, tolerance)
        if total and r.random() < 0.4:
            keys = ", ".join(
                f"{number} {r.choice(['ASC', 'DESC', 'ASC NULLS LAST', 'DESC NULLS FIRST'])}"
                for number in range(1, len(made.columns) + 1)
            )
            limit = r.choice(
                ["", "", f" LIMIT {r.randint(0, 30)}", f" LIMIT {r.randint(1, 20)} OFFSET {r.randint(0, 9)}"]
            )
            return RandomQuery(f"SELECT * FROM ({sql}) ORDER BY {keys}{limit}", True, tolerance)
        return RandomQuery(sql, False, tolerance)

    def _with(self, made: _Select) -> str:
        key = self._random.choice(made.columns)
        columns = ", ".join(f"x.{column.name} AS l_{column.name}" for column in made.columns)
        kind = self._random.choice(["JOIN", "LEFT JOIN", "FULL JOIN"])
        return f"SELECT {columns}, y.{key.name} AS other FROM w x {kind} w y ON x.{key.name} = y.{key.name}"

    # -- relations

    def _name(self, prefix: str = "e") -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    def _from(self, depth: int) -> tuple[str, list[Column]]:
        r = self._random
        if depth > 0 and r.random() < 0.45:
            return self._join(depth - 1)
        if depth > 0 and r.random() < 0.6:
            made = self._set_operation(depth - 1) if r.random() < 0.3 else self._select(depth - 1)
            # What is not exact is only for the result: whether two such numbers are equal is different each time.
            if exact := [column for column in made.columns if column.exact]:
                alias = self._name("s")
                return f"({made.sql}) {alias}", [_of(alias, column) for column in exact]
        table = r.choice(self._tables)
        alias = self._name("t")
        return f"{table.name} {alias}", [_of(alias, column) for column in table.columns]

    def _join(self, depth: int) -> tuple[str, list[Column]]:
        r = self._random
        left, one = self._from(depth)
        right, two = self._from(0)
        pairs = [(a, b) for a in one for b in two if a.type == b.type and a.type != _ANY]
        kind = r.choice(
            ["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"]
        )
        if not pairs:
            kind, on = "CROSS JOIN", ""
        else:
            some = r.sample(pairs, min(len(pairs), r.choice([1, 1, 2])))
            conditions = [f"{a.name} {r.choice(['=', '=', '=', '<=>'])} {b.name}" for a, b in some]
            if r.random() < 0.25:
                conditions.append(self._boolean([*one, *two], 0))
            on = " ON " + " AND ".join(conditions)
        columns = one if "SEMI" in kind or "ANTI" in kind else [*one, *two]
        return f"{left} {kind} {right}{on}", columns

    def _set_operation(self, depth: int) -> _Select:
        r = self._random
        left, right = self._select(depth, plain=True), self._select(depth, plain=True)
        types = [column.type for column in left.columns if column.type != _ANY]
        chosen: list[tuple[Column, Column]] = []
        for type_name in dict.fromkeys(types):
            a = [column for column in left.columns if column.type == type_name]
            b = [column for column in right.columns if column.type == type_name]
            chosen += list(zip(a, b, strict=False))
        if not chosen:
            return left
        word = r.choice(["UNION ALL", "UNION", "INTERSECT", "EXCEPT", "UNION ALL"])
        one = ", ".join(a.name for a, _ in chosen)
        two = ", ".join(b.name for _, b in chosen)
        sql = f"SELECT {one} FROM ({left.sql}) {word} SELECT {two} FROM ({right.sql})"
        columns = [Column(a.name, a.type, a.tame and b.tame, a.exact and b.exact) for a, b in chosen]
        return _Select(sql, columns)

    def _select(self, depth: int, *, plain: bool = False) -> _Select:
        r = self._random
        source, columns = self._from(depth)
        where = ""
        if r.random() < 0.6:
            where = " WHERE " + " AND ".join(self._condition(columns) for _ in range(r.choice([1, 1, 2])))
        kind = (
            "plain"
            if plain
            else r.choice(["plain", "plain", "groups", "groups", "all", "windows", "distinct"])
        )
        if kind in {"groups", "all"}:
            return self._aggregate(source, columns, where, grouped=kind == "groups")
        items = [self._item(columns) for _ in range(r.randint(1, 5))]
        if kind == "windows":
            items += self._windows(columns)
        names = [(self._name(), text, column) for text, column in items]
        # DISTINCT keeps either -0.0 or 0.0, as GROUP BY does, but always the same one.
        distinct = "DISTINCT " if kind == "distinct" else ""
        selected = ", ".join(f"{text} AS {name}" for name, text, _ in names)
        made = [Column(name, column.type, column.tame, column.exact) for name, _, column in names]
        return _Select(f"SELECT {distinct}{selected} FROM {source}{where}", made)

    def _condition(self, columns: list[Column]) -> str:
        r = self._random
        if r.random() < 0.8:
            return self._boolean(columns, 1)
        table = r.choice(self._tables)
        alias = self._name("i")
        pairs = [
            (a, b)
            for a in columns
            for b in table.columns
            if a.type == b.type and a.type not in (_ANY, *_FLOATS)
        ]
        if not pairs:
            return self._boolean(columns, 1)
        a, b = r.choice(pairs)
        inner = f"FROM {table.name} {alias}"
        return r.choice(
            [
                f"{a.name} IN (SELECT {alias}.{b.name} {inner})",
                f"{a.name} NOT IN (SELECT {alias}.{b.name} {inner} WHERE {alias}.{b.name} IS NOT NULL)",
                f"{a.name} NOT IN (SELECT {alias}.{b.name} {inner})",
                f"EXISTS (SELECT 1 {inner} WHERE {alias}.{b.name} = {a.name})",
                f"NOT EXISTS (SELECT 1 {inner} WHERE {alias}.{b.name} = {a.name})",
                f"{a.name} >= (SELECT min({alias}.{b.name}) {inner})",
                f"(SELECT count(*) {inner} WHERE {alias}.{b.name} = {a.name}) > 1",
                f"({a.name} IN (SELECT {alias}.{b.name} {inner}) OR {self._boolean(columns, 0)})",
            ]
        )

    def _aggregate(self, source: str, columns: list[Column], where: str, *, grouped: bool) -> _Select:
        r = self._random
        keys = [self._item(columns) for _ in range(r.randint(1, 3))] if grouped else []
        keys = [(text, column) for text, column in keys if not text.startswith("(SELECT")]
        results = [self._function(columns) for _ in range(r.randint(1, 4))]
        named = [(self._name(), text, column) for text, column in [*keys, *results]]
        selected = ", ".join(f"{text} AS {name}" for name, text, _ in named)
        group = ""
        if keys:
            texts = [text for text, _ in keys]
            positions = ", ".join(map(str, range(1, len(keys) + 1)))
            group = f" GROUP BY {positions}"
            if len(keys) > 1 and r.random() < 0.25:
                group = f" GROUP BY {r.choice(['ROLLUP', 'CUBE'])} ({', '.join(texts)})"
            if r.random() < 0.2:
                group += f" HAVING count(*) > {r.randint(0, 4)}"
        made = [Column(name, column.type, column.tame, column.exact) for name, _, column in named]
        return _Select(f"SELECT {selected} FROM {source}{where}{group}", made)

    def _function(self, columns: list[Column]) -> tuple[str, Column]:
        r = self._random
        column = r.choice(columns)
        name, type_name = column.name, column.type
        numeric = type_name in _INTEGERS or type_name in _FLOATS or type_name.startswith("DECIMAL")
        whole = Column("", "BIGINT")
        choices: list[tuple[str, Column]] = [
            ("count(*)", whole),
            (f"count({name})", whole),
            (f"count(DISTINCT {name})", whole),
            (f"min({name})", Column("", type_name, column.tame, column.exact)),
            (f"max({name})", Column("", type_name, column.tame, column.exact)),
            (f"count(*) FILTER (WHERE {self._boolean(columns, 0)})", whole),
        ]
        if type_name in _FLOATS:  # min and max of -0.0 and 0.0 are either
            choices = [
                choice for choice in choices if not choice[0].startswith(("min", "max")) or column.tame
            ]
        if type_name == "BOOLEAN":
            choices += [
                (f"bool_and({name})", Column("", "BOOLEAN")),
                (f"bool_or({name})", Column("", "BOOLEAN")),
            ]
        if numeric and column.tame and column.exact:
            sum_type = "BIGINT" if type_name in _INTEGERS else "DOUBLE" if type_name in _FLOATS else _ANY
            some = Column("", _ANY, True, False)
            exact = Column("", _ANY, True, type_name not in _FLOATS)
            choices += [
                (f"sum({name})", Column("", sum_type)),
                (f"sum({name})", Column("", sum_type)),
                (f"avg({name})", exact),
                (f"stddev({name})", some),
                (f"var_pop({name})", some),
                (f"sum(DISTINCT {name})", Column("", sum_type)),
                (f"sum({self._number(columns)})", some),
            ]
        return r.choice(choices)

    def _windows(self, columns: list[Column]) -> list[tuple[str, Column]]:
        """Return functions over one window: each window has its own idea of which of two equal rows is the first."""
        r = self._random
        partition = r.choice(columns)
        ordered = [column for column in columns if column.tame or column.type not in _FLOATS]
        # Every column of the rows, so that equal rows are the same row.
        total = len(ordered) == len(columns)
        if total:
            r.shuffle(ordered)
        else:
            ordered = [r.choice(columns)]
        keys = ", ".join(
            f"{column.name} {r.choice(['ASC', 'DESC', 'DESC NULLS FIRST'])}" for column in ordered
        )
        by = f"PARTITION BY {partition.name} ORDER BY {keys}"
        return [self._window(columns, partition, by, total=total) for _ in range(r.randint(1, 3))]

    def _window(
        self, columns: list[Column], partition: Column, by: str, *, total: bool
    ) -> tuple[str, Column]:
        r = self._random
        column = r.choice(columns)
        whole = Column("", "INT")
        same = Column("", column.type, column.tame, column.exact)
        choices = [
            (f"rank() OVER ({by})", whole),
            (f"dense_rank() OVER ({by})", whole),
            (f"count(*) OVER ({by})", Column("", "BIGINT")),
            (f"percent_rank() OVER ({by})", Column("", "DOUBLE")),
        ]
        if column.tame or column.type not in _FLOATS:
            choices.append((f"min({column.name}) OVER (PARTITION BY {partition.name})", same))
            choices.append((f"max({column.name}) OVER ({by})", same))
        if total:
            frame = r.choice(
                ["ROWS BETWEEN 2 PRECEDING AND CURRENT ROW", "ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING", ""]
            )
            choices += [
                (f"row_number() OVER ({by})", whole),
                (f"lag({column.name}) OVER ({by})", same),
                (f"lead({column.name}, 2) OVER ({by})", same),
                (f"ntile(3) OVER ({by})", whole),
                (f"count({column.name}) OVER ({by} {frame})", Column("", "BIGINT")),
            ]
            if column.type in _INTEGERS and column.tame:
                choices.append((f"sum({column.name}) OVER ({by} {frame})", Column("", "BIGINT")))
        return r.choice(choices)

    # -- expressions

    def _item(self, columns: list[Column]) -> tuple[str, Column]:
        r = self._random
        if r.random() < 0.5:
            column = r.choice(columns)
            return column.name, column
        kind = r.choice(["number", "boolean", "text", "date", "choice", "choice", "cast", "scalar"])
        if kind == "cast":
            return self._cast(columns)
        if kind == "scalar":
            table = r.choice(self._tables)
            column = r.choice(table.columns)
            if column.tame or column.type not in _FLOATS:
                condition = f"{column.name} {r.choice(['=', '<', '<>'])} {self._literal(column.type)}"
                function = r.choice(["min", "max"])
                return f"(SELECT {function}({column.name}) FROM {table.name} WHERE {condition})", Column(
                    "", column.type, column.tame
                )
        if kind == "number":
            return self._number(columns), Column("", _ANY)
        if kind == "boolean":
            return self._boolean(columns, 1), Column("", "BOOLEAN")
        if kind == "text":
            return self._text(columns), Column("", "STRING")
        if kind == "date":
            return self._date(columns)
        return self._choice(columns)

    def _cast(self, columns: list[Column]) -> tuple[str, Column]:
        number = self._some(columns, (*_INTEGERS, *_FLOATS, "DECIMAL(12,2)", "DECIMAL(7,4)"), tame=True)
        if number is None or not number.exact:
            return self._choice(columns)
        targets = (
            ["BIGINT", "DOUBLE"]
            if number.type in _FLOATS
            else ["BIGINT", "DOUBLE", "STRING", "DECIMAL(30,10)"]
        )
        target = self._random.choice(targets)
        return f"CAST({number.name} AS {target})", Column("", target)

    def _some(self, columns: list[Column], types: tuple[str, ...], *, tame: bool = False) -> Column | None:
        found = [column for column in columns if column.type in types and (column.tame or not tame)]
        return self._random.choice(found) if found else None

    def _literal(self, type_name: str) -> str:
        if type_name not in TAME:
            return f"CAST(1 AS {type_name})"
        return f"CAST({self._random.choice(TAME[type_name])} AS {type_name})"

    def _choice(self, columns: list[Column]) -> tuple[str, Column]:
        r = self._random
        column = r.choice([each for each in columns if each.type != _ANY] or columns)
        if column.type == _ANY:
            return column.name, column
        other = self._some(columns, (column.type,)) or column
        literal = self._literal(column.type)
        name, another = column.name, other.name
        made = Column("", column.type, column.tame and other.tame, column.exact and other.exact)
        text = r.choice(
            [
                f"coalesce({name}, {another}, {literal})",
                f"nullif({name}, {another})",
                f"CASE WHEN {self._boolean(columns, 0)} THEN {name} ELSE {another} END",
                f"if({self._boolean(columns, 0)}, {name}, {literal})",
                f"greatest({name}, {another})"
                if column.type != "BOOLEAN"
                else f"coalesce({another}, {name})",
                f"least({name}, {literal})" if column.type != "BOOLEAN" else name,
            ]
        )
        return text, made

    def _number(self, columns: list[Column]) -> str:
        r = self._random
        number = self._some(columns, (*_INTEGERS, *_FLOATS, "DECIMAL(12,2)", "DECIMAL(7,4)"), tame=True)
        if number is None:
            return str(r.randint(-5, 5))
        other = self._some(columns, (number.type,), tame=True) or number
        a, b = number.name, other.name
        if number.type in _FLOATS or number.type.startswith("DECIMAL"):
            choices = [
                f"{a} + {b}",
                f"{a} - {b}",
                f"{a} * {r.randint(-3, 9)}",
                f"-{a}",
                f"abs({a})",
                f"{a} / 4",
                f"{a} * {b}",
            ]
        else:
            divisor = r.choice([2, 3, -5, 7])
            choices = [
                *[
                    f"{a} + {b}",
                    f"{a} - {r.randint(0, 99)}",
                    f"{a} * {r.randint(-3, 9)}",
                    f"{a} % {divisor}",
                    f"-{a}",
                ],
                *[
                    f"{a} div {divisor}",
                    f"abs({a})",
                    f"{a} / {divisor}",
                    f"CAST({a} AS DOUBLE)",
                    f"{a} * CAST(1.5 AS DECIMAL(4,2))",
                ],
            ]
        return r.choice(choices)

    def _text(self, columns: list[Column]) -> str:
        r = self._random
        text = self._some(columns, ("STRING",))
        if text is None:
            whole = self._some(columns, _INTEGERS)
            return f"CAST({whole.name} AS STRING)" if whole is not None else "'none'"
        name = text.name
        choices = [
            *[
                f"substring({name}, {r.randint(0, 3)}, {r.randint(0, 3)})",
                f"concat({name}, '-', {name})",
                f"trim({name})",
            ],
            *[f"{name} || 'x'", f"ltrim({name})", f"coalesce({name}, 'none')"],
        ]
        return r.choice([*choices, f"upper({name})", f"lower({name})"] if text.tame else choices)

    def _date(self, columns: list[Column]) -> tuple[str, Column]:
        r = self._random
        day = self._some(columns, ("DATE",))
        if day is not None:
            name = day.name
            part = r.choice(
                ["year", "month", "day", "quarter", "dayofweek", "dayofyear", "weekofyear", "weekday"]
            )
            choices = [
                (f"{part}({name})", Column("", "INT")),
                (
                    f"trunc({name}, '{r.choice(['year', 'quarter', 'month', 'week'])}')",
                    Column("", "DATE", False),
                ),
                (f"datediff({name}, DATE '2024-01-01')", Column("", "INT")),
            ]
            if day.tame:
                choices.append((f"date_add({name}, {r.randint(-400, 400)})", Column("", "DATE")))
                choices.append((f"add_months({name}, {r.randint(-30, 30)})", Column("", "DATE")))
            return r.choice(choices)
        moment = self._some(columns, ("TIMESTAMP", "TIMESTAMP_NTZ"))
        if moment is not None:
            part = r.choice(["hour", "minute", "second"])
            if moment.type == "TIMESTAMP" and r.random() < 0.5:
                unit = r.choice(["year", "quarter", "month", "week", "day", "hour", "minute", "second"])
                return f"date_trunc('{unit}', {moment.name})", Column("", "TIMESTAMP", False)
            return f"{part}({moment.name})", Column("", "INT")
        return "DATE '2024-02-29'", Column("", "DATE")

    def _boolean(self, columns: list[Column], depth: int) -> str:
        r = self._random
        if depth > 0 and r.random() < 0.4:
            one, two = self._boolean(columns, depth - 1), self._boolean(columns, depth - 1)
            return r.choice([f"({one} AND {two})", f"({one} OR {two})", f"(NOT {one})"])
        column = r.choice(columns)
        name = column.name
        if column.type == _ANY or not column.exact:
            return f"({name} IS {r.choice(['', 'NOT '])}NULL)"
        other = self._some(columns, (column.type,)) or column
        literals = [self._literal(column.type) for _ in range(r.choice([2, 12]))]
        choices: list[Callable[[], str]] = [
            lambda: f"({name} {r.choice(_COMPARED)} {other.name})",
            lambda: f"({name} {r.choice(_COMPARED)} {literals[0]})",
            lambda: f"({name} {r.choice(_COMPARED)} {literals[1]})",
            lambda: f"({name} IN ({', '.join(literals)}))",
            lambda: f"({name} NOT IN ({', '.join(literals[:2])}))",
            lambda: f"({name} BETWEEN {literals[0]} AND {literals[1]})",
            lambda: f"({name} IS NOT NULL)",
        ]
        if column.type == "STRING":
            pattern = r.choice(["a%", "%b", "%a%", "_", "__", "a_%", "%"])
            choices += [lambda: f"({name} LIKE '{pattern}')", lambda: f"(length({name}) > {r.randint(0, 2)})"]
        if column.type in _FLOATS:
            choices.append(lambda: f"isnan({name})")
        if column.type == "BOOLEAN":
            choices.append(lambda: name)
        return r.choice(choices)()


def _of(alias: str, column: Column) -> Column:
    return Column(f"{alias}.{column.name}", column.type, column.tame, column.exact)
