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

-- variable_is_address
SELECT transform(ARRAY[IPADDRESS '10.0.0.1'], x -> CAST(x AS varbinary)), any_match(ARRAY[IPADDRESS '10.0.0.1'], x -> x = IPADDRESS '10.0.0.1')

-- variable_has_digits
SELECT transform(a, x -> CAST(x AS varchar)), transform(a, x -> x), filter(a, x -> true), zip_with(a, ARRAY[1], (x, y) -> x) FROM (VALUES ARRAY[TIMESTAMP '2020-01-01 00:00:00']) t(a)

-- map_variables_have_digits
SELECT map_filter(m, (k, v) -> true), transform_values(m, (k, v) -> CAST(v AS varchar)), transform_keys(m, (k, v) -> v) FROM (VALUES MAP(ARRAY['a'], ARRAY[TIMESTAMP '2020-01-01 00:00:00.12'])) t(m)

-- reduce_of_timestamps
SELECT reduce(ARRAY[TIMESTAMP '2020-01-01 00:00:00'], TIMESTAMP '2019-01-01 00:00:00', (s, x) -> greatest(s, x), s -> s)

-- inner_variable_of_the_same_name
SELECT transform(ARRAY[IPADDRESS '10.0.0.1'], x -> transform(ARRAY['a'], x -> upper(x)))

-- field_of_a_row
SELECT transform(ARRAY[ROW(TIMESTAMP '2020-01-01 00:00:00', 1)], r -> r[1])
