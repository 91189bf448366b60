-- input
SELECT 7 / 2, -7 / 2, 7 / 2.0, 7 % 2
-- expected
[3, -3, 3.5, 1]

-- input
SELECT count(*) / 2 FROM (VALUES 1, 2, 3) t(x)
-- expected
[1]

-- input
SELECT x FROM (VALUES 2, NULL, 1) t(x) ORDER BY x
-- expected
[1]
[2]
[null]

-- input
SELECT x FROM (VALUES 2, NULL, 1) t(x) ORDER BY x DESC
-- expected
[2]
[1]
[null]

-- input
SELECT x FROM (VALUES 2, NULL, 1) t(x) ORDER BY x NULLS FIRST OFFSET 1 ROWS FETCH FIRST 1 ROWS ONLY
-- expected
[1]

-- input
SELECT 'it''s', 'a\nb', length('a\nb'), U&'\00e9', "x y" FROM (VALUES 1) t("x y")
-- expected
["it's", "a\\nb", 4, "é", 1]

-- input
SELECT 'a\b' LIKE 'a\b', 'a_b' LIKE 'a\_b' ESCAPE '\', 'axb' LIKE 'a\_b' ESCAPE '\', 'a%' LIKE 'a#%' ESCAPE '#'
-- expected
[true, true, false, true]

-- input
SELECT a[1], m['k'], element_at(a, 5), element_at(m, 'z'), cardinality(a) FROM (VALUES (ARRAY[10, 20], MAP(ARRAY['k'], ARRAY[1]))) t(a, m)
-- expected
[10, 1, null, null, 2]

-- input
SELECT x, n FROM UNNEST(ARRAY['a', 'b']) WITH ORDINALITY AS t(x, n)
-- expected
["a", 1]
["b", 2]

-- input
SELECT t.id, u.x FROM (VALUES (1, ARRAY[5, 6]), (2, ARRAY[7])) t(id, a) CROSS JOIN UNNEST(t.a) AS u(x) ORDER BY 2
-- expected
[1, 5]
[1, 6]
[2, 7]

-- input
SELECT t.id, u.x FROM (VALUES (1, ARRAY[5]), (2, CAST(NULL AS array(integer)))) t(id, a) LEFT JOIN UNNEST(t.a) AS u(x) ON true ORDER BY 1
-- expected
[1, 5]
[2, null]

-- input
SELECT x, y FROM UNNEST(ARRAY[1, 2], ARRAY['a']) AS t(x, y)
-- expected
[1, "a"]
[2, null]

-- input
SELECT x, y, z, n FROM UNNEST(ARRAY[1, 2], ARRAY['a'], ARRAY[true]) WITH ORDINALITY AS t(x, y, z, n)
-- expected
[1, "a", true, 1]
[2, null, null, 2]

-- input
SELECT k, v FROM UNNEST(MAP(ARRAY['a', 'b'], ARRAY[1, 2])) AS t(k, v)
-- expected
["a", 1]
["b", 2]

-- input
SELECT x, y FROM UNNEST(ARRAY[ROW(1, 'a'), ROW(2, 'b')]) AS t(x, y)
-- expected
[1, "a"]
[2, "b"]

-- input
SELECT array_agg(x), array_agg(x) FILTER (WHERE x > 5) FROM (VALUES 1, NULL) t(x)
-- expected
[[1, null], null]

-- input
SELECT array_agg(x ORDER BY y DESC) FROM (VALUES (1, 1), (2, NULL), (3, 3)) t(x, y)
-- expected
[[3, 1, 2]]

-- input
SELECT y, array_agg(x) OVER (PARTITION BY y ORDER BY x) FROM (VALUES (1, 'a'), (2, 'a')) t(x, y)
-- expected
["a", [1]]
["a", [1, 2]]

-- input
SELECT listagg(x, ',') WITHIN GROUP (ORDER BY x) FROM (VALUES 'b', 'a') t(x)
-- expected
["a,b"]

-- input
SELECT map_agg(k, v) FROM (VALUES ('a', 1)) t(k, v)
-- expected
[{"a": 1}]

-- input
SELECT max_by(x, y), min_by(x, y), any_value(x), approx_distinct(x), count_if(x > 1), bool_and(x > 0) FROM (VALUES (1, 2), (3, 1)) t(x, y)
-- expected
[1, 3, 1, 2, 1, true]

-- input
SELECT CAST(1.5 AS integer), CAST(2.5 AS bigint), CAST('abc' AS varchar(2)), CAST('a' AS char(3)), TRY_CAST('x' AS integer), TRY(CAST('x' AS integer))
-- expected
[2, 3, "ab", "a  ", null, null]

-- input
SELECT try(1 / 0), try(10 / 4), if(1 = 1, 'y'), if(1 = 2, 'y'), nullif(1, 1), coalesce(NULL, 2)
-- expected
[null, 2, "y", null, null, 2]

-- input
SELECT date_add('day', 3, DATE '2020-02-27'), date_add('month', 1, DATE '2020-01-31'), date_add('hour', -2, TIMESTAMP '2020-01-01 01:00:00'), date_add('week', 1 + 1, DATE '2020-01-01'), date_add('quarter', 1, DATE '2020-01-31')
-- expected
["2020-03-01", "2020-02-29", "2019-12-31 23:00:00", "2020-01-15", "2020-04-30"]

-- input
SELECT date_diff('day', DATE '2020-01-01', DATE '2020-03-01'), date_diff('month', DATE '2020-01-31', DATE '2020-02-28'), date_diff('hour', TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-02 01:30:00')
-- expected
[60, 0, 25]

-- input
SELECT date_trunc('month', DATE '2020-05-17'), date_trunc('hour', TIMESTAMP '2020-01-01 10:11:12'), date_trunc('week', DATE '2020-05-17')
-- expected
["2020-05-01", "2020-01-01 10:00:00", "2020-05-11"]

-- input
SELECT date_format(TIMESTAMP '2020-01-02 03:04:05', '%Y-%m-%d %H:%i:%s'), date_parse('2020-01-02 03', '%Y-%m-%d %H'), format_datetime(TIMESTAMP '2020-01-02 03:04:05', 'yyyy/MM/dd''T''HH')
-- expected
["2020-01-02 03:04:05", "2020-01-02 03:00:00", "2020/01/02T03"]

-- input
SELECT from_unixtime(1.5), to_unixtime(TIMESTAMP '1970-01-01 00:00:10 UTC'), year(DATE '2020-01-02'), day_of_week(DATE '2020-05-17'), week(DATE '2020-01-01'), extract(dow FROM DATE '2020-05-17'), extract(second FROM TIMESTAMP '2020-01-01 00:00:07.5')
-- expected
["1970-01-01 00:00:01.5+00:00", 10.0, 2020, 7, 1, 7, 7]

-- input
SELECT strpos('abc', 'c'), substr('abcd', 2, 2), substring('abcd' FROM 2 FOR 2), position('b' IN 'abc'), split_part('a,b', ',', 2), split('a.b', '.'), trim(BOTH 'x' FROM 'xax'), upper('a') || 'b', concat('a', 'b'), lpad('a', 3, '-')
-- expected
[3, "bc", "bc", 2, "b", ["a", "b"], "a", "Ab", "ab", "--a"]

-- input
SELECT regexp_like('abc', 'b'), regexp_extract('abc123', '\d+'), regexp_extract('abc', '\d+'), regexp_extract('a1b2', '(\w)(\d)', 2), regexp_replace('a1', '\d', 'x'), regexp_replace('a1', '\d'), regexp_extract_all('a1b2', '\d'), regexp_split('a1b', '\d')
-- expected
[true, "123", null, "1", "ax", "a", ["1", "2"], ["a", "b"]]

-- input
SELECT to_hex(md5(to_utf8('a'))), to_hex(from_hex('0aff')), to_base64(to_utf8('hi')), from_utf8(from_base64('aGk=')), to_hex(sha256(X'00'))
-- expected
["0CC175B9C0F1B6A831C399E269772661", "0AFF", "aGk=", "hi", "6E340B9CFFB37A989CA544E6BB780A2C78901D3FB33738768511A30617AFA01D"]

-- input
SELECT json_extract_scalar('{"a": 1}', '$.a'), json_parse('[1, 2]'), CAST(json_parse('[1,2]') AS array(integer)), json_format(json_parse('{"a":1}')), json_array_length('[1,2]')
-- expected
["1", "[1,2]", [1, 2], "{\"a\":1}", 2]

-- input
SELECT contains(ARRAY[1, 2], 2), sequence(1, 3), transform(ARRAY[1], x -> x + 1), filter(ARRAY[1, 2], x -> x > 1), reduce(ARRAY[1, 2], 0, (s, x) -> s + x, s -> s), any_match(ARRAY[1], x -> x = 1), array_join(ARRAY['a', 'b'], '-')
-- expected
[true, [1, 2, 3], [2], [2], 3, true, "a-b"]

-- input
SELECT greatest(1, NULL), least(1, 2), bitwise_and(6, 3), bitwise_xor(6, 3), bitwise_not(0), bitwise_left_shift(1, 3), mod(7, 3), power(2, 3), round(2.5), ceil(1.2)
-- expected
[null, 1, 2, 5, -1, 8, 1, 8.0, 3, 2]

-- input
SELECT typeof(1), typeof('a'), typeof(ARRAY[1]), typeof(TIMESTAMP '2020-01-01 00:00:00'), typeof(CAST(ROW(1) AS row(a bigint)))
-- expected
["integer", "varchar", "array(integer)", "timestamp(6)", "row(a bigint)"]

-- input
SELECT ROW(1, 'a')[1], CAST(ROW(1, 'a') AS row(x bigint, y varchar)).y, (1, 2) = (1, 2), 1 IS DISTINCT FROM NULL, 1 <> 2, 1 IN (SELECT 1), 1 = ANY (SELECT 1), 1 <> ALL (SELECT 2)
-- expected
[1, "a", true, true, true, true, true, true]

-- input
SELECT TIMESTAMP '2020-01-01 10:00 +02:00', TIMESTAMP '2020-01-01 10:00', DATE '2020-01-01' + INTERVAL '1' DAY, TIMESTAMP '2020-01-01 00:00:00' - INTERVAL '1' MONTH, at_timezone(TIMESTAMP '2020-01-01 00:00:00 UTC', 'Europe/Amsterdam'), with_timezone(TIMESTAMP '2020-01-01 00:00:00', 'Europe/Amsterdam')
-- expected
["2020-01-01 08:00:00+00:00", "2020-01-01 10:00:00", "2020-01-02", "2019-12-01 00:00:00", "2020-01-01 00:00:00+00:00", "2019-12-31 23:00:00+00:00"]

-- input
SELECT DECIMAL '1.50', 1e0, 1.50, BIGINT '5', X'0aff', CAST(1 AS real), CAST(5 AS decimal(10, 2)), infinity(), is_nan(nan())
-- expected
[1.5, 1.0, 1.5, 5, "\\x0AFF", 1.0, 5.0, "Infinity", true]

-- input
SELECT current_user, current_catalog, current_schema, typeof(current_timestamp), typeof(localtimestamp), typeof(now()), typeof(current_date)
-- expected
["ada", "iceberg", "default", "timestamp(6) with time zone", "timestamp(6)", "timestamp(6) with time zone", "date"]

-- input
VALUES (1, 'a'), (2, 'b') ORDER BY 1 DESC LIMIT 1
-- expected
[2, "b"]

-- input
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT sum(n) FROM t
-- expected
[6]

-- input
SELECT x, grouping(x), count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY GROUPING SETS ((x), ()) ORDER BY 1
-- expected
[1, 0, 2]
[2, 0, 1]
[null, 1, 3]

-- input
SELECT x, row_number() OVER (ORDER BY x), lag(x) OVER (ORDER BY x), sum(x) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM (VALUES 1, 2) t(x) ORDER BY 1
-- expected
[1, 1, null, 1]
[2, 2, 1, 3]

-- input
SELECT t.x, l.y FROM (VALUES 1, 2) t(x) CROSS JOIN LATERAL (SELECT t.x * 2 AS y) l ORDER BY 1
-- expected
[1, 2]
[2, 4]

-- input
SELECT 1 WHERE EXISTS (SELECT 1) AND NOT EXISTS (SELECT 1 FROM (VALUES 1) t(x) WHERE false)
-- expected
[1]

-- input
SELECT random() < 1, random(5) < 5, from_base('ff', 16), to_base(255, 16), width_bucket(5, 0, 10, 2)
-- expected
[true, true, 255, "ff", 2]

-- input
SELECT json_value('{"a": 1}', 'lax $.a'), CAST(ARRAY[1, 2] AS json), CAST('x' AS json), json_extract('{"a": {"b": 1}}', '$.a')
-- expected
["1", "[1,2]", "\"x\"", "{\"b\":1}"]
