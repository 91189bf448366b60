-- values_one_column
VALUES 1, 2, NULL

-- values_rows
VALUES (1, 'a'), (2, NULL)

-- values_expressions
VALUES (1 + 1, upper('a')), (abs(-5), 'b' || 'c')

-- values_in_from
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t (id, name) ORDER BY id

-- values_without_column_names
SELECT * FROM (VALUES (1, 'a'))

-- values_common_type
VALUES 1, 2.5, BIGINT '3'

-- values_order_and_limit
VALUES 3, 1, 2 ORDER BY 1 LIMIT 2

-- values_other_sizes
VALUES (1, 2), (3)

-- values_nested_types
VALUES (ARRAY[1], MAP(ARRAY['a'], ARRAY[1.5]), ROW(1, 'x'))

-- values_of_nulls
SELECT x, y FROM (VALUES (NULL, NULL)) t(x, y)

-- values_with_row_keyword
SELECT * FROM (VALUES ROW(1, 'a'), ROW(2, 'b')) t(x, y) ORDER BY x

-- ordered_in_from
SELECT * FROM (VALUES (1, 'b'), (2, 'a') ORDER BY 2 LIMIT 1) t(a, b)

-- offset_in_from
SELECT * FROM (VALUES 1, 1, 1 OFFSET 1 ROW FETCH FIRST 5 ROWS ONLY) t(a)

-- from_without_parentheses
SELECT * FROM VALUES 1, 2

-- join_without_parentheses
SELECT * FROM (VALUES 1) t(x) CROSS JOIN VALUES 2
