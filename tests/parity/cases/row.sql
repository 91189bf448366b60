-- row_constructor
SELECT ROW(1, 'a', NULL), (2, 3.5)

-- row_field
SELECT CAST(ROW(1, 2.5) AS ROW(x bigint, y double)).y

-- row_column_field
SELECT r.a, r.b FROM (VALUES ROW(CAST(ROW(1, 'x') AS ROW(a integer, b varchar))), ROW(NULL)) t(r)

-- row_subscript
SELECT ROW(5, 'z')[1], r[2] FROM (VALUES ROW(ROW(1, 'q'))) t(r)

-- row_subscript_beyond
SELECT ROW(5, 'z')[3]

-- row_nested_field
SELECT r.o.i FROM (SELECT CAST(ROW(ROW(7)) AS ROW(o ROW(i integer))) r)

-- row_all_fields
SELECT CAST(ROW(1, 'x') AS ROW(a integer, b varchar)).*

-- row_all_fields_with_names
SELECT t.r.* AS (p, q) FROM (SELECT CAST(ROW(1, true) AS ROW(a integer, b boolean)) r) t

-- row_distinct
SELECT DISTINCT r FROM (VALUES ROW(ROW(1, 2)), ROW(ROW(1, 2)), ROW(ROW(1, NULL))) t(r)

-- row_in_array
SELECT ARRAY[ROW(1, 'a'), ROW(2, 'b')][2][1]

-- row_order_by
SELECT r FROM (VALUES ROW(ROW(2, 'a')), ROW(ROW(1, 'b')), ROW(ROW(1, 'a'))) t(r) ORDER BY r

-- row_is_null
SELECT r IS NULL FROM (VALUES ROW(CAST(NULL AS ROW(a integer))), ROW(CAST(ROW(NULL) AS ROW(a integer)))) t(r)

-- fields_keep_names
SELECT r, r[1], r[3] FROM (VALUES ROW(ROW(TIMESTAMP '2020-01-01 00:00:00', 1, JSON '1'))) t(r)

-- fields_of_several_zones
SELECT ROW(TIMESTAMP '2020-01-01 00:00:00 Asia/Kathmandu', TIMESTAMP '2020-01-01 00:00:00 UTC')

-- field_of_a_cast
SELECT CAST(ROW(TIMESTAMP '2020-01-01 00:00:00') AS ROW(a timestamp(3))).a

-- greatest_rows
SELECT greatest(a, b), least(a, b), greatest(ARRAY[1], ARRAY[2]) FROM (VALUES (ROW(1, NAN()), ROW(1, 5e0))) t(a, b)
