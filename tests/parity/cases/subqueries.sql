-- exists_correlated
SELECT x FROM (VALUES 1, 2, 3) t(x) WHERE EXISTS (SELECT 1 FROM (VALUES 2, 3) u(y) WHERE y = x) ORDER BY x

-- not_exists
SELECT x FROM (VALUES 1, 2, NULL) t(x) WHERE NOT EXISTS (SELECT 1 FROM (VALUES 2) u(y) WHERE y = x) ORDER BY x

-- exists_in_select
SELECT x, EXISTS (SELECT 1 FROM (VALUES 2) u(y) WHERE y = x) FROM (VALUES 1, 2) t(x) ORDER BY x

-- in_subquery
SELECT x FROM (VALUES 1, 2, 3) t(x) WHERE x IN (SELECT y FROM (VALUES 2, 3, NULL) u(y)) ORDER BY x

-- in_subquery_in_select
SELECT x, x IN (SELECT y FROM (VALUES 2, NULL) u(y)) FROM (VALUES 1, 2, NULL) t(x) ORDER BY x

-- in_values
SELECT x FROM (VALUES 1, 2, 3) t(x) WHERE x IN (VALUES 1, 3) ORDER BY x

-- not_in_subquery_with_null
SELECT x FROM (VALUES 1, 2) t(x) WHERE x NOT IN (SELECT y FROM (VALUES 2, NULL) u(y))

-- not_in_subquery
SELECT x FROM (VALUES 1, 2, NULL) t(x) WHERE x NOT IN (SELECT y FROM (VALUES 2) u(y))

-- not_in_empty_subquery
SELECT x FROM (VALUES 1, NULL) t(x) WHERE x NOT IN (SELECT y FROM (VALUES 2) u(y) WHERE false) ORDER BY x

-- in_subquery_of_rows
SELECT x, y FROM (VALUES (1, 'a'), (2, 'b')) t(x, y) WHERE (x, y) IN (SELECT 2, 'b')

-- scalar_subquery
SELECT x, (SELECT max(y) FROM (VALUES 5, 7) u(y)) FROM (VALUES 1) t(x)

-- scalar_subquery_empty
SELECT (SELECT y FROM (VALUES 5) u(y) WHERE y > 9)

-- scalar_subquery_several_rows
SELECT (SELECT y FROM (VALUES 5, 7) u(y))

-- scalar_subquery_correlated
SELECT x, (SELECT count(*) FROM (VALUES 1, 2, 3) u(y) WHERE y < x) FROM (VALUES 1, 3, NULL) t(x) ORDER BY x

-- scalar_subquery_in_where
SELECT x FROM (VALUES 1, 2, 3) t(x) WHERE x = (SELECT max(y) FROM (VALUES 1, 2) u(y))

-- scalar_subquery_in_order_by
SELECT x FROM (VALUES 1, 2) t(x) ORDER BY (SELECT -x)

-- subquery_in_case
SELECT CASE WHEN x > (SELECT avg(y) FROM (VALUES 1, 2) u(y)) THEN 'more' ELSE 'less' END FROM (VALUES 1, 2) t(x)

-- subquery_in_having
SELECT k, sum(v) FROM (VALUES ('a', 1), ('b', 5)) t(k, v) GROUP BY k HAVING sum(v) > (SELECT 3)

-- subquery_in_function
SELECT coalesce((SELECT y FROM (VALUES 1) u(y) WHERE false), -1)

-- subquery_in_join_condition
SELECT a.x, b.y FROM (VALUES 1, 2) a(x) JOIN (VALUES 1, 2) b(y) ON a.x = b.y AND a.x = (SELECT 2)

-- subquery_with_two_columns
SELECT (SELECT ROW(1, 'a'))

-- row_in_values
SELECT x FROM (VALUES 1, 2) t(x) WHERE (x, 1) IN (VALUES (1, 1), (2, 2))

-- scalar_subquery_of_columns
SELECT (SELECT 1, 2), (SELECT x + 0, 3 FROM (VALUES 1) t(x) WHERE false)

-- all_of_values
SELECT x > ALL (VALUES 1, NULL), x < SOME (VALUES 2, 3) FROM (VALUES 1, 2, 3) t(x)
