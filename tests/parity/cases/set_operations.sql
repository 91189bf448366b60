-- union_distinct
SELECT x FROM (VALUES 1, 2, NULL) t(x) UNION SELECT y FROM (VALUES 2, 3, NULL) u(y) ORDER BY 1

-- union_all
SELECT 1 AS x UNION ALL SELECT 1 UNION ALL SELECT NULL ORDER BY x

-- union_common_type
SELECT 1 AS x UNION ALL SELECT 2.5 ORDER BY x

-- union_texts
SELECT 'a' AS x UNION SELECT 'abc' ORDER BY x

-- union_types_do_not_match
SELECT 1 UNION SELECT 'a'

-- union_other_number_of_columns
SELECT 1 UNION SELECT 1, 2

-- intersect_distinct
SELECT x FROM (VALUES 1, 1, 2, NULL) t(x) INTERSECT SELECT y FROM (VALUES 1, NULL, 3) u(y) ORDER BY 1

-- intersect_all
SELECT x FROM (VALUES 1, 1, 1, 2) t(x) INTERSECT ALL SELECT y FROM (VALUES 1, 1, 3) u(y) ORDER BY 1

-- except_distinct
SELECT x FROM (VALUES 1, 1, 2, NULL) t(x) EXCEPT SELECT y FROM (VALUES 2, NULL) u(y)

-- except_all
SELECT x FROM (VALUES 1, 1, 1, 2) t(x) EXCEPT ALL SELECT y FROM (VALUES 1, 2) u(y) ORDER BY 1

-- intersect_binds_tighter
VALUES 1 UNION ALL VALUES 2 INTERSECT VALUES 2

-- set_operations_in_parentheses
(VALUES 1 UNION ALL VALUES 2) INTERSECT VALUES 2

-- union_with_limit
SELECT * FROM ((SELECT x FROM (VALUES 3, 1) t(x) ORDER BY x LIMIT 1) UNION ALL VALUES 9) ORDER BY 1

-- union_corresponding
SELECT 1 AS a, 'x' AS b UNION CORRESPONDING SELECT 'y' AS b, 2 AS a

-- union_of_nan
SELECT nan() AS x UNION SELECT nan()

-- union_in_subquery
SELECT count(*) FROM (SELECT 1 UNION SELECT 1 UNION SELECT 2)

-- except_corresponding
SELECT 1 AS a, 2 AS b EXCEPT CORRESPONDING SELECT 2 AS b, 5 AS c

-- corresponding_star
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) t(x, y) INTERSECT CORRESPONDING SELECT * FROM (VALUES ('a', 1), ('b', 3)) t(y, x)

-- corresponding_star_one_column
SELECT * FROM (VALUES ('a', 1)) t(y, x) UNION ALL CORRESPONDING SELECT 3 AS x

-- values_union_in_from
SELECT * FROM (VALUES 1, 2 UNION VALUES 2, 3) t(v)

-- values_except_in_from
SELECT v + 1 FROM ((VALUES 1, 2 EXCEPT VALUES 2) UNION ALL VALUES 5) t(v)
