-- group_by_column
SELECT k, sum(v) FROM (VALUES ('a', 1), ('b', 2), ('a', 3)) t(k, v) GROUP BY k ORDER BY k

-- group_by_position
SELECT k, count(*) FROM (VALUES 'a', 'b', 'a') t(k) GROUP BY 1 ORDER BY 1

-- group_by_expression
SELECT x % 2, count(*) FROM (VALUES 1, 2, 3) t(x) GROUP BY x % 2 ORDER BY 1

-- group_by_alias_is_an_error
SELECT x % 2 AS y, count(*) FROM (VALUES 1, 2, 3) t(x) GROUP BY y

-- group_by_not_selected
SELECT count(*) FROM (VALUES 'a', 'b', 'a') t(k) GROUP BY k ORDER BY 1

-- grouping_sets
SELECT a, b, sum(v) FROM (VALUES ('x', 'p', 1), ('x', 'q', 2), ('y', 'p', 4)) t(a, b, v) GROUP BY GROUPING SETS ((a, b), (a), ()) ORDER BY a, b, 3

-- cube
SELECT a, b, sum(v) FROM (VALUES ('x', 'p', 1), ('y', 'p', 4)) t(a, b, v) GROUP BY CUBE (a, b) ORDER BY a, b, 3

-- rollup
SELECT a, b, sum(v) FROM (VALUES ('x', 'p', 1), ('y', 'p', 4)) t(a, b, v) GROUP BY ROLLUP (a, b) ORDER BY a, b, 3

-- combined_grouping_sets
SELECT a, b, c, count(*) FROM (VALUES (1, 2, 3), (1, 2, 4)) t(a, b, c) GROUP BY GROUPING SETS ((a), (b)), ROLLUP (c) ORDER BY a, b, c

-- group_by_distinct_sets
SELECT a, b, count(*) FROM (VALUES (1, 2), (1, 3)) t(a, b) GROUP BY DISTINCT ROLLUP (a, b), ROLLUP (a) ORDER BY a, b

-- group_by_all_sets
SELECT a, count(*) FROM (VALUES 1, 2) t(a) GROUP BY ALL GROUPING SETS ((a), (a)) ORDER BY a

-- grouping_function
SELECT a, b, grouping(a), grouping(b), grouping(a, b) FROM (VALUES ('x', 'p')) t(a, b) GROUP BY CUBE (a, b) ORDER BY 5

-- grouping_with_null_values
SELECT a, grouping(a), count(*) FROM (VALUES 'x', NULL) t(a) GROUP BY ROLLUP (a) ORDER BY 2, 1

-- empty_grouping_set_of_nothing
SELECT count(*), sum(x) FROM (VALUES 1) t(x) WHERE false GROUP BY ()

-- grouping_sets_of_nothing
SELECT x, count(*) FROM (VALUES 1) t(x) WHERE false GROUP BY GROUPING SETS ((x), ())

-- group_by_of_nothing
SELECT x, count(*) FROM (VALUES 1) t(x) WHERE false GROUP BY x

-- having_without_group_by
SELECT sum(x) FROM (VALUES 1, 2) t(x) HAVING sum(x) > 5

-- having_with_aggregate
SELECT k, avg(v) FROM (VALUES ('a', 1), ('b', 5), ('b', 7)) t(k, v) GROUP BY k HAVING avg(v) > 2 AND count(*) = 2

-- group_by_array_and_row
SELECT a, count(*) FROM (VALUES ARRAY[1, NULL], ARRAY[1, NULL], ARRAY[2]) t(a) GROUP BY a ORDER BY 2

-- group_by_nan_and_zero
SELECT x, count(*) FROM (VALUES nan(), nan(), DOUBLE '0', DOUBLE '-0') t(x) GROUP BY x ORDER BY 2, 1

-- group_by_char
SELECT c, count(*) FROM (VALUES CAST('a' AS char(2)), CAST('a ' AS char(2))) t(c) GROUP BY c

-- distinct_aggregates_with_groups
SELECT k, count(DISTINCT v), sum(DISTINCT v), count(*) FROM (VALUES ('a', 1), ('a', 1), ('b', 2), ('b', NULL)) t(k, v) GROUP BY k ORDER BY k

-- group_by_auto
SELECT x, count(*) FROM (VALUES 1, 2, 2) t(x) GROUP BY AUTO ORDER BY x

-- group_by_nothing_without_aggregate
SELECT 5 FROM (VALUES 1, 2) t(x) WHERE false GROUP BY ()

-- having_sees_columns_of_tables
SELECT max(x) AS x FROM (VALUES 1, 2, 3) t(x) GROUP BY x HAVING x > 1 ORDER BY x

-- having_alias_is_an_error
SELECT count(*) AS c FROM (VALUES 1) t(x) HAVING c > 0

-- group_by_distinct_cube
SELECT a, b, count(*) FROM (VALUES (1, 2)) t(a, b) GROUP BY DISTINCT CUBE (a, b), ROLLUP (b) ORDER BY a, b

-- grouping_of_plain_columns
SELECT a, b, grouping(a), grouping(b, a) FROM (VALUES (1, 2), (1, 2), (3, 4)) t(a, b) GROUP BY a, b
