-- t01_
SELECT 7 / 2, -7 / 2, 7 / 2.0, 7 % 2

-- t02_count_from_values_t_x
SELECT count(*) / 2 FROM (VALUES 1, 2, 3) t(x)

-- t03_x_from_values_null_t
SELECT x FROM (VALUES 2, NULL, 1) t(x) ORDER BY x

-- t04_x_from_values_null_t
SELECT x FROM (VALUES 2, NULL, 1) t(x) ORDER BY x DESC

-- t05_x_from_values_null_t
SELECT x FROM (VALUES 2, NULL, 1) t(x) ORDER BY x NULLS FIRST OFFSET 1 ROWS FETCH FIRST 1 ROWS ONLY

-- t06_it_s_a_nb_length
SELECT 'it''s', 'a\nb', length('a\nb'), U&'\00e9', "x y" FROM (VALUES 1) t("x y")

-- t07_a_b_like_a_b
SELECT 'a\b' LIKE 'a\b', 'a_b' LIKE 'a\_b' ESCAPE '\', 'axb' LIKE 'a\_b' ESCAPE '\', 'a%' LIKE 'a#%' ESCAPE '#'

-- t08_a_m_k_element_at
SELECT a[1], m['k'], element_at(a, 5), element_at(m, 'z'), cardinality(a) FROM (VALUES (ARRAY[10, 20], MAP(ARRAY['k'], ARRAY[1]))) t(a, m)

-- t09_x_n_from_unnest_array
SELECT x, n FROM UNNEST(ARRAY['a', 'b']) WITH ORDINALITY AS t(x, n)

-- t10_t_id_u_x_from
SELECT t.id, u.x FROM (VALUES (1, ARRAY[5, 6]), (2, ARRAY[7])) t(id, a) CROSS JOIN UNNEST(t.a) AS u(x) ORDER BY 2

-- t11_t_id_u_x_from
SELECT t.id, u.x FROM (VALUES (1, ARRAY[5]), (2, CAST(NULL AS array(integer)))) t(id, a) LEFT JOIN UNNEST(t.a) AS u(x) ON true ORDER BY 1

-- t12_x_y_from_unnest_array
SELECT x, y FROM UNNEST(ARRAY[1, 2], ARRAY['a']) AS t(x, y)

-- t13_x_y_z_n_from
SELECT x, y, z, n FROM UNNEST(ARRAY[1, 2], ARRAY['a'], ARRAY[true]) WITH ORDINALITY AS t(x, y, z, n)

-- t14_k_v_from_unnest_map
SELECT k, v FROM UNNEST(MAP(ARRAY['a', 'b'], ARRAY[1, 2])) AS t(k, v)

-- t15_x_y_from_unnest_array
SELECT x, y FROM UNNEST(ARRAY[ROW(1, 'a'), ROW(2, 'b')]) AS t(x, y)

-- t16_array_agg_x_array_agg
SELECT array_agg(x), array_agg(x) FILTER (WHERE x > 5) FROM (VALUES 1, NULL) t(x)

-- t17_array_agg_x_order_by
SELECT array_agg(x ORDER BY y DESC) FROM (VALUES (1, 1), (2, NULL), (3, 3)) t(x, y)

-- t18_y_array_agg_x_over
SELECT y, array_agg(x) OVER (PARTITION BY y ORDER BY x) FROM (VALUES (1, 'a'), (2, 'a')) t(x, y)

-- t19_listagg_x_within_group_order
SELECT listagg(x, ',') WITHIN GROUP (ORDER BY x) FROM (VALUES 'b', 'a') t(x)

-- t20_map_agg_k_v_from
SELECT map_agg(k, v) FROM (VALUES ('a', 1)) t(k, v)

-- t21_max_by_x_y_min
SELECT max_by(x, y), min_by(x, y), any_value(x), approx_distinct(x), count_if(x > 1), bool_and(x > 0) FROM (VALUES (1, 2), (3, 1)) t(x, y)

-- t22_cast_as_integer_cast_as
SELECT CAST(1.5 AS integer), CAST(2.5 AS bigint), CAST('abc' AS varchar(2)), CAST('a' AS char(3)), TRY_CAST('x' AS integer), TRY(CAST('x' AS integer))

-- t23_try_try_if_y_if
SELECT try(1 / 0), try(10 / 4), if(1 = 1, 'y'), if(1 = 2, 'y'), nullif(1, 1), coalesce(NULL, 2)

-- t24_date_add_day_date_date
SELECT date_add('day', 3, DATE '2020-02-27'), date_add('month', 1, DATE '2020-01-31'), date_add('hour', -2, TIMESTAMP '2020-01-01 01:00:00'), date_add('week', 1 + 1, DATE '2020-01-01'), date_add('quarter', 1, DATE '2020-01-31')

-- t25_date_diff_day_date_date
SELECT date_diff('day', DATE '2020-01-01', DATE '2020-03-01'), date_diff('month', DATE '2020-01-31', DATE '2020-02-28'), date_diff('hour', TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-02 01:30:00')

-- t26_date_trunc_month_date_date
SELECT date_trunc('month', DATE '2020-05-17'), date_trunc('hour', TIMESTAMP '2020-01-01 10:11:12'), date_trunc('week', DATE '2020-05-17')

-- t27_date_format_timestamp_y_m
SELECT date_format(TIMESTAMP '2020-01-02 03:04:05', '%Y-%m-%d %H:%i:%s'), date_parse('2020-01-02 03', '%Y-%m-%d %H'), format_datetime(TIMESTAMP '2020-01-02 03:04:05', 'yyyy/MM/dd''T''HH')

-- t28_from_unixtime_to_unixtime_timestamp
SELECT from_unixtime(1.5), to_unixtime(TIMESTAMP '1970-01-01 00:00:10 UTC'), year(DATE '2020-01-02'), day_of_week(DATE '2020-05-17'), week(DATE '2020-01-01'), extract(dow FROM DATE '2020-05-17'), extract(second FROM TIMESTAMP '2020-01-01 00:00:07.5')

-- t29_strpos_abc_c_substr_abcd
SELECT strpos('abc', 'c'), substr('abcd', 2, 2), substring('abcd' FROM 2 FOR 2), position('b' IN 'abc'), split_part('a,b', ',', 2), split('a.b', '.'), trim(BOTH 'x' FROM 'xax'), upper('a') || 'b', concat('a', 'b'), lpad('a', 3, '-')

-- t30_regexp_like_abc_b_regexp
SELECT regexp_like('abc', 'b'), regexp_extract('abc123', '\d+'), regexp_extract('abc', '\d+'), regexp_extract('a1b2', '(\w)(\d)', 2), regexp_replace('a1', '\d', 'x'), regexp_replace('a1', '\d'), regexp_extract_all('a1b2', '\d'), regexp_split('a1b', '\d')

-- t31_to_hex_md_to_utf
SELECT to_hex(md5(to_utf8('a'))), to_hex(from_hex('0aff')), to_base64(to_utf8('hi')), from_utf8(from_base64('aGk=')), to_hex(sha256(X'00'))

-- t32_json_extract_scalar_a_a
SELECT json_extract_scalar('{"a": 1}', '$.a'), json_parse('[1, 2]'), CAST(json_parse('[1,2]') AS array(integer)), json_format(json_parse('{"a":1}')), json_array_length('[1,2]')

-- t33_contains_array_sequence_transform_array
SELECT contains(ARRAY[1, 2], 2), sequence(1, 3), transform(ARRAY[1], x -> x + 1), filter(ARRAY[1, 2], x -> x > 1), reduce(ARRAY[1, 2], 0, (s, x) -> s + x, s -> s), any_match(ARRAY[1], x -> x = 1), array_join(ARRAY['a', 'b'], '-')

-- t34_greatest_null_least_bitwise_and
SELECT greatest(1, NULL), least(1, 2), bitwise_and(6, 3), bitwise_xor(6, 3), bitwise_not(0), bitwise_left_shift(1, 3), mod(7, 3), power(2, 3), round(2.5), ceil(1.2)

-- t35_typeof_typeof_a_typeof_array
SELECT typeof(1), typeof('a'), typeof(ARRAY[1]), typeof(TIMESTAMP '2020-01-01 00:00:00'), typeof(CAST(ROW(1) AS row(a bigint)))

-- t36_row_a_cast_row_a
SELECT ROW(1, 'a')[1], CAST(ROW(1, 'a') AS row(x bigint, y varchar)).y, (1, 2) = (1, 2), 1 IS DISTINCT FROM NULL, 1 <> 2, 1 IN (SELECT 1), 1 = ANY (SELECT 1), 1 <> ALL (SELECT 2)

-- t37_timestamp_timestamp_date_interval_day
SELECT TIMESTAMP '2020-01-01 10:00 +02:00', TIMESTAMP '2020-01-01 10:00', DATE '2020-01-01' + INTERVAL '1' DAY, TIMESTAMP '2020-01-01 00:00:00' - INTERVAL '1' MONTH, at_timezone(TIMESTAMP '2020-01-01 00:00:00 UTC', 'Europe/Amsterdam'), with_timezone(TIMESTAMP '2020-01-01 00:00:00', 'Europe/Amsterdam')

-- t38_decimal_e_bigint_x_aff
SELECT DECIMAL '1.50', 1e0, 1.50, BIGINT '5', X'0aff', CAST(1 AS real), CAST(5 AS decimal(10, 2)), infinity(), is_nan(nan())

-- t39_current_user_current_catalog_current
SELECT current_user, current_catalog, current_schema, typeof(current_timestamp), typeof(localtimestamp), typeof(now()), typeof(current_date)

-- t40_a_b_order_by_desc
VALUES (1, 'a'), (2, 'b') ORDER BY 1 DESC LIMIT 1

-- t41_recursive_t_n_as_values
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT sum(n) FROM t

-- t42_x_grouping_x_count_from
SELECT x, grouping(x), count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY GROUPING SETS ((x), ()) ORDER BY 1

-- t43_x_row_number_over_order
SELECT x, row_number() OVER (ORDER BY x), lag(x) OVER (ORDER BY x), sum(x) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM (VALUES 1, 2) t(x) ORDER BY 1

-- t44_t_x_l_y_from
SELECT t.x, l.y FROM (VALUES 1, 2) t(x) CROSS JOIN LATERAL (SELECT t.x * 2 AS y) l ORDER BY 1

-- t45_where_exists_select_and_not
SELECT 1 WHERE EXISTS (SELECT 1) AND NOT EXISTS (SELECT 1 FROM (VALUES 1) t(x) WHERE false)

-- t46_random_random_from_base_ff
SELECT random() < 1, random(5) < 5, from_base('ff', 16), to_base(255, 16), width_bucket(5, 0, 10, 2)

-- t47_json_value_a_lax_a
SELECT json_value('{"a": 1}', 'lax $.a'), CAST(ARRAY[1, 2] AS json), CAST('x' AS json), json_extract('{"a": {"b": 1}}', '$.a')
