-- case_simple
SELECT x, CASE x WHEN 1 THEN 'one' WHEN 2 THEN 'two' ELSE 'many' END FROM (VALUES 1, 2, 3, NULL) t(x) ORDER BY x

-- case_without_else
SELECT CASE x WHEN 1 THEN 10 END FROM (VALUES 1, 2) t(x)

-- case_searched
SELECT CASE WHEN x < 0 THEN 'less' WHEN x = 0 THEN 'zero' ELSE 'more' END FROM (VALUES -1, 0, 1, NULL) t(x)

-- case_common_type
SELECT CASE WHEN true THEN 1 ELSE 2.5 END, CASE WHEN x THEN 1 ELSE BIGINT '5' END FROM (VALUES true) t(x)

-- case_null_operand
SELECT CASE CAST(NULL AS integer) WHEN NULL THEN 'a' ELSE 'b' END

-- case_types_do_not_match
SELECT CASE WHEN true THEN 1 ELSE 'a' END

-- case_does_not_evaluate_others
SELECT CASE WHEN x = 0 THEN 0 ELSE 10 / x END FROM (VALUES 0, 5) t(x)

-- if_two_arguments
SELECT if(x > 1, 'yes') FROM (VALUES 1, 2, NULL) t(x)

-- if_three_arguments
SELECT if(x > 1, 1, 2.5) FROM (VALUES 1, 2, NULL) t(x)

-- coalesce_first
SELECT coalesce(NULL, 2, 3), coalesce(CAST(NULL AS varchar), 'b')

-- coalesce_column
SELECT coalesce(a, b, 0.5) FROM (VALUES (1, 2), (NULL, 2), (NULL, NULL)) t(a, b)

-- coalesce_one_argument
SELECT coalesce(1)

-- nullif_values
SELECT nullif(1, 1), nullif(1, 2), nullif('a', 'b')

-- nullif_column
SELECT nullif(a, b) FROM (VALUES (1, 1.0), (2, 3.5), (NULL, 1)) t(a, b)

-- try_division
SELECT try(10 / x) FROM (VALUES 0, 2, NULL) t(x)

-- try_cast_error
SELECT try(CAST(s AS integer)) FROM (VALUES '1', 'x', NULL) t(s)

-- try_overflow
SELECT try(x * 2) FROM (VALUES 2000000000, 5) t(x)

-- try_array_index
SELECT try(ARRAY[1][5]), try(MAP(ARRAY['a'], ARRAY[1])['b'])

-- try_with_coalesce
SELECT coalesce(try(CAST(s AS double)), DOUBLE '0') FROM (VALUES '1.5', 'abc') t(s)

-- try_function_error
SELECT try(json_parse('{')), try(date_parse('x', '%Y'))
