-- inner_join
SELECT a.x, b.y FROM (VALUES 1, 2, NULL) a(x) JOIN (VALUES (1, 'p'), (2, 'q'), (NULL, 'r')) b(x, y) ON a.x = b.x ORDER BY 1

-- left_join
SELECT a.x, b.y FROM (VALUES 1, 2, NULL) a(x) LEFT JOIN (VALUES (1, 'p'), (3, 'q')) b(x, y) ON a.x = b.x ORDER BY 1

-- right_join
SELECT a.x, b.x FROM (VALUES 1, 2) a(x) RIGHT OUTER JOIN (VALUES 2, 3) b(x) ON a.x = b.x ORDER BY 2

-- full_join
SELECT a.x, b.x FROM (VALUES 1, 2) a(x) FULL JOIN (VALUES 2, 3) b(x) ON a.x = b.x ORDER BY coalesce(a.x, b.x)

-- cross_join
SELECT a.x, b.y FROM (VALUES 1, 2) a(x) CROSS JOIN (VALUES 'p', 'q') b(y) ORDER BY 1, 2

-- comma_join
SELECT a.x, b.y FROM (VALUES 1, 2) a(x), (VALUES 2, 3) b(y) WHERE a.x = b.y

-- join_using
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) t(k, v) JOIN (VALUES (1, 'c')) u(k, w) USING (k)

-- full_join_using
SELECT k, v, w FROM (VALUES (1, 'a'), (2, 'b')) t(k, v) FULL JOIN (VALUES (2, 'c'), (3, 'd')) u(k, w) USING (k) ORDER BY k

-- join_with_other_types
SELECT a.x, b.x FROM (VALUES 1, 2) a(x) JOIN (VALUES 1.0, 2.5) b(x) ON a.x = b.x

-- join_on_inequality
SELECT a.x, b.y FROM (VALUES 1, 2, 3) a(x) JOIN (VALUES 2, 3) b(y) ON a.x < b.y ORDER BY 1, 2

-- join_on_constant
SELECT a.x, b.y FROM (VALUES 1) a(x) LEFT JOIN (VALUES 2) b(y) ON false

-- nested_joins
SELECT a.x, b.x, c.x FROM (VALUES 1, 2) a(x) LEFT JOIN ((VALUES 1, 2) b(x) JOIN (VALUES 2) c(x) ON b.x = c.x) ON a.x = b.x ORDER BY 1

-- self_join
WITH t(x) AS (VALUES 1, 2, 3) SELECT a.x, b.x FROM t a JOIN t b ON a.x = b.x - 1 ORDER BY 1

-- lateral_join
SELECT x, y FROM (VALUES 1, 2) t(x) CROSS JOIN LATERAL (SELECT x * 10 AS y) ORDER BY x

-- left_join_lateral
SELECT x, y FROM (VALUES 1, 2) t(x) LEFT JOIN LATERAL (SELECT sum(z) AS y FROM (VALUES 2, 5) u(z) WHERE z > x) ON true ORDER BY x

-- lateral_with_aggregate
SELECT x, s FROM (VALUES 1, 2) t(x), LATERAL (SELECT sum(y) AS s FROM (VALUES 1, 2, 3) u(y) WHERE y <= x) ORDER BY x

-- unnest_cross_join
SELECT k, e FROM (VALUES (1, ARRAY['a', 'b']), (2, ARRAY[]), (3, NULL)) t(k, a) CROSS JOIN UNNEST(a) AS u(e) ORDER BY k, e

-- unnest_left_join
SELECT k, e FROM (VALUES (1, ARRAY['a', 'b']), (2, ARRAY[]), (3, NULL)) t(k, a) LEFT JOIN UNNEST(a) AS u(e) ON true ORDER BY k, e

-- unnest_with_ordinality
SELECT e, n FROM UNNEST(ARRAY['x', 'y', NULL]) WITH ORDINALITY AS t(e, n) ORDER BY n

-- unnest_several_arrays
SELECT a, b FROM UNNEST(ARRAY[1, 2, 3], ARRAY['p', 'q']) t(a, b) ORDER BY a

-- unnest_map_column
SELECT k, v FROM (VALUES MAP(ARRAY['a', 'b'], ARRAY[1, 2])) t(m) CROSS JOIN UNNEST(m) u(k, v) ORDER BY k

-- unnest_rows
SELECT a, b FROM UNNEST(ARRAY[ROW(1, 'x'), ROW(2, 'y'), NULL]) t(a, b) ORDER BY a

-- unnest_of_lambda
SELECT e FROM UNNEST(filter(ARRAY[1, 2, 3], x -> x > 1)) t(e) ORDER BY e

-- join_on_ambiguous_column
SELECT 1 FROM (VALUES 1) a(x) JOIN (VALUES 1) b(x) ON x = 1

-- join_without_condition_is_an_error
SELECT 1 FROM (VALUES 1) a(x) JOIN (VALUES 1) b(y)

-- right_join_lateral
SELECT * FROM (VALUES 1, 2) t(a) RIGHT JOIN LATERAL (VALUES 3, 4) u(b) ON TRUE

-- full_join_lateral
SELECT * FROM (VALUES 1, 2) t(a) FULL JOIN LATERAL (SELECT b FROM (VALUES 1, 3) v(b) WHERE b = a) u(b) ON TRUE

-- full_join_lateral_no_rows
SELECT * FROM (SELECT 1 WHERE FALSE) t(a) FULL JOIN LATERAL (VALUES 2) u(b) ON TRUE

-- right_join_unnest
SELECT * FROM (VALUES (1, ARRAY[5, 6]), (2, NULL)) t(a, b) RIGHT JOIN UNNEST(b) u(x) ON TRUE

-- full_join_unnest
SELECT * FROM (VALUES (1, ARRAY[5, 6]), (2, NULL)) t(a, b) FULL JOIN UNNEST(b) u(x) ON TRUE

-- full_join_lateral_rows
SELECT * FROM (VALUES 1, 2) t(a) FULL JOIN LATERAL (SELECT b FROM (VALUES 1, 3) v(b) WHERE b > 1) u(b) ON TRUE

-- right_join_unnest_constant
SELECT * FROM (VALUES 1, 2) t(a) RIGHT JOIN UNNEST(ARRAY[5, 6]) u(x) ON TRUE
