"""Expressions that fail on rows that a policy hides, and the places in a query where they can stand.

Rows of the department `eng` are to be seen. On each of the others every expression here fails, most
with a stored value in the message.
"""

from __future__ import annotations

COLUMNS = (
    "id INT, name STRING, dept STRING, salary INT, day STRING, tags ARRAY<STRING>, "
    "addr STRUCT<street: STRING, code: STRING>, pattern STRING, doc STRING, month INT"
)
NAMES = "id, name, dept, salary, day, tags, addr, pattern, doc, month"
ROWS = """
  (1, '7', 'eng', 100, '2020-01-01', array('a'), named_struct('street', 's', 'code', '1'), 'a', '{"v": 1}', 1),
  (2, '8', 'eng', 200, '2020-01-02', array('b'), named_struct('street', 's', 'code', '2'), 'b', '{"v": 2}', 2),
  (3, 'Cy', 'hr', 300, 'bad-day', array(), named_struct('street', 's', 'code', 'x'), '(', '{{', 13),
  (4, 'Di', 'hr', 300, 'worse', array(), named_struct('street', 's', 'code', 'y'), '[', 'nonsense', 14),
  (5, 'Ed', NULL, 300, 'none', array(), named_struct('street', 's', 'code', 'z'), '*', 'bad', 99),
  (6, 'Fi', 'ops', 300, 'never', array(), named_struct('street', 's', 'code', 'é'), '+', '[', 0)
"""
VISIBLE = "dept = 'eng'"
HIDDEN = "dept IS NULL OR dept <> 'eng'"

# The same rows, in the ways that Spark treats differently: it can give the first to Iceberg, the second only
# filters, and the third is a join.
POLICIES = {
    "equality": VISIBLE,
    "pattern": "dept RLIKE '^e'",
    "subquery": "dept IN (SELECT d FROM lake.db.allowed)",
}

DIVISION = "1 / ({t}salary - 300)"
CAST = "CAST({t}name AS INT)"
EXPRESSIONS = {
    "raise_error": "IF({t}name RLIKE '^[0-9]+$', 1, raise_error({t}name))",
    "assert_true": "coalesce(CAST(assert_true({t}name RLIKE '^[0-9]+$', {t}name) AS INT), {t}id)",
    "element_at": "length(element_at({t}tags, 1))",
    "index": "length({t}tags[0])",
    "rlike": "IF('x' RLIKE {t}pattern, {t}id, -{t}id)",
    "regexp_replace": "length(regexp_replace('x', {t}pattern, 'y'))",
    "from_json": "from_json({t}doc, 'v INT', map('mode', 'FAILFAST')).v",
    "to_date": "year(to_date({t}day))",
    "cast_date": "year(CAST({t}day AS DATE))",
    "to_number": "to_number({t}name, '99')",
    "overflow": "CAST({t}salary AS INT) * 10000000",
    "narrow": "CAST({t}salary - 100 AS TINYINT)",
    "modulo": "7 % ({t}salary - 300)",
    "make_date": "year(make_date(2020, {t}month, 1))",
    "decimal": "CAST({t}salary * 4 AS DECIMAL(4, 1))",
    "field": "CAST({t}addr.code AS INT)",
}

# {e} is the expression, {a} and {b} are the same of the tables a and b.
PLACES = {
    "where": "SELECT id FROM {t} WHERE {e} > -1000000",
    "where or": "SELECT id FROM {t} WHERE {e} > 1000000 OR id = 1",
    "where and": "SELECT id FROM {t} WHERE id > 0 AND {e} > -1000000 AND dept IS NOT NULL",
    "select": "SELECT id, {e} AS v FROM {t}",
    "distinct": "SELECT DISTINCT {e} AS v FROM {t}",
    "order by": "SELECT id FROM {t} ORDER BY {e}",
    "order by limit": "SELECT id FROM {t} ORDER BY {e} LIMIT 3",
    "group by": "SELECT {e} AS v, count(*) FROM {t} GROUP BY {e}",
    "having": "SELECT dept, count(*) FROM {t} GROUP BY dept HAVING max({e}) > -1000000",
    "aggregate": "SELECT sum({e}) > -1000000 FROM {t}",
    "aggregate filter": "SELECT count(*) FILTER (WHERE {e} > -1000000) FROM {t}",
    "count distinct": "SELECT count(DISTINCT {e}), count(DISTINCT id) FROM {t}",
    "cube": "SELECT dept, count({e}) FROM {t} GROUP BY CUBE(dept)",
    "window": "SELECT id, count({e}) OVER (PARTITION BY dept) FROM {t}",
    "window order": "SELECT id, row_number() OVER (ORDER BY {e}) <= 9 FROM {t}",
    "window limit": "SELECT id FROM"
    " (SELECT id, row_number() OVER (PARTITION BY dept ORDER BY {e}) r FROM {t}) WHERE r < 6",
    "case": "SELECT id FROM {t} WHERE CASE WHEN {e} > -1000000 THEN 1 ELSE 0 END = 1",
    "coalesce": "SELECT id FROM {t} WHERE coalesce({e}, 0) > -1000000",
    "lambda": "SELECT id FROM {t} WHERE exists(array({e}), x -> x > -1000000)",
    "on": "SELECT a.id FROM {t} a JOIN lake.db.other o ON {a} = o.k",
    "on range": "SELECT a.id, o.k FROM {t} a JOIN lake.db.other o ON {a} > o.k - 1000000",
    "cross": "SELECT a.id, o.k FROM {t} a CROSS JOIN lake.db.other o WHERE {a} > o.k - 1000000",
    "left on right": "SELECT o.k, a.id FROM lake.db.other o LEFT JOIN {t} a ON {a} = o.k",
    "left on left": "SELECT a.id, o.k FROM {t} a LEFT JOIN lake.db.other o ON a.id = o.k AND {a} > -1000000",
    "full": "SELECT a.id, o.k FROM {t} a FULL JOIN lake.db.other o ON {a} = o.k",
    "semi": "SELECT a.id FROM {t} a LEFT SEMI JOIN lake.db.other o ON {a} = o.k",
    "anti": "SELECT a.id FROM {t} a LEFT ANTI JOIN lake.db.other o ON {a} = o.k",
    "self join": "SELECT a.id FROM {t} a JOIN {t} b ON a.id = b.id AND {a} = {b}",
    "inferred by equal keys": "SELECT a.id FROM {t} a JOIN {t} b"
    " ON a.salary = b.salary AND a.name = b.name AND a.tags = b.tags WHERE {b} > -1000000",
    "exists": "SELECT k FROM lake.db.other o WHERE EXISTS (SELECT 1 FROM {t} a WHERE {a} = o.k)",
    "not exists": "SELECT k FROM lake.db.other o WHERE NOT EXISTS (SELECT 1 FROM {t} a WHERE {a} = o.k)",
    "exists alone": "SELECT k FROM lake.db.other WHERE EXISTS (SELECT 1 FROM {t} WHERE {e} > 1000000)",
    "in": "SELECT k FROM lake.db.other WHERE k IN (SELECT {e} FROM {t})",
    "not in": "SELECT k FROM lake.db.other WHERE k NOT IN (SELECT {e} FROM {t})",
    "in of its own": "SELECT id FROM {t} WHERE {e} IN (SELECT k FROM lake.db.other)",
    "not in of its own": "SELECT id FROM {t} WHERE {e} NOT IN (SELECT k FROM lake.db.other)",
    "scalar": "SELECT k FROM lake.db.other WHERE k > (SELECT min({e}) FROM {t})",
    "correlated": "SELECT k, (SELECT count(*) FROM {t} a WHERE {a} = o.k) FROM lake.db.other o",
    "correlated of its own": "SELECT id, (SELECT max(v) FROM lake.db.other o WHERE o.k = {a}) FROM {t} a",
    "lateral": "SELECT a.id, x.v FROM {t} a, LATERAL (SELECT {a} AS v) x WHERE x.v > -1000000",
    "in lateral": "SELECT o.k, x.id FROM lake.db.other o, LATERAL (SELECT a.id FROM {t} a WHERE {a} = o.k) x",
    "lateral aggregate": "SELECT o.k, x.s FROM lake.db.other o,"
    " LATERAL (SELECT count({a}) s FROM {t} a WHERE a.id <= o.k) x",
    "lateral view": "SELECT id, v FROM {t} LATERAL VIEW explode(array({e})) AS v",
    "key of a cte": "WITH c AS (SELECT id, {e} AS k FROM {t}) SELECT x.id FROM c x JOIN c y ON x.k = y.k",
    "key of a cte and others": "WITH c AS (SELECT id, {e} AS k FROM {t})"
    " SELECT c.id FROM c JOIN lake.db.other o ON c.k = o.k",
    "filter over a cte": "WITH c AS (SELECT id, {e} AS k FROM {t}) SELECT id FROM c WHERE k > -1000000 AND id < 9",
    "nested": "SELECT id FROM (SELECT * FROM (SELECT id, {e} AS v, dept FROM {t}) WHERE id > 0) WHERE v > -1000000",
    "union": "SELECT id FROM (SELECT id, {e} AS v FROM {t} UNION ALL SELECT k, k FROM lake.db.other)"
    " WHERE v > -1000000",
    "intersect": "SELECT CAST({e} AS STRING) FROM {t} INTERSECT SELECT CAST({e} AS STRING) FROM {t}",
    "except": "SELECT CAST(k AS STRING) FROM lake.db.other EXCEPT SELECT CAST({e} AS STRING) FROM {t}",
    "sample": "SELECT id FROM {t} TABLESAMPLE (100 PERCENT) WHERE {e} > -1000000",
    "pivot": "SELECT * FROM (SELECT dept, {e} > -1000000 AS v FROM {t}) PIVOT (count(*) FOR v IN (true, false))",
    "pipe": "FROM {t} |> EXTEND {e} AS v |> WHERE v > -1000000 |> SELECT id",
    "recursive": "WITH RECURSIVE r(n, v) AS (SELECT id, {e} FROM {t} UNION ALL"
    " SELECT n + 1, v FROM r WHERE n < 3 AND v > -1000000) SELECT n FROM r",
    "recursive step": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL"
    " SELECT n + 1 FROM r JOIN {t} a ON a.id >= n WHERE {a} > -1000000 AND n < 3) SELECT n FROM r",
}


def query(place: str, expression: str, table: str) -> str:
    """Put an expression into its place in a query of `table`."""
    return PLACES[place].format(
        t=table, e=expression.format(t=""), a=expression.format(t="a."), b=expression.format(t="b.")
    )
