-- boolean_as_tinyint
SELECT CAST(x AS tinyint) FROM (VALUES true, false, NULL) t(x)

-- boolean_as_smallint
SELECT CAST(x AS smallint) FROM (VALUES true, false, NULL) t(x)

-- boolean_as_integer
SELECT CAST(x AS integer) FROM (VALUES true, false, NULL) t(x)

-- boolean_as_bigint
SELECT CAST(x AS bigint) FROM (VALUES true, false, NULL) t(x)

-- boolean_as_real
SELECT CAST(x AS real) FROM (VALUES true, false, NULL) t(x)

-- boolean_as_double
SELECT CAST(x AS double) FROM (VALUES true, false, NULL) t(x)

-- boolean_as_decimal_6_1
SELECT CAST(x AS decimal(6, 1)) FROM (VALUES true, false, NULL) t(x)

-- boolean_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES true, false, NULL) t(x)

-- boolean_as_json
SELECT CAST(x AS json) FROM (VALUES true, false, NULL) t(x)

-- tinyint_as_boolean
SELECT CAST(x AS boolean) FROM (VALUES TINYINT '7', TINYINT '-128', NULL) t(x)

-- tinyint_as_smallint
SELECT CAST(x AS smallint) FROM (VALUES TINYINT '7', TINYINT '-128', NULL) t(x)

-- tinyint_as_integer
SELECT CAST(x AS integer) FROM (VALUES TINYINT '7', TINYINT '-128', NULL) t(x)

-- tinyint_as_bigint
SELECT CAST(x AS bigint) FROM (VALUES TINYINT '7', TINYINT '-128', NULL) t(x)

-- tinyint_as_real
SELECT CAST(x AS real) FROM (VALUES TINYINT '7', TINYINT '-128', NULL) t(x)

-- tinyint_as_double
SELECT CAST(x AS double) FROM (VALUES TINYINT '7', TINYINT '-128', NULL) t(x)

-- tinyint_as_decimal_6_1
SELECT CAST(x AS decimal(6, 1)) FROM (VALUES TINYINT '7', TINYINT '-128', NULL) t(x)

-- tinyint_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES TINYINT '7', TINYINT '-128', NULL) t(x)

-- tinyint_as_json
SELECT CAST(x AS json) FROM (VALUES TINYINT '7', TINYINT '-128', NULL) t(x)

-- smallint_as_boolean
SELECT CAST(x AS boolean) FROM (VALUES SMALLINT '0', SMALLINT '127', NULL) t(x)

-- smallint_as_tinyint
SELECT CAST(x AS tinyint) FROM (VALUES SMALLINT '0', SMALLINT '127', NULL) t(x)

-- smallint_as_integer
SELECT CAST(x AS integer) FROM (VALUES SMALLINT '0', SMALLINT '127', NULL) t(x)

-- smallint_as_bigint
SELECT CAST(x AS bigint) FROM (VALUES SMALLINT '0', SMALLINT '127', NULL) t(x)

-- smallint_as_real
SELECT CAST(x AS real) FROM (VALUES SMALLINT '0', SMALLINT '127', NULL) t(x)

-- smallint_as_double
SELECT CAST(x AS double) FROM (VALUES SMALLINT '0', SMALLINT '127', NULL) t(x)

-- smallint_as_decimal_6_1
SELECT CAST(x AS decimal(6, 1)) FROM (VALUES SMALLINT '0', SMALLINT '127', NULL) t(x)

-- smallint_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES SMALLINT '0', SMALLINT '127', NULL) t(x)

-- smallint_as_json
SELECT CAST(x AS json) FROM (VALUES SMALLINT '0', SMALLINT '127', NULL) t(x)

-- integer_as_boolean
SELECT CAST(x AS boolean) FROM (VALUES 1, -45, NULL) t(x)

-- integer_as_tinyint
SELECT CAST(x AS tinyint) FROM (VALUES 1, -45, NULL) t(x)

-- integer_as_smallint
SELECT CAST(x AS smallint) FROM (VALUES 1, -45, NULL) t(x)

-- integer_as_bigint
SELECT CAST(x AS bigint) FROM (VALUES 1, -45, NULL) t(x)

-- integer_as_real
SELECT CAST(x AS real) FROM (VALUES 1, -45, NULL) t(x)

-- integer_as_double
SELECT CAST(x AS double) FROM (VALUES 1, -45, NULL) t(x)

-- integer_as_decimal_6_1
SELECT CAST(x AS decimal(6, 1)) FROM (VALUES 1, -45, NULL) t(x)

-- integer_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES 1, -45, NULL) t(x)

-- integer_as_char_5
SELECT CAST(x AS char(5)) FROM (VALUES 1, -45, NULL) t(x)

-- integer_as_json
SELECT CAST(x AS json) FROM (VALUES 1, -45, NULL) t(x)

-- bigint_as_boolean
SELECT CAST(x AS boolean) FROM (VALUES BIGINT '0', BIGINT '100', NULL) t(x)

-- bigint_as_tinyint
SELECT CAST(x AS tinyint) FROM (VALUES BIGINT '0', BIGINT '100', NULL) t(x)

-- bigint_as_smallint
SELECT CAST(x AS smallint) FROM (VALUES BIGINT '0', BIGINT '100', NULL) t(x)

-- bigint_as_integer
SELECT CAST(x AS integer) FROM (VALUES BIGINT '0', BIGINT '100', NULL) t(x)

-- bigint_as_real
SELECT CAST(x AS real) FROM (VALUES BIGINT '0', BIGINT '100', NULL) t(x)

-- bigint_as_double
SELECT CAST(x AS double) FROM (VALUES BIGINT '0', BIGINT '100', NULL) t(x)

-- bigint_as_decimal_6_1
SELECT CAST(x AS decimal(6, 1)) FROM (VALUES BIGINT '0', BIGINT '100', NULL) t(x)

-- bigint_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES BIGINT '0', BIGINT '100', NULL) t(x)

-- bigint_as_json
SELECT CAST(x AS json) FROM (VALUES BIGINT '0', BIGINT '100', NULL) t(x)

-- real_as_boolean
SELECT CAST(x AS boolean) FROM (VALUES REAL '1.5', REAL '-2.5', REAL '100.1', NULL) t(x)

-- real_as_tinyint
SELECT CAST(x AS tinyint) FROM (VALUES REAL '1.5', REAL '-2.5', REAL '100.1', NULL) t(x)

-- real_as_smallint
SELECT CAST(x AS smallint) FROM (VALUES REAL '1.5', REAL '-2.5', REAL '100.1', NULL) t(x)

-- real_as_integer
SELECT CAST(x AS integer) FROM (VALUES REAL '1.5', REAL '-2.5', REAL '100.1', NULL) t(x)

-- real_as_bigint
SELECT CAST(x AS bigint) FROM (VALUES REAL '1.5', REAL '-2.5', REAL '100.1', NULL) t(x)

-- real_as_double
SELECT CAST(x AS double) FROM (VALUES REAL '1.5', REAL '-2.5', REAL '100.1', NULL) t(x)

-- real_as_decimal_6_1
SELECT CAST(x AS decimal(6, 1)) FROM (VALUES REAL '1.5', REAL '-2.5', REAL '100.1', NULL) t(x)

-- real_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES REAL '1.5', REAL '-2.5', REAL '100.1', NULL) t(x)

-- real_as_json
SELECT CAST(x AS json) FROM (VALUES REAL '1.5', REAL '-2.5', REAL '100.1', NULL) t(x)

-- double_as_boolean
SELECT CAST(x AS boolean) FROM (VALUES DOUBLE '2.5', DOUBLE '-0.5', DOUBLE '1e2', NULL) t(x)

-- double_as_tinyint
SELECT CAST(x AS tinyint) FROM (VALUES DOUBLE '2.5', DOUBLE '-0.5', DOUBLE '1e2', NULL) t(x)

-- double_as_smallint
SELECT CAST(x AS smallint) FROM (VALUES DOUBLE '2.5', DOUBLE '-0.5', DOUBLE '1e2', NULL) t(x)

-- double_as_integer
SELECT CAST(x AS integer) FROM (VALUES DOUBLE '2.5', DOUBLE '-0.5', DOUBLE '1e2', NULL) t(x)

-- double_as_bigint
SELECT CAST(x AS bigint) FROM (VALUES DOUBLE '2.5', DOUBLE '-0.5', DOUBLE '1e2', NULL) t(x)

-- double_as_real
SELECT CAST(x AS real) FROM (VALUES DOUBLE '2.5', DOUBLE '-0.5', DOUBLE '1e2', NULL) t(x)

-- double_as_decimal_6_1
SELECT CAST(x AS decimal(6, 1)) FROM (VALUES DOUBLE '2.5', DOUBLE '-0.5', DOUBLE '1e2', NULL) t(x)

-- double_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES DOUBLE '2.5', DOUBLE '-0.5', DOUBLE '1e2', NULL) t(x)

-- double_as_json
SELECT CAST(x AS json) FROM (VALUES DOUBLE '2.5', DOUBLE '-0.5', DOUBLE '1e2', NULL) t(x)

-- decimal_as_boolean
SELECT CAST(x AS boolean) FROM (VALUES 2.50, -0.49, 99.99, NULL) t(x)

-- decimal_as_tinyint
SELECT CAST(x AS tinyint) FROM (VALUES 2.50, -0.49, 99.99, NULL) t(x)

-- decimal_as_smallint
SELECT CAST(x AS smallint) FROM (VALUES 2.50, -0.49, 99.99, NULL) t(x)

-- decimal_as_integer
SELECT CAST(x AS integer) FROM (VALUES 2.50, -0.49, 99.99, NULL) t(x)

-- decimal_as_bigint
SELECT CAST(x AS bigint) FROM (VALUES 2.50, -0.49, 99.99, NULL) t(x)

-- decimal_as_real
SELECT CAST(x AS real) FROM (VALUES 2.50, -0.49, 99.99, NULL) t(x)

-- decimal_as_double
SELECT CAST(x AS double) FROM (VALUES 2.50, -0.49, 99.99, NULL) t(x)

-- decimal_as_decimal_6_1
SELECT CAST(x AS decimal(6, 1)) FROM (VALUES 2.50, -0.49, 99.99, NULL) t(x)

-- decimal_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES 2.50, -0.49, 99.99, NULL) t(x)

-- decimal_as_json
SELECT CAST(x AS json) FROM (VALUES 2.50, -0.49, 99.99, NULL) t(x)

-- varchar_as_boolean
SELECT CAST(x AS boolean) FROM (VALUES 'true', 'F', '1', NULL) t(x)

-- varchar_as_tinyint
SELECT CAST(x AS tinyint) FROM (VALUES '12', '-128', NULL) t(x)

-- varchar_as_smallint
SELECT CAST(x AS smallint) FROM (VALUES '12', '+7', NULL) t(x)

-- varchar_as_integer
SELECT CAST(x AS integer) FROM (VALUES '12', '-7', NULL) t(x)

-- varchar_as_bigint
SELECT CAST(x AS bigint) FROM (VALUES '9223372036854775807', '-1', NULL) t(x)

-- varchar_as_real
SELECT CAST(x AS real) FROM (VALUES '1.1', 'NaN', '1e-3', '-Infinity') t(x)

-- varchar_as_double
SELECT CAST(x AS double) FROM (VALUES '1.1', 'Infinity', '1E3', NULL) t(x)

-- varchar_as_decimal_5_2
SELECT CAST(x AS decimal(5, 2)) FROM (VALUES '1.005', '-12', '1e1', NULL) t(x)

-- varchar_as_varchar_2
SELECT CAST(x AS varchar(2)) FROM (VALUES 'abc', 'a', NULL) t(x)

-- varchar_as_char_3
SELECT CAST(x AS char(3)) FROM (VALUES 'abcd', 'a', NULL) t(x)

-- varchar_as_varbinary
SELECT CAST(x AS varbinary) FROM (VALUES 'abc', 'ä', NULL) t(x)

-- varchar_as_json
SELECT CAST(x AS json) FROM (VALUES 'a', '1', NULL) t(x)

-- varchar_as_date
SELECT CAST(x AS date) FROM (VALUES '2024-01-02', ' 2024-1-2 ', NULL) t(x)

-- varchar_as_time
SELECT CAST(x AS time) FROM (VALUES '01:02:03.456', '10:11', NULL) t(x)

-- varchar_as_time_6
SELECT CAST(x AS time(6)) FROM (VALUES '01:02:03.456789', '23:59:59', NULL) t(x)

-- varchar_as_time_with_time_zone
SELECT CAST(x AS time with time zone) FROM (VALUES '01:02:03.456+02:00', '10:11 -03:00', NULL) t(x)

-- varchar_as_timestamp
SELECT CAST(x AS timestamp) FROM (VALUES '2024-01-02 03:04:05.6789', '2024-01-02', NULL) t(x)

-- varchar_as_timestamp_0
SELECT CAST(x AS timestamp(0)) FROM (VALUES '2024-01-02 03:04:05.5', NULL) t(x)

-- varchar_as_timestamp_with_time_zone
SELECT CAST(x AS timestamp with time zone) FROM (VALUES '2024-01-02 03:04:05.678 Europe/Berlin', '2024-01-02 03:04:05', NULL) t(x)

-- varchar_as_interval_day_to_second
SELECT CAST(x AS interval day to second) FROM (VALUES '1 00:00:00.000', NULL) t(x)

-- varchar_as_uuid
SELECT CAST(x AS uuid) FROM (VALUES '00000000-0000-0000-0000-00000000000A', NULL) t(x)

-- varchar_as_ipaddress
SELECT CAST(x AS ipaddress) FROM (VALUES '::1', NULL) t(x)

-- char_as_integer
SELECT CAST(x AS integer) FROM (VALUES CAST('12' AS char(12)), NULL) t(x)

-- char_value_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES CAST('ab' AS char(4)), NULL) t(x)

-- char_value_as_char_2
SELECT CAST(x AS char(2)) FROM (VALUES CAST('ab' AS char(4)), NULL) t(x)

-- char_value_as_varchar_2
SELECT CAST(x AS varchar(2)) FROM (VALUES CAST('ab' AS char(4)), NULL) t(x)

-- date_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES DATE '2024-03-31', DATE '1969-12-31', NULL) t(x)

-- date_as_date
SELECT CAST(x AS date) FROM (VALUES DATE '2024-03-31', DATE '1969-12-31', NULL) t(x)

-- date_as_time
SELECT CAST(x AS time) FROM (VALUES DATE '2024-03-31', DATE '1969-12-31', NULL) t(x)

-- date_as_timestamp
SELECT CAST(x AS timestamp) FROM (VALUES DATE '2024-03-31', DATE '1969-12-31', NULL) t(x)

-- date_as_timestamp_0
SELECT CAST(x AS timestamp(0)) FROM (VALUES DATE '2024-03-31', DATE '1969-12-31', NULL) t(x)

-- date_as_timestamp_6
SELECT CAST(x AS timestamp(6)) FROM (VALUES DATE '2024-03-31', DATE '1969-12-31', NULL) t(x)

-- date_as_timestamp_9
SELECT CAST(x AS timestamp(9)) FROM (VALUES DATE '2024-03-31', DATE '1969-12-31', NULL) t(x)

-- date_as_timestamp_with_time_zone
SELECT CAST(x AS timestamp with time zone) FROM (VALUES DATE '2024-03-31', DATE '1969-12-31', NULL) t(x)

-- date_as_timestamp_6_with_time_zone
SELECT CAST(x AS timestamp(6) with time zone) FROM (VALUES DATE '2024-03-31', DATE '1969-12-31', NULL) t(x)

-- date_as_json
SELECT CAST(x AS json) FROM (VALUES DATE '2024-03-31', DATE '1969-12-31', NULL) t(x)

-- time_3_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_date
SELECT CAST(x AS date) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_time
SELECT CAST(x AS time) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_time_0
SELECT CAST(x AS time(0)) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_time_6
SELECT CAST(x AS time(6)) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_time_with_time_zone
SELECT CAST(x AS time with time zone) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_timestamp
SELECT CAST(x AS timestamp) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp)) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_timestamp_0
SELECT CAST(x AS timestamp(0)) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp(0))) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_timestamp_6
SELECT CAST(x AS timestamp(6)) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp(6))) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_timestamp_9
SELECT CAST(x AS timestamp(9)) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp(9))) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_timestamp_with_time_zone
SELECT CAST(x AS timestamp with time zone) - CAST(current_date AS timestamp with time zone), typeof(CAST(x AS timestamp with time zone)) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_timestamp_6_with_time_zone
SELECT CAST(x AS timestamp(6) with time zone) - CAST(current_date AS timestamp with time zone), typeof(CAST(x AS timestamp(6) with time zone)) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_3_as_json
SELECT CAST(x AS json) FROM (VALUES TIME '01:02:03.456', TIME '23:59:59.999', NULL) t(x)

-- time_6_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_6_as_time
SELECT CAST(x AS time) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_6_as_time_0
SELECT CAST(x AS time(0)) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_6_as_time_6
SELECT CAST(x AS time(6)) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_6_as_time_with_time_zone
SELECT CAST(x AS time with time zone) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_6_as_timestamp
SELECT CAST(x AS timestamp) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp)) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_6_as_timestamp_0
SELECT CAST(x AS timestamp(0)) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp(0))) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_6_as_timestamp_6
SELECT CAST(x AS timestamp(6)) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp(6))) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_6_as_timestamp_9
SELECT CAST(x AS timestamp(9)) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp(9))) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_6_as_timestamp_with_time_zone
SELECT CAST(x AS timestamp with time zone) - CAST(current_date AS timestamp with time zone), typeof(CAST(x AS timestamp with time zone)) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_6_as_timestamp_6_with_time_zone
SELECT CAST(x AS timestamp(6) with time zone) - CAST(current_date AS timestamp with time zone), typeof(CAST(x AS timestamp(6) with time zone)) FROM (VALUES TIME '01:02:03.456789', TIME '23:59:59.999999', NULL) t(x)

-- time_with_zone_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- time_with_zone_as_time
SELECT CAST(x AS time) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- time_with_zone_as_time_0
SELECT CAST(x AS time(0)) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- time_with_zone_as_time_6
SELECT CAST(x AS time(6)) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- time_with_zone_as_time_with_time_zone
SELECT CAST(x AS time with time zone) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- time_with_zone_as_timestamp
SELECT CAST(x AS timestamp) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp)) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- time_with_zone_as_timestamp_0
SELECT CAST(x AS timestamp(0)) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp(0))) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- time_with_zone_as_timestamp_6
SELECT CAST(x AS timestamp(6)) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp(6))) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- time_with_zone_as_timestamp_9
SELECT CAST(x AS timestamp(9)) - CAST(current_date AS timestamp), typeof(CAST(x AS timestamp(9))) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- time_with_zone_as_timestamp_with_time_zone
SELECT CAST(x AS timestamp with time zone) - CAST(current_date AS timestamp with time zone), typeof(CAST(x AS timestamp with time zone)) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- time_with_zone_as_timestamp_6_with_time_zone
SELECT CAST(x AS timestamp(6) with time zone) - CAST(current_date AS timestamp with time zone), typeof(CAST(x AS timestamp(6) with time zone)) FROM (VALUES TIME '01:02:03.456+02:00', TIME '23:59:59.500-08:00', NULL) t(x)

-- timestamp_3_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_date
SELECT CAST(x AS date) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_time
SELECT CAST(x AS time) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_time_0
SELECT CAST(x AS time(0)) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_time_6
SELECT CAST(x AS time(6)) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_time_with_time_zone
SELECT CAST(x AS time with time zone) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_timestamp
SELECT CAST(x AS timestamp) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_timestamp_0
SELECT CAST(x AS timestamp(0)) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_timestamp_6
SELECT CAST(x AS timestamp(6)) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_timestamp_9
SELECT CAST(x AS timestamp(9)) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_timestamp_with_time_zone
SELECT CAST(x AS timestamp with time zone) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_timestamp_6_with_time_zone
SELECT CAST(x AS timestamp(6) with time zone) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_3_as_json
SELECT CAST(x AS json) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678', TIMESTAMP '1969-12-31 23:59:59.999', NULL) t(x)

-- timestamp_6_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_date
SELECT CAST(x AS date) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_time
SELECT CAST(x AS time) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_time_0
SELECT CAST(x AS time(0)) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_time_6
SELECT CAST(x AS time(6)) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_time_with_time_zone
SELECT CAST(x AS time with time zone) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_timestamp
SELECT CAST(x AS timestamp) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_timestamp_0
SELECT CAST(x AS timestamp(0)) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_timestamp_6
SELECT CAST(x AS timestamp(6)) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_timestamp_9
SELECT CAST(x AS timestamp(9)) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_timestamp_with_time_zone
SELECT CAST(x AS timestamp with time zone) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_timestamp_6_with_time_zone
SELECT CAST(x AS timestamp(6) with time zone) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_6_as_json
SELECT CAST(x AS json) FROM (VALUES TIMESTAMP '2024-03-31 02:30:15.678901', TIMESTAMP '1969-12-31 23:59:59.999999', NULL) t(x)

-- timestamp_with_zone_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_date
SELECT CAST(x AS date) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_time
SELECT CAST(x AS time) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_time_0
SELECT CAST(x AS time(0)) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_time_6
SELECT CAST(x AS time(6)) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_time_with_time_zone
SELECT CAST(x AS time with time zone) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_timestamp
SELECT CAST(x AS timestamp) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_timestamp_0
SELECT CAST(x AS timestamp(0)) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_timestamp_6
SELECT CAST(x AS timestamp(6)) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_timestamp_9
SELECT CAST(x AS timestamp(9)) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_timestamp_with_time_zone
SELECT CAST(x AS timestamp with time zone) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- timestamp_with_zone_as_timestamp_6_with_time_zone
SELECT CAST(x AS timestamp(6) with time zone) FROM (VALUES TIMESTAMP '2024-03-31 00:30:15.678 +02:00', TIMESTAMP '1969-12-31 23:59:59.999 America/New_York', NULL) t(x)

-- interval_day_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES INTERVAL '1 02:03:04.567' DAY TO SECOND, INTERVAL '-5' HOUR, NULL) t(x)

-- interval_month_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES INTERVAL '2-3' YEAR TO MONTH, INTERVAL '-5' MONTH, NULL) t(x)

-- varbinary_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES X'616263', X'ff', NULL) t(x)

-- varbinary_as_varbinary
SELECT CAST(x AS varbinary) FROM (VALUES X'616263', X'ff', NULL) t(x)

-- uuid_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES UUID '00000000-0000-0000-0000-00000000000a', NULL) t(x)

-- uuid_as_varbinary
SELECT CAST(x AS varbinary) FROM (VALUES UUID '00000000-0000-0000-0000-00000000000a', NULL) t(x)

-- ipaddress_as_varchar
SELECT CAST(x AS varchar) FROM (VALUES IPADDRESS '1.2.3.4', NULL) t(x)

-- ipaddress_as_varbinary
SELECT CAST(x AS varbinary) FROM (VALUES IPADDRESS '1.2.3.4', NULL) t(x)

-- array_as_array
SELECT CAST(a AS array(bigint)), CAST(a AS array(varchar)), CAST(a AS array(double)) FROM (VALUES ARRAY[1, NULL], NULL) t(a)

-- map_as_map
SELECT CAST(MAP(ARRAY['1', '2'], ARRAY[1, NULL]) AS map(integer, varchar))

-- map_as_map_duplicate_key
SELECT CAST(MAP(ARRAY[1.1, 1.2], ARRAY[1, 2]) AS map(integer, integer))

-- row_as_row
SELECT CAST(ROW(1, '2') AS ROW(a double, b integer)), CAST(ROW(NULL, 'x') AS ROW(integer, varchar))

-- row_as_row_of_other_size
SELECT CAST(ROW(1, 2) AS ROW(a integer))

-- unknown_as_types
SELECT CAST(NULL AS integer), CAST(NULL AS varchar(3)), CAST(NULL AS array(date)), CAST(NULL AS timestamp(6) with time zone)

-- double_as_varchar_forms
SELECT CAST(x AS varchar) FROM (VALUES DOUBLE '0', DOUBLE '-0', DOUBLE '1', DOUBLE '123456789', DOUBLE '0.001', DOUBLE '1e-5', DOUBLE '1e7', DOUBLE '1.7976931348623157E308', nan(), infinity()) t(x)

-- real_as_varchar_forms
SELECT CAST(x AS varchar) FROM (VALUES REAL '0.1', REAL '1e10', REAL '16777216', REAL '1.17549435E-38', REAL 'NaN') t(x)

-- real_as_double_keeps_bits
SELECT CAST(REAL '0.1' AS double)

-- double_as_integer_rounds
SELECT x, CAST(x AS integer), CAST(x AS bigint) FROM (VALUES DOUBLE '0.5', DOUBLE '1.5', DOUBLE '2.5', DOUBLE '-0.5', DOUBLE '-1.5') t(x) ORDER BY x

-- double_as_integer_overflow
SELECT CAST(x AS integer) FROM (VALUES DOUBLE '3e9') t(x)

-- nan_as_bigint
SELECT CAST(nan() AS bigint)

-- infinity_as_decimal
SELECT CAST(infinity() AS decimal(5, 1))

-- bigint_as_tinyint_overflow
SELECT CAST(x AS tinyint) FROM (VALUES BIGINT '128') t(x)

-- integer_as_decimal_overflow
SELECT CAST(x AS decimal(3, 1)) FROM (VALUES 100) t(x)

-- integer_as_short_varchar
SELECT CAST(x AS varchar(2)) FROM (VALUES 123) t(x)

-- integer_as_short_varchar_fits
SELECT CAST(x AS varchar(2)) FROM (VALUES 12) t(x)

-- varchar_as_integer_with_spaces
SELECT CAST(x AS integer) FROM (VALUES ' 12 ') t(x)

-- varchar_as_integer_fraction
SELECT CAST('1.5' AS integer)

-- varchar_as_integer_overflow
SELECT CAST('3000000000' AS integer)

-- varchar_as_boolean_wrong
SELECT CAST('yes' AS boolean)

-- varchar_as_double_wrong
SELECT CAST('1,5' AS double)

-- varchar_as_date_wrong
SELECT CAST('2024-02-30' AS date)

-- varchar_as_date_with_time
SELECT CAST('2024-02-03 00:00:00' AS date)

-- varchar_as_timestamp_wrong
SELECT CAST('2024-02-03T25:00' AS timestamp)

-- varchar_as_decimal_wrong
SELECT CAST('abc' AS decimal(3, 1))

-- varchar_as_decimal_overflow
SELECT CAST('1234' AS decimal(3, 1))

-- date_as_integer
SELECT CAST(DATE '2024-01-01' AS integer)

-- integer_as_date
SELECT CAST(1 AS date)

-- boolean_as_date
SELECT CAST(true AS date)

-- timestamp_as_bigint
SELECT CAST(TIMESTAMP '2024-01-01 00:00:00' AS bigint)

-- timestamp_rounds_up
SELECT CAST(TIMESTAMP '2024-12-31 23:59:59.9996' AS timestamp(3)), CAST(TIMESTAMP '2024-12-31 23:59:59.5' AS timestamp(0))

-- time_rounds_around_midnight
SELECT CAST(TIME '23:59:59.9999' AS time(3))

-- try_cast_values
SELECT TRY_CAST(x AS integer), TRY_CAST(x AS double), TRY_CAST(x AS date), TRY_CAST(x AS boolean) FROM (VALUES '1', 'x', '2024-01-01', 'true', NULL) t(x)

-- try_cast_overflow
SELECT TRY_CAST(x AS tinyint), TRY_CAST(x AS decimal(4, 2)) FROM (VALUES 5, 1000) t(x)

-- try_cast_array
SELECT TRY_CAST(ARRAY['1', 'x'] AS array(integer))

-- typeof_values
SELECT typeof(1), typeof(1.5), typeof('ab'), typeof(NULL), typeof(ARRAY[1]), typeof(MAP(ARRAY['a'], ARRAY[1])), typeof(ROW(1, 'a')), typeof(DATE '2024-01-01'), typeof(X'00')

-- typeof_expressions
SELECT typeof(x + 1), typeof(x / 2), typeof(x * 1.5), typeof(x * DOUBLE '1'), typeof(count(*)), typeof(sum(x)), typeof(avg(x)) FROM (VALUES 1) t(x) GROUP BY x

-- typeof_time_types
SELECT typeof(TIME '01:02:03'), typeof(TIMESTAMP '2024-01-01 00:00:00.123456'), typeof(TIMESTAMP '2024-01-01 00:00:00 UTC'), typeof(INTERVAL '1' DAY), typeof(INTERVAL '1' MONTH), typeof(TIME '01:02:03+01:00')

-- format_values
SELECT format('%s%%', 123), format('%.5f', pi()), format('%03d', 8), format('%,.2f', 1234567.89), format('%-7s|%7s|', 'ab', 'cd'), format('%2$s %3$s %1$s', 'a', 'b', 'c')

-- format_types
SELECT format('%s %s %s', true, DATE '2024-01-02', TIMESTAMP '2024-01-02 03:04:05'), format('%x', 255), format('%e', DOUBLE '12345.678'), format('%1$tA', DATE '2024-07-04')

-- format_column
SELECT format('%s-%d', s, n) FROM (VALUES ('a', 1), (NULL, 2), ('c', NULL)) t(s, n)

-- format_wrong_type
SELECT format('%d', 'x')

-- format_number_values
SELECT format_number(123456), format_number(1000000), format_number(999), format_number(-1500), format_number(DOUBLE '1.5e12')

-- parse_data_size_values
SELECT parse_data_size('1B'), parse_data_size('1kB'), parse_data_size('2.3MB'), parse_data_size(s) FROM (VALUES '1GB', '8EB', NULL) t(s)

-- parse_data_size_wrong
SELECT parse_data_size('1 apple')

-- double_colon_cast
SELECT 1::varchar

-- parse_presto_data_size_values
SELECT parse_presto_data_size('1kB'), parse_presto_data_size('1.5MB')

-- real_decimal_digits
SELECT CAST(a AS decimal(18, 0)), CAST(a AS decimal(20, 2)) FROM (VALUES REAL '123456790519087104', REAL '-0.1') t(a)

-- decimal_to_real
SELECT CAST(a AS real), CAST(a AS double) FROM (VALUES CAST(1000001.00 AS decimal(13, 2)), DECIMAL '-0.10') t(a)

-- long_decimal_to_real
SELECT CAST(a AS real), CAST(a AS double) FROM (VALUES DECIMAL '123456789012345678901.25') t(a)

-- real_beyond_bigint
SELECT CAST(a AS bigint) FROM (VALUES REAL '1e30', REAL '-1e30', REAL '2.5', REAL '-2.5') t(a)

-- nested_names
SELECT CAST(ARRAY[JSON '1'] AS array(varchar)), CAST(ARRAY[TIMESTAMP '2020-01-01 00:00:00'] AS array(varchar)), CAST(MAP(ARRAY['a'], ARRAY[IPADDRESS '10.0.0.1']) AS map(varchar, varchar))

-- number_is_no_type
SELECT CAST(3.14 AS number)
