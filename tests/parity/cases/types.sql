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
