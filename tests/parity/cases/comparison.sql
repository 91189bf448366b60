-- compare_integers
SELECT a < b, a <= b, a > b, a >= b, a = b, a <> b, a != b FROM (VALUES (1, 2), (2, 2), (NULL, 1)) t(a, b)

-- compare_texts
SELECT a < b, a = b FROM (VALUES ('a', 'b'), ('A', 'a'), ('a', 'a '), ('ä', 'z')) t(a, b)

-- compare_chars_ignore_padding
SELECT CAST('a' AS char(3)) = CAST('a' AS char(5)), CAST('a' AS char(3)) = 'a', CAST('a' AS char(3)) = 'a  '

-- compare_char_columns
SELECT c = v FROM (VALUES (CAST('ab' AS char(4)), 'ab'), (CAST('ab' AS char(4)), 'ab  ')) t(c, v)

-- compare_mixed_numbers
SELECT 1 = 1.0, 1.5 > 1, BIGINT '3' = DOUBLE '3', REAL '0.1' = DOUBLE '0.1', 0.1 = DOUBLE '0.1'

-- compare_dates
SELECT DATE '2024-01-01' < TIMESTAMP '2024-01-01 00:00:01', d = DATE '2024-02-29' FROM (VALUES DATE '2024-02-29') t(d)

-- compare_zoned_timestamps
SELECT TIMESTAMP '2024-01-01 12:00:00 +02:00' = TIMESTAMP '2024-01-01 10:00:00 UTC'

-- compare_times
SELECT TIME '10:00:00' < TIME '10:00:00.001', TIME '10:00:00+01:00' = TIME '09:00:00+00:00'

-- compare_booleans
SELECT true > false, x = true FROM (VALUES true, false, NULL) t(x)

-- compare_varbinary
SELECT X'01' < X'0100', X'ff' > X'7f'

-- compare_arrays
SELECT ARRAY[1, 2] < ARRAY[1, 3], ARRAY[1] < ARRAY[1, 0], ARRAY[1, NULL] = ARRAY[1, NULL], ARRAY[1, 2] = ARRAY[1, 2, 3]

-- compare_array_with_null_order
SELECT ARRAY[1, NULL] < ARRAY[1, 2]

-- compare_rows
SELECT ROW(1, 'a') = ROW(1, 'a'), ROW(1, 2) < ROW(1, 3), ROW(1, NULL) = ROW(2, NULL), ROW(1, NULL) = ROW(1, NULL)

-- compare_maps
SELECT MAP(ARRAY[1, 2], ARRAY['a', 'b']) = MAP(ARRAY[2, 1], ARRAY['b', 'a']), MAP(ARRAY[1], ARRAY['a']) <> MAP(ARRAY[1], ARRAY['b'])

-- compare_text_with_number
SELECT '1' = 1

-- compare_intervals
SELECT INTERVAL '1' DAY = INTERVAL '24' HOUR, INTERVAL '13' MONTH > INTERVAL '1' YEAR

-- between_integers
SELECT x, x BETWEEN 2 AND 4, x NOT BETWEEN 2 AND 4 FROM (VALUES 1, 2, 4, 5, NULL) t(x) ORDER BY x

-- between_null_bound
SELECT 3 BETWEEN 4 AND NULL, 3 BETWEEN 2 AND NULL

-- between_texts
SELECT 'paul' BETWEEN 'john' AND 'ringo'

-- between_reversed
SELECT 3 BETWEEN 4 AND 2

-- is_null
SELECT x IS NULL, x IS NOT NULL FROM (VALUES 1, NULL) t(x)

-- is_null_row
SELECT ROW(NULL, NULL) IS NULL, ROW(1, NULL) IS NOT NULL

-- is_distinct_from
SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b FROM (VALUES (1, 1), (1, 2), (NULL, 1), (NULL, NULL)) t(a, b)

-- greatest_numbers
SELECT greatest(1, 5, 3), greatest(1.5, 2), greatest('a', 'B')

-- greatest_null
SELECT greatest(a, b) FROM (VALUES (1, 2), (1, NULL)) t(a, b)

-- greatest_nan
SELECT greatest(DOUBLE '1', nan()), greatest(nan(), infinity())

-- greatest_dates
SELECT greatest(DATE '2024-01-01', DATE '2023-01-01'), greatest(TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-01 00:00:00.1')

-- greatest_one
SELECT greatest(7)

-- least_numbers
SELECT least(1, 5, 3), least(1.5, 2), least('a', 'B')

-- least_null
SELECT least(a, b) FROM (VALUES (1, 2), (NULL, 2)) t(a, b)

-- least_nan
SELECT least(DOUBLE '1', nan())

-- greater_than_all
SELECT x, x > ALL (VALUES 1, 2) FROM (VALUES 1, 2, 3, NULL) t(x) ORDER BY x

-- less_than_any
SELECT x, x < ANY (VALUES 2, 3) FROM (VALUES 1, 3, NULL) t(x) ORDER BY x

-- equal_some
SELECT x = SOME (VALUES 2, NULL) FROM (VALUES 1, 2) t(x)

-- equal_any
SELECT 5 = ANY (VALUES 4, 5), 5 <> ANY (VALUES 5)

-- not_equal_all
SELECT 5 <> ALL (VALUES 4, 6), 5 <> ALL (VALUES 5, 6)

-- compare_all_empty
SELECT 5 > ALL (SELECT x FROM (VALUES 9) t(x) WHERE x < 0), 5 > ANY (SELECT x FROM (VALUES 9) t(x) WHERE x < 0)

-- less_or_equal_all_with_null
SELECT 1 <= ALL (VALUES 2, NULL), 3 <= ALL (VALUES 2, NULL)

-- in_list
SELECT x IN (1, 3), x NOT IN (1, 3) FROM (VALUES 1, 2, NULL) t(x)

-- in_list_with_null
SELECT 1 IN (1, NULL), 2 IN (1, NULL), 2 NOT IN (1, NULL)

-- in_list_of_expressions
SELECT a FROM (VALUES (1, 2), (3, 3)) t(a, b) WHERE a IN (b, 10)

-- in_list_mixed_types
SELECT 1 IN (1.0, 2.5), 'a' IN (CAST('a' AS char(2)))

-- in_rows
SELECT (1, 'a') IN ((1, 'a'), (2, 'b'))

-- two_floating_constants
SELECT 17.1E0 < 37.7E0, 1E0 = 1E0, 2E0 >= 3E0, REAL '1' < REAL '2', 1E0 BETWEEN 0E0 AND 2E0, 1E0 IN (2E0, 1E0), 1E0 <> 1E0, REAL '1.5' > 1.25E0, nan() = nan()
