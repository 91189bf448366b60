-- date_literals
SELECT DATE '2024-02-29', DATE '1969-12-31', DATE '0001-01-01', DATE '9999-12-31'

-- date_literal_invalid
SELECT DATE '2023-02-29'

-- timestamp_literals
SELECT TIMESTAMP '2024-01-02 03:04:05', TIMESTAMP '2024-01-02 03:04:05.6', TIMESTAMP '2024-01-02 03:04:05.123456', TIMESTAMP '2024-01-02'

-- timestamp_literal_precisions
SELECT TIMESTAMP '2024-01-02 03:04:05.123456789', TIMESTAMP '2024-01-02 03:04:05.123456789012'

-- timestamp_literal_minutes
SELECT TIMESTAMP '2024-01-02 03:04', TIMESTAMP '1960-01-01 00:00:00.001'

-- timestamp_zone_literals
SELECT TIMESTAMP '2024-01-02 03:04:05 UTC', TIMESTAMP '2024-07-02 03:04:05.123 Europe/Berlin', TIMESTAMP '2024-01-02 03:04:05 +05:30', TIMESTAMP '2024-01-02 03:04:05.123456-08:00'

-- time_literals
SELECT TIME '01:02:03', TIME '01:02:03.456', TIME '01:02', TIME '23:59:59.999999'

-- time_zone_literals
SELECT TIME '01:02:03+02:00', TIME '01:02:03.456 -08:00', TIME '23:00:00+14:00'

-- time_literal_invalid
SELECT TIME '25:00:00'

-- interval_literals_day_second
SELECT INTERVAL '2' DAY, INTERVAL '3' HOUR, INTERVAL '90' MINUTE, INTERVAL '1.5' SECOND

-- interval_literals_ranges
SELECT INTERVAL '1 02:03:04.567' DAY TO SECOND, INTERVAL '02:03' HOUR TO MINUTE, INTERVAL '3-4' YEAR TO MONTH, INTERVAL '1 02' DAY TO HOUR

-- interval_literals_year_month
SELECT INTERVAL '2' YEAR, INTERVAL '15' MONTH, INTERVAL -'3' MONTH, INTERVAL '-3' DAY

-- current_functions_types
SELECT typeof(current_date), typeof(current_time), typeof(current_timestamp), typeof(localtime), typeof(localtimestamp), typeof(now()), typeof(current_timestamp(6)), typeof(localtimestamp(0))

-- current_timezone_name
SELECT current_timezone()

-- current_date_is_now
SELECT current_date = CAST(now() AS date), localtimestamp = CAST(current_timestamp AS timestamp(3)), current_timestamp = now()

-- last_day_of_month_values
SELECT last_day_of_month(DATE '2024-02-01'), last_day_of_month(TIMESTAMP '2023-02-10 10:00:00'), last_day_of_month(TIMESTAMP '2024-12-31 23:00:00 Europe/Berlin'), last_day_of_month(d) FROM (VALUES DATE '2024-04-30', NULL) t(d)

-- at_timezone_function
SELECT at_timezone(TIMESTAMP '2024-07-01 12:00:00 UTC', 'Asia/Kolkata'), at_timezone(TIMESTAMP '2024-01-01 00:00:00.123456 Europe/Berlin', '-03:00')

-- with_timezone_function
SELECT with_timezone(TIMESTAMP '2024-07-01 12:00:00', 'Europe/Berlin'), with_timezone(ts, 'UTC') FROM (VALUES TIMESTAMP '2024-03-31 02:30:00', NULL) t(ts)

-- with_timezone_in_the_gap
SELECT with_timezone(TIMESTAMP '2024-03-31 02:30:00', 'Europe/Berlin')

-- from_iso8601_timestamp_values
SELECT from_iso8601_timestamp('2024-05-11'), from_iso8601_timestamp('2024-05-11T11:15:05'), from_iso8601_timestamp('2024-05-11T11:15:05.055+01:00'), from_iso8601_timestamp('2024-W10-2')

-- from_iso8601_timestamp_invalid
SELECT from_iso8601_timestamp('2024-05-11 11:15')

-- from_iso8601_timestamp_nanos_values
SELECT from_iso8601_timestamp_nanos('2024-05-11T11:15:05'), from_iso8601_timestamp_nanos('2024-05-11T11:15:05.123456789+01:00')

-- from_iso8601_date_values
SELECT from_iso8601_date('2024-05-11'), from_iso8601_date('2024-W19-6'), from_iso8601_date('2024-123'), from_iso8601_date(s) FROM (VALUES '2024-05', NULL) t(s)

-- from_unixtime_values
SELECT from_unixtime(0), from_unixtime(1700000000.5), from_unixtime(-1), from_unixtime(x) FROM (VALUES 1e9, NULL) t(x)

-- from_unixtime_zone
SELECT from_unixtime(1700000000, 'Europe/Berlin'), from_unixtime(1700000000, 5, 30), from_unixtime(1700000000, -3, 0)

-- from_unixtime_nanos_values
SELECT from_unixtime_nanos(1700000000123456789), from_unixtime_nanos(DECIMAL '1234'), from_unixtime_nanos(-1)

-- to_unixtime_values
SELECT to_unixtime(TIMESTAMP '2024-01-01 00:00:00.5 UTC'), to_unixtime(TIMESTAMP '2024-01-01 00:00:00'), to_unixtime(ts) FROM (VALUES TIMESTAMP '1969-12-31 23:59:59.999 UTC', NULL) t(ts)

-- to_iso8601_values
SELECT to_iso8601(DATE '2024-01-02'), to_iso8601(TIMESTAMP '2024-01-02 03:04:05'), to_iso8601(TIMESTAMP '2024-01-02 03:04:05.123456'), to_iso8601(TIMESTAMP '2024-01-02 03:04:05.1 Europe/Berlin'), to_iso8601(TIMESTAMP '2024-01-02 03:04:05 UTC')

-- to_iso8601_column
SELECT to_iso8601(ts) FROM (VALUES TIMESTAMP '2024-01-02 03:04:05.100', NULL) t(ts)

-- to_milliseconds_values
SELECT to_milliseconds(INTERVAL '1 02:03:04.567' DAY TO SECOND), to_milliseconds(i) FROM (VALUES INTERVAL '-1' HOUR, NULL) t(i)

-- parse_duration_values
SELECT parse_duration('42.8ms'), parse_duration('3.81 d'), parse_duration('5m'), parse_duration(s) FROM (VALUES '1h', '2us', NULL) t(s)

-- parse_duration_invalid
SELECT parse_duration('5 lightyears')

-- human_readable_seconds_values
SELECT human_readable_seconds(96), human_readable_seconds(3762), human_readable_seconds(56363463), human_readable_seconds(0.9), human_readable_seconds(-60)

-- date_function_values
SELECT date('2024-02-03'), date(TIMESTAMP '2024-02-03 23:59:59'), date(TIMESTAMP '2024-02-03 23:59:59 America/New_York'), date(s) FROM (VALUES ' 2024-01-01 ', NULL) t(s)

-- date_trunc_date
SELECT date_trunc('day', d), date_trunc('week', d), date_trunc('month', d), date_trunc('quarter', d), date_trunc('year', d) FROM (VALUES DATE '2024-08-22', DATE '1969-12-31', NULL) t(d)

-- date_trunc_timestamp
SELECT date_trunc('millisecond', ts), date_trunc('second', ts), date_trunc('minute', ts), date_trunc('hour', ts), date_trunc('day', ts), date_trunc('week', ts) FROM (VALUES TIMESTAMP '2024-08-22 13:14:15.123456', TIMESTAMP '1960-01-01 00:00:00.000001') t(ts)

-- date_trunc_timestamp_large_units
SELECT date_trunc('month', ts), date_trunc('quarter', ts), date_trunc('year', ts) FROM (VALUES TIMESTAMP '2024-08-22 13:14:15.123') t(ts)

-- date_trunc_zone
SELECT date_trunc('hour', ts), date_trunc('day', ts), date_trunc('month', ts) FROM (VALUES TIMESTAMP '2024-08-22 13:14:15.123 Asia/Kolkata', TIMESTAMP '2024-03-31 12:00:00.000 Europe/Berlin') t(ts)

-- date_trunc_time
SELECT date_trunc('second', t), date_trunc('minute', t), date_trunc('hour', t) FROM (VALUES TIME '13:14:15.678') t(t)

-- date_trunc_unknown_unit
SELECT date_trunc('fortnight', DATE '2024-01-01')

-- date_trunc_hour_of_a_date
SELECT date_trunc('hour', DATE '2024-01-01')

-- date_add_date
SELECT date_add('day', 3, d), date_add('week', -1, d), date_add('month', 1, d), date_add('quarter', 1, d), date_add('year', -1, d) FROM (VALUES DATE '2024-01-31', DATE '2024-02-29', NULL) t(d)

-- date_add_timestamp
SELECT date_add('millisecond', 1, ts), date_add('second', 86, ts), date_add('minute', -1, ts), date_add('hour', 9, ts), date_add('day', 30, ts), date_add('month', 1, ts) FROM (VALUES TIMESTAMP '2024-01-31 23:59:59.999', TIMESTAMP '2023-12-31 00:00:00.000') t(ts)

-- date_add_precision
SELECT date_add('millisecond', 7, TIMESTAMP '2024-01-01 00:00:00'), date_add('day', 1, TIMESTAMP '2024-01-01 00:00:00.123456789')

-- date_add_zone
SELECT date_add('hour', 1, ts), date_add('day', 1, ts) FROM (VALUES TIMESTAMP '2024-03-31 01:30:00.000 Europe/Berlin', TIMESTAMP '2024-03-30 02:30:00.000 Europe/Berlin') t(ts)

-- date_add_time
SELECT date_add('minute', 90, TIME '23:00:00'), date_add('hour', -1, TIME '00:30:00.5')

-- date_add_hour_to_a_date
SELECT date_add('hour', 1, DATE '2024-01-01')

-- date_diff_dates
SELECT date_diff('day', a, b), date_diff('week', a, b), date_diff('month', a, b), date_diff('quarter', a, b), date_diff('year', a, b) FROM (VALUES (DATE '2024-01-31', DATE '2024-02-29'), (DATE '2024-03-01', DATE '2020-02-29'), (NULL, DATE '2024-01-01')) t(a, b)

-- date_diff_timestamps
SELECT date_diff('millisecond', a, b), date_diff('second', a, b), date_diff('minute', a, b), date_diff('hour', a, b), date_diff('day', a, b), date_diff('month', a, b) FROM (VALUES (TIMESTAMP '2024-01-31 12:00:00.000', TIMESTAMP '2024-02-29 11:59:59.999'), (TIMESTAMP '2024-01-02 00:00:00.001', TIMESTAMP '2024-01-01 00:00:00.000')) t(a, b)

-- date_diff_zones
SELECT date_diff('day', TIMESTAMP '2024-03-30 12:00:00 Europe/Berlin', TIMESTAMP '2024-03-31 12:00:00 Europe/Berlin'), date_diff('hour', TIMESTAMP '2024-03-30 12:00:00 Europe/Berlin', TIMESTAMP '2024-03-31 12:00:00 Europe/Berlin')

-- date_diff_times
SELECT date_diff('minute', TIME '10:00:00', TIME '09:30:00'), date_diff('second', TIME '10:00:00', TIME '10:00:59.9')

-- date_format_numbers
SELECT date_format(ts, '%Y-%m-%d %H:%i:%s.%f'), date_format(ts, '%y %c %e %k %l %h %I'), date_format(ts, '%j %p %r %S %T') FROM (VALUES TIMESTAMP '2024-01-09 03:04:05.678', TIMESTAMP '2023-12-31 13:00:00.000') t(ts)

-- date_format_names
SELECT date_format(ts, '%a %b %W %M'), date_format(ts, '%x-%v'), date_format(ts, '%%z') FROM (VALUES TIMESTAMP '2024-12-30 03:04:05') t(ts)

-- date_format_of_date_and_zone
SELECT date_format(DATE '2024-02-03', '%d/%m/%Y'), date_format(TIMESTAMP '2024-02-03 10:00:00 Asia/Tokyo', '%H:%i')

-- date_format_unsupported
SELECT date_format(TIMESTAMP '2024-01-01 00:00:00', '%w')

-- date_parse_values
SELECT date_parse('2024-02-03 04:05:06', '%Y-%m-%d %H:%i:%s'), date_parse('3/Feb/24', '%e/%b/%y'), date_parse('11 PM', '%l %p'), date_parse('2024-01-01 10:11:12.5', '%Y-%m-%d %T.%f')

-- date_parse_column
SELECT date_parse(s, '%Y%m%d') FROM (VALUES '20240229', NULL) t(s)

-- date_parse_invalid
SELECT date_parse('2024-13-01', '%Y-%m-%d')

-- format_datetime_values
SELECT format_datetime(ts, 'yyyy-MM-dd HH:mm:ss.SSS'), format_datetime(ts, 'EEE, d MMM yy h:mm a'), format_datetime(ts, 'EEEE MMMM'), format_datetime(ts, 'D ww xxxx e') FROM (VALUES TIMESTAMP '2024-12-30 15:04:05.678', TIMESTAMP '2024-01-01 00:00:00.000') t(ts)

-- format_datetime_zone
SELECT format_datetime(TIMESTAMP '2024-07-01 10:00:00 Europe/Berlin', 'yyyy-MM-dd''T''HH:mm ZZ'), format_datetime(TIMESTAMP '2024-07-01 10:00:00 +02:00', 'HH Z')

-- format_datetime_zone_names
SELECT format_datetime(TIMESTAMP '2024-07-01 10:00:00 America/New_York', 'ZZZ')

-- parse_datetime_values
SELECT parse_datetime('2024-02-03 04:05', 'yyyy-MM-dd HH:mm'), parse_datetime('2024-02-03 04:05 +0300', 'yyyy-MM-dd HH:mm Z'), parse_datetime('2024-02-03 Europe/Berlin', 'yyyy-MM-dd ZZZ')

-- parse_datetime_invalid
SELECT parse_datetime('x', 'yyyy')

-- extract_date
SELECT extract(YEAR FROM d), extract(QUARTER FROM d), extract(MONTH FROM d), extract(WEEK FROM d), extract(DAY FROM d), extract(DAY_OF_MONTH FROM d), extract(DAY_OF_WEEK FROM d), extract(DOW FROM d), extract(DAY_OF_YEAR FROM d), extract(DOY FROM d), extract(YEAR_OF_WEEK FROM d), extract(YOW FROM d) FROM (VALUES DATE '2024-12-30', DATE '2021-01-03', DATE '1900-03-01') t(d)

-- extract_timestamp
SELECT extract(HOUR FROM ts), extract(MINUTE FROM ts), extract(SECOND FROM ts), extract(YEAR FROM ts) FROM (VALUES TIMESTAMP '2024-12-30 23:58:59.999999', TIMESTAMP '1969-12-31 23:59:59.5') t(ts)

-- extract_zone
SELECT extract(TIMEZONE_HOUR FROM ts), extract(TIMEZONE_MINUTE FROM ts), extract(HOUR FROM ts), extract(DAY FROM ts) FROM (VALUES TIMESTAMP '2024-12-30 23:58:59 +05:30', TIMESTAMP '2024-07-01 00:00:00 America/New_York') t(ts)

-- extract_time
SELECT extract(HOUR FROM TIME '01:02:03.456'), extract(SECOND FROM TIME '01:02:03.456'), extract(TIMEZONE_HOUR FROM TIME '01:02:03-07:00')

-- extract_interval
SELECT extract(DAY FROM INTERVAL '3 04:05:06' DAY TO SECOND), extract(HOUR FROM INTERVAL '3 04:05:06' DAY TO SECOND), extract(YEAR FROM INTERVAL '3-4' YEAR TO MONTH), extract(MONTH FROM INTERVAL '-3-4' YEAR TO MONTH)

-- extract_hour_of_a_date
SELECT extract(HOUR FROM DATE '2024-01-01')

-- day_functions
SELECT day(d), day_of_month(d), day_of_week(d), day_of_year(d), dow(d), doy(d) FROM (VALUES DATE '2024-02-29', DATE '2023-12-31', NULL) t(d)

-- hour_minute_second
SELECT hour(ts), minute(ts), second(ts), millisecond(ts) FROM (VALUES TIMESTAMP '2024-01-01 13:14:15.678', NULL) t(ts)

-- millisecond_types
SELECT millisecond(TIME '01:02:03.456'), millisecond(TIMESTAMP '2024-01-01 00:00:00.123456'), millisecond(INTERVAL '1.5' SECOND), millisecond(TIMESTAMP '2024-01-01 00:00:00.9 UTC')

-- month_quarter_year
SELECT month(d), quarter(d), year(d) FROM (VALUES DATE '2024-04-01', DATE '0099-12-31', NULL) t(d)

-- week_functions
SELECT week(d), week_of_year(d), year_of_week(d), yow(d) FROM (VALUES DATE '2024-12-30', DATE '2021-01-01', NULL) t(d)

-- year_of_zone_and_interval
SELECT year(TIMESTAMP '2024-01-01 00:30:00 Europe/Berlin'), year(INTERVAL '30' MONTH), month(INTERVAL '30' MONTH), day(INTERVAL '50' HOUR)

-- timezone_functions
SELECT timezone_hour(TIMESTAMP '2024-01-01 00:00:00 -03:30'), timezone_minute(TIMESTAMP '2024-01-01 00:00:00 -03:30'), timezone(TIMESTAMP '2024-01-01 00:00:00 Europe/Berlin'), timezone(TIME '01:00:00+02:00')

-- date_order_and_distinct
SELECT DISTINCT d FROM (VALUES DATE '2024-01-02', DATE '2024-01-01', DATE '2024-01-02', NULL) t(d) ORDER BY d DESC

-- timestamps_equal_in_other_zones
SELECT count(DISTINCT ts) FROM (VALUES TIMESTAMP '2024-01-01 12:00:00 UTC', TIMESTAMP '2024-01-01 13:00:00 +01:00') t(ts)

-- timestamp_precision_comparison
SELECT TIMESTAMP '2024-01-01 00:00:00' = TIMESTAMP '2024-01-01 00:00:00.000000', TIMESTAMP '2024-01-01 00:00:00.123' < TIMESTAMP '2024-01-01 00:00:00.1231'
