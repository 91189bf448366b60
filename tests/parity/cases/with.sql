-- with_simple
WITH t AS (SELECT 1 AS x) SELECT x + 1 FROM t

-- with_column_names
WITH t(a, b) AS (VALUES (1, 'x'), (2, 'y')) SELECT b, a FROM t ORDER BY a

-- with_chained
WITH t AS (SELECT 1 AS x), u AS (SELECT x * 2 AS y FROM t), v AS (SELECT y + x AS z FROM t, u) SELECT z FROM v

-- with_used_twice
WITH t(x) AS (VALUES 1, 2) SELECT a.x + b.x FROM t a CROSS JOIN t b ORDER BY 1

-- with_nested
WITH t AS (WITH u AS (SELECT 3 AS y) SELECT y FROM u) SELECT * FROM t

-- with_shadows_outer
WITH t AS (SELECT 1 AS x) SELECT * FROM (WITH t AS (SELECT 2 AS x) SELECT x FROM t)

-- with_in_subquery
SELECT x FROM (VALUES 1, 2) t(x) WHERE x IN (WITH u AS (SELECT 2 AS y) SELECT y FROM u)

-- with_recursive_numbers
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t WHERE n < 4) SELECT sum(n) FROM t

-- with_recursive_texts
WITH RECURSIVE t(n, s) AS (SELECT 1, CAST('a' AS varchar) UNION ALL SELECT n + 1, s || 'b' FROM t WHERE n < 3) SELECT n, s FROM t ORDER BY n

-- with_recursive_too_deep
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t

-- with_name_not_found
WITH t AS (SELECT 1 AS x) SELECT * FROM nosuchtable

-- inline_function_not_of_a_schema
WITH FUNCTION f(x integer) RETURNS integer RETURN x + 1 SELECT f(1)
