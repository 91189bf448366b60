-- json_literal
SELECT JSON '{"b": 1, "a": [1, 2.50, null]}', JSON '"x"', JSON 'null'

-- json_parse_values
SELECT json_parse('[1, "a", {"k": true}]'), json_parse('1e3'), json_parse(s) FROM (VALUES '{"z":1,"a":2}', '"é"', NULL) t(s)

-- json_parse_invalid
SELECT json_parse('{"a":')

-- json_format_values
SELECT json_format(JSON '{"b": 1, "a": 2}'), json_format(JSON '"a\"b"'), json_format(json_parse(s)) FROM (VALUES '[ 1 , 2 ]', NULL) t(s)

-- is_json_scalar_values
SELECT is_json_scalar('1'), is_json_scalar('"a"'), is_json_scalar('[1]'), is_json_scalar('null'), is_json_scalar(JSON '{}')

-- json_array_contains_values
SELECT json_array_contains('[1, 2, 3]', 2), json_array_contains('["a", null]', 'a'), json_array_contains('[1.5, true]', true), json_array_contains('[1.5]', 1.5), json_array_contains('{}', 1)

-- json_array_get_values
SELECT json_array_get('["a", [3, 9], "c"]', 0), json_array_get('["a", [3, 9], "c"]', 1), json_array_get('["a"]', -1), json_array_get('["a"]', 5)

-- json_array_length_values
SELECT json_array_length('[1, 2, [3, 4]]'), json_array_length('[]'), json_array_length('{"a": 1}'), json_array_length(s) FROM (VALUES '[null]', 'x', NULL) t(s)

-- json_extract_values
SELECT json_extract('{"store": {"book": [{"t": "x"}, {"t": "y"}]}}', '$.store.book'), json_extract('{"a": {"b": null}}', '$.a.b'), json_extract('{"a": 1}', '$.z')

-- json_extract_subscripts
SELECT json_extract('{"a b": [1, 2]}', '$["a b"][1]'), json_extract('[1, 2, 3]', '$[0]'), json_extract('[1]', '$[7]')

-- json_extract_column
SELECT json_extract(j, '$.x') FROM (VALUES '{"x": {"y": [1]}}', '{"x": "text"}', '{}', NULL) t(j)

-- json_extract_invalid_path
SELECT json_extract('{}', '$.')

-- json_extract_scalar_values
SELECT json_extract_scalar('{"a": "x", "b": 1.50, "c": true, "d": null, "e": []}', '$.a'), json_extract_scalar('{"b": 1.50}', '$.b'), json_extract_scalar('{"c": true}', '$.c'), json_extract_scalar('{"d": null}', '$.d'), json_extract_scalar('{"e": []}', '$.e')

-- json_extract_scalar_column
SELECT json_extract_scalar(j, '$.k[0]') FROM (VALUES JSON '{"k": ["v", 2]}', JSON '{"k": []}', NULL) t(j)

-- json_size_values
SELECT json_size('{"x": {"a": 1, "b": 2}}', '$.x'), json_size('{"x": [1, 2, 3]}', '$.x'), json_size('{"x": 5}', '$.x'), json_size('{"x": 5}', '$.y')

-- cast_to_json_scalars
SELECT CAST(1 AS json), CAST('a"b' AS json), CAST(true AS json), CAST(1.50 AS json), CAST(DOUBLE '1.5' AS json), CAST(NULL AS json)

-- cast_to_json_dates
SELECT CAST(DATE '2024-01-02' AS json), CAST(TIMESTAMP '2024-01-02 03:04:05.678' AS json)

-- cast_to_json_array
SELECT CAST(ARRAY[1, NULL, 3] AS json), CAST(ARRAY[ARRAY['a'], NULL] AS json), CAST(ARRAY[] AS json)

-- cast_to_json_map
SELECT CAST(MAP(ARRAY['b', 'a'], ARRAY[1, NULL]) AS json), CAST(MAP(ARRAY[1, 2], ARRAY['x', 'y']) AS json)

-- cast_to_json_row
SELECT CAST(ROW(1, 'a', NULL) AS json), CAST(CAST(ROW(1, 'a') AS ROW(x integer, y varchar)) AS json)

-- cast_from_json_scalars
SELECT CAST(JSON '1' AS integer), CAST(JSON '"x"' AS varchar), CAST(JSON 'true' AS boolean), CAST(JSON '1.5' AS double), CAST(JSON '"12"' AS bigint), CAST(JSON '1.25' AS decimal(5, 1))

-- cast_from_json_null
SELECT CAST(JSON 'null' AS integer), CAST(JSON 'null' AS varchar), CAST(JSON 'null' AS array(integer))

-- cast_from_json_array
SELECT CAST(JSON '[1, 2.7, "3", null]' AS array(integer)), CAST(JSON '[[1], []]' AS array(array(bigint))), CAST(JSON '["a", 1, true]' AS array(varchar))

-- cast_from_json_map
SELECT CAST(JSON '{"k1": 1, "k2": null}' AS map(varchar, integer)), CAST(JSON '{"1": [2]}' AS map(integer, array(integer)))

-- cast_from_json_row
SELECT CAST(JSON '{"v2": "x", "v1": 1}' AS ROW(v1 integer, v2 varchar)), CAST(JSON '[1, "x"]' AS ROW(v1 integer, v2 varchar)), CAST(JSON '{"v1": 5, "other": 1}' AS ROW(v1 integer, v2 varchar))

-- cast_from_json_as_json
SELECT CAST(JSON '{"a": [1, "x"]}' AS map(varchar, json)), CAST(JSON '[{"a": 1}, 2]' AS array(json))

-- cast_from_json_error
SELECT CAST(JSON '"x"' AS integer)

-- cast_from_json_column
SELECT CAST(json_parse(s) AS array(varchar)) FROM (VALUES '["a", null]', '[]', 'null', NULL) t(s)

-- cast_varchar_to_json_is_a_string
SELECT CAST('{"a": 1}' AS json)

-- json_compare
SELECT JSON '{"a": 1, "b": 2}' = JSON '{"b": 2, "a": 1}', JSON '[1,2]' = JSON '[2,1]', JSON '1' = JSON '1.0'

-- json_group_by
SELECT j, count(*) FROM (VALUES JSON '{"a":1}', JSON '{"a": 1}') t(j) GROUP BY j

-- json_exists_values
SELECT json_exists('{"a": [1, 2]}', 'lax $.a[1]'), json_exists('{"a": 1}', 'lax $.b'), json_exists('{"a": 1}', 'strict $.b' FALSE ON ERROR), json_exists(s, 'lax $.a') FROM (VALUES '{"a": null}', NULL) t(s)

-- json_exists_filter
SELECT json_exists('[1, 5, 9]', 'lax $[*]?(@ > 6)'), json_exists('[1, 5, 9]', 'lax $[*]?(@ > 60)')

-- json_exists_error_on_error
SELECT json_exists('{"a": 1}', 'strict $.b' ERROR ON ERROR)

-- json_query_values
SELECT json_query('{"a": [1, {"b": "x"}]}', 'lax $.a'), json_query('{"a": [1, 2]}', 'lax $.a[*]' WITH ARRAY WRAPPER), json_query('{"a": 1}', 'lax $.z'), json_query('{"a": "x"}', 'lax $.a')

-- json_query_wrappers
SELECT json_query('[1, 2]', 'lax $[*]' WITH UNCONDITIONAL ARRAY WRAPPER), json_query('[[1], 2]', 'lax $[0]' WITH CONDITIONAL ARRAY WRAPPER), json_query('["a"]', 'lax $[0]' OMIT QUOTES)

-- json_query_on_empty
SELECT json_query('{}', 'lax $.z' EMPTY ARRAY ON EMPTY), json_query('{}', 'lax $.z' EMPTY OBJECT ON EMPTY), json_query('{"a":1}', 'strict $.b' NULL ON ERROR)

-- json_query_passing
SELECT json_query('[10, 20, 30]', 'lax $[$i]' PASSING 1 AS "i")

-- json_value_values
SELECT json_value('{"a": "x", "b": 1.5}', 'lax $.a'), json_value('{"a": "x", "b": 1.5}', 'lax $.b'), json_value('{"a": [1]}', 'lax $.a'), json_value('{}', 'lax $.z')

-- json_value_returning
SELECT json_value('{"n": 12}', 'lax $.n' RETURNING bigint), json_value('{"d": "2024-01-02"}', 'lax $.d' RETURNING date), json_value('{"b": true}', 'lax $.b' RETURNING boolean), json_value('{"x": 1.25}', 'lax $.x' RETURNING decimal(5, 2))

-- json_value_defaults
SELECT json_value('{}', 'lax $.z' DEFAULT 'none' ON EMPTY), json_value('{"a": [1, 2]}', 'lax $.a[*]' DEFAULT 'bad' ON ERROR), json_value('{}', 'strict $.z' RETURNING integer DEFAULT -1 ON ERROR)

-- json_value_error_on_empty
SELECT json_value('{}', 'lax $.z' ERROR ON EMPTY)

-- json_value_methods
SELECT json_value('{"a": [1, 2, 3]}', 'lax $.a.size()' RETURNING integer), json_value('"x"', 'lax $.type()'), json_value('-2.5', 'lax $.abs()' RETURNING double), json_value('2.7', 'lax $.floor()' RETURNING integer), json_value('2.1', 'lax $.ceiling()' RETURNING integer)

-- json_value_arithmetic
SELECT json_value('{"a": 5}', 'lax $.a + 2' RETURNING integer), json_value('{"a": 5}', 'lax -$.a * 3' RETURNING integer), json_value('{"a": 5}', 'lax $.a % 3' RETURNING integer)

-- json_value_filters
SELECT json_value('[{"n": "a", "v": 1}, {"n": "b", "v": 2}]', 'lax $[*]?(@.n == "b").v' RETURNING integer), json_value('["abc", "xyz"]', 'lax $[*]?(@ starts with "x")'), json_value('[1, 2, 3]', 'lax $[last]' RETURNING integer)

-- json_value_column
SELECT json_value(j, 'lax $.k' RETURNING integer) FROM (VALUES '{"k": 1}', '{"k": "7"}', '{"k": null}', NULL) t(j)

-- json_query_array_ranges
SELECT json_query('[0, 1, 2, 3, 4]', 'lax $[1 to 3]' WITH ARRAY WRAPPER), json_query('[0, 1, 2]', 'lax $[0, last]' WITH ARRAY WRAPPER), json_query('{"a": 1, "b": 2}', 'lax $.*' WITH ARRAY WRAPPER)

-- json_query_descendant_and_keyvalue
SELECT json_query('{"a": 1, "b": {"a": 2}}', 'lax $..a' WITH ARRAY WRAPPER), json_query('{"x": 1}', 'lax $.keyvalue().name' WITH ARRAY WRAPPER)

-- json_object_values
SELECT json_object('a' : 1, 'b' : 'x', 'c' : true, 'd' : NULL), json_object(KEY 'k' VALUE 2.5), json_object()

-- json_object_nulls_and_keys
SELECT json_object('a' : NULL ABSENT ON NULL), json_object('a' : 1, 'b' : '[1]' FORMAT JSON), json_object('k' VALUE x) FROM (VALUES 1, NULL) t(x)

-- json_object_unique_keys
SELECT json_object('a' : 1, 'a' : 2 WITH UNIQUE KEYS)

-- json_array_values
SELECT json_array(1, 'x', true, 2.5), json_array(1, NULL), json_array(1, NULL NULL ON NULL), json_array(), json_array('{"a": 1}' FORMAT JSON)

-- json_array_nested
SELECT json_array(json_array(1), json_object('k' : 'v'))

-- json_table_simple
SELECT * FROM JSON_TABLE('[{"a": 1, "b": "x"}, {"a": 2}]', 'lax $[*]' COLUMNS (a integer PATH 'lax $.a', b varchar PATH 'lax $.b'))

-- json_exists_passing
SELECT json_exists('[1, 2, 3]', 'lax $[*] ? (@ > $m)' PASSING 2 AS "m"), json_value('{}', 'lax $X' PASSING 'a' AS x)

-- json_passing_missing
SELECT json_exists('{}', 'lax $y' PASSING 1 AS "x")

-- json_functions_of_json
SELECT json_array_length(JSON '[1, 2]'), json_size(JSON '{"a": 1}', '$'), json_extract(JSON '{"a": [1]}', '$.a')

-- json_is_not_orderable
SELECT a FROM (VALUES JSON '1', JSON '2') t(a) ORDER BY a

-- passing_null_as_json
SELECT json_query('["a"]', 'lax $v' PASSING NULL FORMAT JSON AS "v" EMPTY ARRAY ON EMPTY), json_exists('["a"]', 'lax $v' PASSING NULL FORMAT JSON AS "v")

-- passing_null
SELECT json_query('["a"]', 'lax $v' PASSING NULL AS "v" EMPTY ARRAY ON EMPTY), json_exists('["a"]', 'lax $v' PASSING NULL AS "v")

-- object_null_as_json
SELECT json_object('a' : NULL FORMAT JSON NULL ON NULL), json_object('a' : NULL FORMAT JSON ABSENT ON NULL)

-- size_by_char_path
SELECT json_size(a, CHAR '$') FROM (VALUES '[1,2,3]') t(a)
