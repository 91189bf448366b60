-- add_integers
SELECT 3 + 4, BIGINT '1' + 2, SMALLINT '1' + SMALLINT '2', TINYINT '1' + 1

-- add_integer_overflow
SELECT x + 1 FROM (VALUES 2147483647) t(x)

-- add_bigint_overflow
SELECT x + 1 FROM (VALUES 9223372036854775807) t(x)

-- add_decimals
SELECT 1.25 + 0.5, x + 1 FROM (VALUES 2.50) t(x)

-- add_double_and_decimal
SELECT DOUBLE '0.1' + 0.2, REAL '1.5' + 1, REAL '1.1' + DOUBLE '1.1'

-- add_null
SELECT x + 1 FROM (VALUES 1, NULL) t(x)

-- subtract_numbers
SELECT 3 - 5, 1.5 - 2.25, DOUBLE '1' - 0.9

-- subtract_overflow
SELECT x - 1 FROM (VALUES TINYINT '-128') t(x), (VALUES TINYINT '1') u(y) WHERE x - y < 0

-- multiply_numbers
SELECT 6 * 7, 1.5 * 2.25, DOUBLE '1.1' * 3

-- multiply_overflow
SELECT x * x FROM (VALUES 100000) t(x)

-- multiply_bigint_column
SELECT x * y FROM (VALUES (BIGINT '4000000000', 2), (NULL, 1)) t(x, y)

-- divide_integers
SELECT 7 / 2, -7 / 2, 7 / -2

-- divide_integer_columns
SELECT a / b FROM (VALUES (7, 2), (-7, 2), (1, 3), (NULL, 1)) t(a, b)

-- divide_decimals
SELECT 1.0 / 3, 10.00 / 4, 7 / 2.0

-- divide_decimal_columns
SELECT a / b FROM (VALUES (1.00, 3.0), (-2.00, 3.0)) t(a, b)

-- divide_doubles
SELECT DOUBLE '1' / 3, DOUBLE '1' / 0, DOUBLE '0' / 0, REAL '1' / 3

-- divide_by_zero_integer
SELECT x / 0 FROM (VALUES 1) t(x)

-- divide_by_zero_decimal
SELECT x / 0.0 FROM (VALUES 1.0) t(x)

-- divide_by_count
SELECT 1.0 / count(*) FROM (VALUES 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) t(x)

-- remainder_integers
SELECT 7 % 3, -7 % 3, 7 % -3, BIGINT '10' % 4

-- remainder_decimals
SELECT 7.5 % 2, -7.5 % 2.0, DOUBLE '7.5' % 2

-- remainder_by_zero
SELECT 1 % x FROM (VALUES 0) t(x)

-- negate_numbers
SELECT -x FROM (VALUES 1, -1, NULL) t(x)

-- negate_decimal_and_double
SELECT -(1.50), - DOUBLE '0', -REAL '2.5'

-- negate_smallest
SELECT -x FROM (VALUES BIGINT '-9223372036854775808') t(x)

-- plus_sign
SELECT +5, +x FROM (VALUES 7, NULL) t(x)

-- plus_sign_of_a_decimal
SELECT +1.5

-- precedence
SELECT 2 + 3 * 4, (2 + 3) * 4, 10 - 4 - 3, 100 / 10 / 5, -2 * -3

-- date_plus_interval
SELECT DATE '2024-01-31' + INTERVAL '1' MONTH, DATE '2024-02-29' + INTERVAL '1' YEAR, DATE '2024-01-01' + INTERVAL '10' DAY

-- date_minus_interval
SELECT d - INTERVAL '1' MONTH, d - INTERVAL '2' DAY FROM (VALUES DATE '2024-03-31', NULL) t(d)

-- date_plus_hours
SELECT DATE '2024-01-01' + INTERVAL '1' HOUR

-- interval_plus_date
SELECT INTERVAL '3' DAY + DATE '2024-12-30'

-- timestamp_plus_interval
SELECT ts + INTERVAL '90' MINUTE, ts + INTERVAL '1' MONTH FROM (VALUES TIMESTAMP '2024-01-31 23:00:00.123') t(ts)

-- timestamp_minus_interval
SELECT TIMESTAMP '2024-03-31 01:00:00' - INTERVAL '1' MONTH, TIMESTAMP '2024-03-31 01:00:00.123456' - INTERVAL '0.5' SECOND

-- timestamp_zone_plus_interval
SELECT TIMESTAMP '2024-03-30 12:00:00 Europe/Berlin' + INTERVAL '1' DAY, TIMESTAMP '2024-03-31 01:30:00 Europe/Berlin' + INTERVAL '1' HOUR

-- time_plus_interval
SELECT TIME '23:30:00' + INTERVAL '1' HOUR, TIME '00:10:00' - INTERVAL '20' MINUTE

-- time_zone_plus_interval
SELECT TIME '23:30:00+02:00' + INTERVAL '1' HOUR

-- date_minus_date
SELECT DATE '2024-03-01' - DATE '2024-02-01'

-- timestamp_minus_timestamp
SELECT TIMESTAMP '2024-03-01 10:00:00' - TIMESTAMP '2024-02-28 09:30:00.5'

-- time_minus_time
SELECT TIME '10:00:00' - TIME '09:30:15'

-- interval_plus_interval
SELECT INTERVAL '1' DAY + INTERVAL '12' HOUR, INTERVAL '1' YEAR + INTERVAL '3' MONTH

-- interval_minus_interval
SELECT INTERVAL '1' HOUR - INTERVAL '90' MINUTE

-- interval_times_number
SELECT INTERVAL '2' DAY * 3, INTERVAL '1' MONTH * 14, 2 * INTERVAL '90' SECOND, INTERVAL '1' HOUR * 1.5

-- interval_divided
SELECT INTERVAL '1' DAY / 2, INTERVAL '15' MONTH / 4

-- negative_interval
SELECT -i FROM (VALUES INTERVAL '36' HOUR) t(i)

-- at_time_zone
SELECT TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE 'America/New_York'

-- at_time_zone_offset
SELECT t AT TIME ZONE '+05:30' FROM (VALUES TIMESTAMP '2024-01-01 20:00:00 UTC') t(t)

-- at_time_zone_without_zone
SELECT TIMESTAMP '2024-07-01 12:00:00' AT TIME ZONE 'Asia/Tokyo'

-- at_time_zone_interval
SELECT TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE INTERVAL '-8' HOUR

-- at_time_zone_unknown
SELECT TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE 'Mars/Base'

-- time_at_time_zone
SELECT TIME '12:00:00+00:00' AT TIME ZONE '+02:00'

-- subscript_array
SELECT ARRAY['a', 'b'][2], a[1] FROM (VALUES ARRAY[5, 6]) t(a)

-- subscript_array_beyond
SELECT a[3] FROM (VALUES ARRAY[5, 6]) t(a)

-- subscript_array_zero
SELECT a[0] FROM (VALUES ARRAY[5, 6]) t(a)

-- subscript_map
SELECT m['b'] FROM (VALUES MAP(ARRAY['a', 'b'], ARRAY[1, 2])) t(m)

-- subscript_map_missing_key
SELECT m['z'] FROM (VALUES MAP(ARRAY['a', 'b'], ARRAY[1, 2])) t(m)

-- subscript_row
SELECT ROW(1, 'x')[2], r[1] FROM (VALUES ROW(ROW(7, 8))) t(r)

-- concat_arrays
SELECT ARRAY[1] || ARRAY[2, 3], ARRAY[1] || 9, 9 || ARRAY[1]

-- concat_binary
SELECT X'01' || X'02'

-- concat_numbers
SELECT 1 || 2

-- and_or_not_null
SELECT a, b, a AND b, a OR b, NOT a FROM (VALUES (true, true), (true, false), (true, NULL), (false, NULL), (NULL, NULL)) t(a, b)
