-- boolean_type
SELECT x, typeof(x) FROM (VALUES true, NULL) t(x)

-- integer_types
SELECT CAST(1 AS tinyint), CAST(1 AS smallint), CAST(1 AS integer), CAST(1 AS int), CAST(1 AS bigint)

-- floating_types
SELECT CAST(1 AS real), CAST(1 AS double), CAST(1 AS double precision)

-- decimal_types
SELECT CAST(1 AS decimal(38, 0)), CAST(1 AS decimal(10, 10)) IS NULL FROM (VALUES 1) t(x) WHERE false

-- decimal_of_38_digits
SELECT CAST('12345678901234567890123456789012345678' AS decimal(38, 0)), CAST('0.12345678901234567890123456789012345678' AS decimal(38, 38))

-- decimal_precision_too_large
SELECT CAST(1 AS decimal(39, 0))

-- varchar_types
SELECT CAST('abc' AS varchar), CAST('abc' AS varchar(5)), CAST('abc' AS varchar(2))

-- char_types
SELECT CAST('abc' AS char(5)), CAST('abc' AS char(2)), CAST('a' AS char)

-- char_column
SELECT c, length(c), c || '|' FROM (VALUES CAST('ab' AS char(4)), CAST('' AS char(4))) t(c)

-- varbinary_type
SELECT CAST('abc' AS varbinary)

-- json_type
SELECT typeof(JSON '1'), JSON '[1,  2]'

-- date_type
SELECT CAST('2024-01-02' AS date), CAST(TIMESTAMP '2024-01-02 23:00:00' AS date)

-- time_types
SELECT CAST('01:02:03.4567891' AS time(0)), CAST('01:02:03.4567891' AS time(3)), CAST('01:02:03.4567891' AS time(9))

-- timestamp_types
SELECT CAST('2024-01-02 03:04:05.123456789123' AS timestamp(0)), CAST('2024-01-02 03:04:05.123456789123' AS timestamp(6)), CAST('2024-01-02 03:04:05.123456789123' AS timestamp(12))

-- timestamp_zone_types
SELECT CAST('2024-01-02 03:04:05.123456789 UTC' AS timestamp(0) with time zone), CAST('2024-01-02 03:04:05.123456789 UTC' AS timestamp(9) with time zone)

-- timestamp_precision_too_large
SELECT CAST(NULL AS timestamp(13))

-- interval_types
SELECT typeof(INTERVAL '1' YEAR), typeof(INTERVAL '1' SECOND)

-- array_type_syntax
SELECT CAST(ARRAY[1] AS array(bigint)), CAST(ARRAY[1] AS ARRAY<smallint>)

-- map_type_syntax
SELECT CAST(MAP(ARRAY[1], ARRAY[2]) AS map(bigint, varchar)), CAST(MAP(ARRAY[1], ARRAY[2]) AS MAP<integer, double>)

-- row_type_syntax
SELECT CAST(ROW(1, 2) AS row(x bigint, "y z" double)), CAST(ROW(1) AS row(integer))

-- hyperloglog_type
SELECT typeof(approx_set(x)), typeof(empty_approx_set()) FROM (VALUES 1) t(x)

-- digest_types
SELECT typeof(tdigest_agg(x)), typeof(qdigest_agg(x)), typeof(make_set_digest(CAST(x AS bigint))) FROM (VALUES DOUBLE '1') t(x)

-- common_type_of_values
SELECT x, typeof(x) FROM (VALUES 1, 2.5, BIGINT '3') t(x) ORDER BY x

-- common_type_of_texts
SELECT x, length(x) FROM (VALUES 'a', 'abc', CAST('de' AS char(4))) t(x) ORDER BY x

-- common_type_of_times
SELECT x FROM (VALUES DATE '2024-01-02', TIMESTAMP '2024-01-01 10:00:00.5') t(x) ORDER BY x

-- common_type_none
SELECT x FROM (VALUES 1, 'a') t(x)

-- unknown_type
SELECT CAST(NULL AS nosuchtype)

-- type_of_others_string
SELECT CAST(NULL AS string)

-- type_of_others_text
SELECT CAST(NULL AS text)

-- type_of_others_long
SELECT CAST(NULL AS long)

-- type_of_others_float
SELECT CAST(NULL AS float)

-- type_of_others_short
SELECT CAST(NULL AS short)

-- type_of_others_byte
SELECT CAST(NULL AS byte)

-- type_of_others_binary
SELECT CAST(NULL AS binary)

-- type_of_others_bool
SELECT CAST(NULL AS bool)

-- type_of_others_numeric_3__1
SELECT CAST(NULL AS numeric(3, 1))

-- type_of_others_dec_3__1
SELECT CAST(NULL AS dec(3, 1))

-- type_of_others_timestamptz
SELECT CAST(NULL AS timestamptz)

-- type_of_others_timestamp_ntz
SELECT CAST(NULL AS timestamp_ntz)

-- type_of_others_blob
SELECT CAST(NULL AS blob)

-- type_of_others_character_3
SELECT CAST(NULL AS character(3))

-- type_of_others_interval
SELECT CAST(NULL AS interval)

-- type_of_others_interval_day
SELECT CAST(NULL AS interval day)

-- type_of_others_struct_a_int
SELECT CAST(NULL AS struct<a int>)

-- type_of_others_int
SELECT CAST(NULL AS int[])

-- names_of_types_as_columns
SELECT text, t.string, long FROM (VALUES (1, 2, 3)) t(text, string, long)
