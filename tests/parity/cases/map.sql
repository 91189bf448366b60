-- map_constructor
SELECT MAP(ARRAY['a', 'b'], ARRAY[1, 2]), MAP(ARRAY[1], ARRAY[NULL]), MAP()

-- map_constructor_column
SELECT map(k, v) FROM (VALUES (ARRAY[1, 2], ARRAY['x', 'y']), (ARRAY[], ARRAY[]), (NULL, ARRAY['x'])) t(k, v)

-- map_other_lengths
SELECT map(ARRAY[1, 2], ARRAY[1])

-- map_duplicate_key
SELECT map(ARRAY[1, 1], ARRAY[1, 2])

-- map_null_key
SELECT map(ARRAY[1, NULL], ARRAY[1, 2])

-- map_subscript
SELECT MAP(ARRAY['a', 'b'], ARRAY[1, 2])['b'], m[x] FROM (VALUES (MAP(ARRAY[1, 2], ARRAY['x', NULL]), 2)) t(m, x)

-- cardinality_map
SELECT cardinality(MAP(ARRAY[1, 2], ARRAY[3, 4])), cardinality(MAP()), cardinality(m) FROM (VALUES MAP(ARRAY[1], ARRAY[1]), NULL) t(m)

-- element_at_map
SELECT element_at(MAP(ARRAY['a'], ARRAY[1]), 'a'), element_at(MAP(ARRAY['a'], ARRAY[1]), 'z'), element_at(m, k) FROM (VALUES (MAP(ARRAY[1.5], ARRAY['x']), 1.5), (NULL, 1.0)) t(m, k)

-- map_concat_values
SELECT map_concat(MAP(ARRAY['a', 'b'], ARRAY[1, 2]), MAP(ARRAY['b', 'c'], ARRAY[20, 30])), map_concat(MAP(), MAP(ARRAY[1], ARRAY[2]))

-- map_concat_column
SELECT map_concat(m, MAP(ARRAY[1], ARRAY['z'])) FROM (VALUES MAP(ARRAY[2], ARRAY['y']), NULL) t(m)

-- map_entries_values
SELECT map_entries(MAP(ARRAY[1, 2], ARRAY['x', NULL])), map_entries(MAP())

-- map_from_entries_values
SELECT map_from_entries(ARRAY[(1, 'x'), (2, 'y')]), map_from_entries(ARRAY[('a', NULL)])

-- map_from_entries_duplicate
SELECT map_from_entries(ARRAY[(1, 'x'), (1, 'y')])

-- multimap_from_entries_values
SELECT multimap_from_entries(ARRAY[(1, 'x'), (2, 'y'), (1, 'z')])

-- map_keys_and_values
SELECT array_sort(map_keys(MAP(ARRAY['b', 'a'], ARRAY[1, 2]))), array_sort(map_values(MAP(ARRAY['b', 'a'], ARRAY[9, 2])))

-- map_keys_column
SELECT map_keys(m), map_values(m) FROM (VALUES MAP(ARRAY[1], ARRAY['a']), MAP(ARRAY[2], ARRAY[NULL]), NULL) t(m)

-- map_filter_values
SELECT map_filter(MAP(ARRAY[10, 20, 30], ARRAY['a', NULL, 'c']), (k, v) -> v IS NOT NULL), map_filter(MAP(ARRAY['k1', 'k2'], ARRAY[20, 3]), (k, v) -> v > 10)

-- transform_keys_values
SELECT transform_keys(MAP(ARRAY[1, 2], ARRAY['a', 'b']), (k, v) -> k * 10), transform_keys(MAP(ARRAY['a'], ARRAY[1]), (k, v) -> k || CAST(v AS varchar))

-- transform_keys_duplicate
SELECT transform_keys(MAP(ARRAY[1, 2], ARRAY['a', 'b']), (k, v) -> 1)

-- transform_values_values
SELECT transform_values(MAP(ARRAY[1, 2], ARRAY[10, NULL]), (k, v) -> v + k), transform_values(MAP(ARRAY['a'], ARRAY['b']), (k, v) -> k || v)

-- map_zip_with_values
SELECT map_zip_with(MAP(ARRAY[1, 2], ARRAY['a', 'b']), MAP(ARRAY[2, 3], ARRAY['c', 'd']), (k, v1, v2) -> coalesce(v1, '-') || coalesce(v2, '-'))

-- map_of_row_values
SELECT MAP(ARRAY['x'], ARRAY[ROW(1, 'a')])

-- map_with_date_keys
SELECT MAP(ARRAY[DATE '2024-01-01'], ARRAY[DOUBLE '1.5'])

-- unnest_map
SELECT k, v FROM UNNEST(MAP(ARRAY['a', 'b'], ARRAY[1, NULL])) t(k, v) ORDER BY k

-- map_group_by
SELECT m, count(*) FROM (VALUES MAP(ARRAY[1, 2], ARRAY[3, 4]), MAP(ARRAY[2, 1], ARRAY[4, 3])) t(m) GROUP BY m

-- keys_that_are_no_scalars
SELECT MAP(ARRAY[ARRAY[1, 2], ARRAY[]], ARRAY['a', 'b']), MAP(ARRAY[ARRAY['x', 'y z']], ARRAY[1]), MAP(ARRAY[ROW(1, 'x')], ARRAY[1])

-- values_keep_names
SELECT m, m['a'], element_at(m, 'a'), map_values(m), map_entries(m) FROM (VALUES MAP(ARRAY['a'], ARRAY[TIMESTAMP '2020-01-01 00:00:00.12'])) t(m)

-- keys_keep_names
SELECT m, map_keys(m) FROM (VALUES MAP(ARRAY[UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'], ARRAY[JSON '[1]'])) t(m)

-- not_distinct_maps
SELECT a IS NOT DISTINCT FROM b, a IN (NULL, b), a IS DISTINCT FROM NULL FROM (VALUES (MAP(ARRAY[1], ARRAY[NULL]), MAP(ARRAY[1], ARRAY[NULL]))) t(a, b)

-- from_entries_keep_names
SELECT map_from_entries(ARRAY[ROW('a', TIMESTAMP '2020-01-01 00:00:00.12')]), multimap_from_entries(ARRAY[ROW('a', JSON '1')])

-- json_of_json_values
SELECT CAST(MAP(ARRAY[1, 2], ARRAY[JSON '[1, "a"]', NULL]) AS json), CAST(MAP(ARRAY[1], ARRAY[TIMESTAMP '1970-01-01 00:00:01']) AS json)
