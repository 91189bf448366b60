"""Build statements of any size, in every way in which SQL can grow. Both dialects accept them."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def nested(opening: str, closing: str, inner: str = "1", before: str = "SELECT ") -> Callable[[int], str]:
    return lambda count: before + opening * count + inner + closing * count


def repeated(part: str, end: str = "1", before: str = "SELECT ") -> Callable[[int], str]:
    return lambda count: before + part * count + end


# In every one, Spark's tree or the parser's work grows with the count.
GROWING: Mapping[str, Callable[[int], str]] = {
    "parentheses": nested("(", ")"),
    "calls": nested("abs(", ")"),
    "arrays": nested("ARRAY[", "]"),
    "array calls": nested("array(", ")"),
    "rows": nested("ROW(", ")"),
    "types as calls": nested("varchar(", ")"),
    "decimals as calls": nested("decimal(", ")"),
    "case": nested("CASE WHEN true THEN 1 ELSE ", " END"),
    "subqueries": nested("(SELECT * FROM ", ")", "t", "SELECT * FROM "),
    "scalar subqueries": nested("(SELECT ", ")"),
    "exists": nested("EXISTS (SELECT ", ")"),
    "lambdas": nested("transform(a, x -> ", ")"),
    "array types": nested("array(", ")", "int", "SELECT CAST(NULL AS "),
    "angle types": nested("array<", ">", "int", "SELECT CAST(NULL AS "),
    "row types": nested("row(a ", ")", "int", "SELECT CAST(NULL AS "),
    "struct types": nested("struct<a: ", ">", "int", "SELECT CAST(NULL AS "),
    "casts": nested("CAST(", " AS int)"),
    "additions": repeated("1+"),
    "additions in an argument": lambda count: f"SELECT abs({'1+' * count}1)",
    "additions through calls": lambda count: (
        "SELECT " + ("1+" * 9 + "abs(") * (count // 9) + "1" + ")" * (count // 9)
    ),
    "additions left of parentheses": lambda count: (
        "SELECT " + "(" * 100 + "1" + ("+1" * (count // 100) + ")") * 100
    ),
    "additions behind a string": lambda count: f"SELECT '\\', {'1+' * count}1, '\\'",
    "additions behind a comment": lambda count: f"SELECT 1 /* /* */ , {'1+' * count}1 /* */",
    "additions of names that are keywords": lambda count: f"SELECT {'by + ' * count}by FROM t",
    "products of names that are keywords": lambda count: f"SELECT {'limit * ' * count}limit FROM t",
    "concatenations": repeated("'a' || ", "'a'"),
    "comparisons": repeated("a = "),
    "minus": repeated("- "),
    "not": repeated("NOT "),
    "and": repeated("true AND ", "true"),
    "or": repeated("a = 1 OR ", "true"),
    "unions": repeated("1 UNION ALL SELECT "),
    "unions in parentheses": lambda count: "SELECT 1" + " UNION (SELECT 1" * count + ")" * count,
    "joins": lambda count: "SELECT 1 FROM t" + " CROSS JOIN t" * count,
    "joins by commas": lambda count: "SELECT 1 FROM t" + ", t" * count,
    "common tables": lambda count: (
        "WITH "
        + ", ".join(f"c{n} AS (SELECT * FROM c{n - 1})" for n in range(1, count + 1))
        + f" SELECT * FROM c{count}"
    ),
    "subscripts": lambda count: "SELECT a" + "[0]" * count,
    "dots": lambda count: "SELECT a" + ".b" * count,
    "opening only": lambda count: "SELECT " + "(" * count,
    "opening arrays only": lambda count: "SELECT " + "ARRAY[" * count,
    "closing only": lambda count: "SELECT " + ")" * count,
}
