-- lambda_one_argument
SELECT transform(ARRAY[1, 4], x -> sqrt(x))

-- lambda_parentheses
SELECT transform(ARRAY[1, 2], (x) -> x * x)

-- lambda_captures_column
SELECT transform(a, x -> x || s) FROM (VALUES (ARRAY['a', 'b'], '1'), (ARRAY['c'], NULL)) t(a, s)

-- lambda_shadows_column
SELECT x, transform(ARRAY[10], x -> x + 1) FROM (VALUES 1) t(x)

-- lambda_in_lambda
SELECT transform(ARRAY[1, 2], x -> reduce(ARRAY[10, 20], 0, (s, y) -> s + x * y, s -> s))

-- lambda_with_case
SELECT transform(ARRAY[1, NULL, 3], x -> CASE WHEN x IS NULL THEN 'none' ELSE CAST(x AS varchar) END)

-- lambda_with_subscript
SELECT transform(ARRAY[ROW(1, 'a'), ROW(2, 'b')], r -> r[2])

-- lambda_with_try
SELECT transform(ARRAY['1', 'x'], s -> try(CAST(s AS integer)))

-- lambda_wrong_number_of_arguments
SELECT transform(ARRAY[1], (x, y) -> x)

-- lambda_with_cast
SELECT filter(ARRAY['10', '9'], s -> CAST(s AS integer) > 9)
