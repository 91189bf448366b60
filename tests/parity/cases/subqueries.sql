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

-- limit_of_a_wider_outer_column
SELECT b, (SELECT c FROM (VALUES (1, 10), (2, 20), (2, 21), (3, 30), (NULL, 40)) i(a, c) WHERE i.a = o.b ORDER BY c LIMIT 1) FROM (VALUES (BIGINT '1', 1), (2, 2), (3, 2), (NULL, 3), (7, 7)) o(b, d)

-- limit_of_an_outer_expression
SELECT d, (SELECT c FROM (VALUES (1, 10), (2, 20), (2, 21), (3, 30), (NULL, 40)) i(a, c) WHERE i.a = o.d + 1 ORDER BY c LIMIT 1) FROM (VALUES (BIGINT '1', 1), (2, 2), (3, 2), (NULL, 3), (7, 7)) o(b, d)

-- limit_with_two_outer_columns
SELECT b, d, (SELECT c FROM (VALUES (1, 10), (2, 20), (2, 21), (3, 30), (NULL, 40)) i(a, c) WHERE i.a = o.d AND i.a = o.b ORDER BY c LIMIT 1) FROM (VALUES (BIGINT '1', 1), (2, 2), (3, 2), (NULL, 3), (7, 7)) o(b, d)

-- limit_with_an_outer_column_twice
SELECT d, (SELECT e FROM (VALUES (1, 2, 5), (2, 2, 6), (2, 1, 7)) j(x, y, e) WHERE j.x = o.d AND j.y = o.d ORDER BY e LIMIT 1) FROM (VALUES (BIGINT '1', 1), (2, 2), (3, 2), (NULL, 3), (7, 7)) o(b, d)

-- limit_of_lateral
SELECT b, x FROM (VALUES (BIGINT '1', 1), (2, 2), (3, 2), (NULL, 3), (7, 7)) o(b, d) CROSS JOIN LATERAL (SELECT c AS x FROM (VALUES (1, 10), (2, 20), (2, 21), (3, 30), (NULL, 40)) i(a, c) WHERE i.a = o.b ORDER BY c LIMIT 1)

-- limit_of_lateral_outer
SELECT b, x FROM (VALUES (BIGINT '1', 1), (2, 2), (3, 2), (NULL, 3), (7, 7)) o(b, d) LEFT JOIN LATERAL (SELECT c AS x FROM (VALUES (1, 10), (2, 20), (2, 21), (3, 30), (NULL, 40)) i(a, c) WHERE i.a = o.b ORDER BY c LIMIT 1) ON true

-- limit_in_exists
SELECT b FROM (VALUES (BIGINT '1', 1), (2, 2), (3, 2), (NULL, 3), (7, 7)) o(b, d) WHERE EXISTS (SELECT 1 FROM (VALUES (1, 10), (2, 20), (2, 21), (3, 30), (NULL, 40)) i(a, c) WHERE i.a = o.b LIMIT 1)

-- limit_below_an_aggregate
SELECT b, (SELECT sum(c) FROM (SELECT c FROM (VALUES (1, 10), (2, 20), (2, 21), (3, 30), (NULL, 40)) i(a, c) WHERE i.a = o.b ORDER BY c LIMIT 1)) FROM (VALUES (BIGINT '1', 1), (2, 2), (3, 2), (NULL, 3), (7, 7)) o(b, d)

-- limit_with_an_outer_column_in_a_join
SELECT b, (SELECT c FROM (VALUES (1, 10), (2, 20), (2, 21), (3, 30), (NULL, 40)) i(a, c) JOIN (VALUES 1, 2) k(z) ON i.a = k.z AND k.z = o.b ORDER BY c LIMIT 1) FROM (VALUES (BIGINT '1', 1), (2, 2), (3, 2), (NULL, 3), (7, 7)) o(b, d)

-- scalar_over_union_all
SELECT t.a, (SELECT max(b) FROM (VALUES (1, 2), (1, 3)) u(k, b) WHERE u.k = t.a) FROM (SELECT 1 AS a UNION ALL SELECT 2) t

-- count_over_union_all
SELECT t.a, (SELECT count(*) FROM (VALUES (1, 2), (1, 3)) u(k, b) WHERE u.k = t.a) FROM (SELECT 1 AS a UNION ALL SELECT 2) t

-- exists_over_union_all
SELECT t.a, EXISTS (SELECT 1 FROM (VALUES 1, 3) u(k) WHERE u.k = t.a) FROM (SELECT 1 AS a UNION ALL SELECT 2) t

-- unnest_of_outer_array
SELECT (SELECT sum(x) FROM UNNEST(a) u(x)), (SELECT array_agg(x) FROM UNNEST(a) u(x)) FROM (VALUES ARRAY[1, 2], ARRAY[], NULL) t(a)

-- exists_of_both_sides_of_a_join
SELECT t.a, u.b FROM (VALUES 1, 2) t(a) JOIN (VALUES 1, 2) u(b) ON NOT EXISTS (SELECT 1 WHERE t.a = u.b)

-- scalar_of_both_sides_of_a_join
SELECT t.a, u.b FROM (VALUES 1, 2) t(a) JOIN (VALUES 1, 2) u(b) ON t.a <= u.b AND 1 = (SELECT count(*) FROM (VALUES 2, 3) v(c) WHERE c = t.a + u.b) LEFT JOIN (VALUES 5) w(d) ON d = a

-- unnested_names
SELECT k, v FROM (SELECT MAP(ARRAY[UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'], ARRAY[JSON '[1]']) AS m) t CROSS JOIN UNNEST(m) AS u(k, v)

-- unnested_digits
SELECT x FROM UNNEST(ARRAY[TIMESTAMP '2020-01-01 00:00:00', NULL]) AS t(x)

-- outer_reference_two_levels_out
SELECT x FROM (VALUES 1, 2) t(x) WHERE EXISTS (SELECT 1 FROM (VALUES 1) u(y) WHERE EXISTS (SELECT 1 FROM (VALUES 2) v(z) WHERE v.z = t.x))
