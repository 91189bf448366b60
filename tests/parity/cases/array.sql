-- all_match_values
SELECT all_match(ARRAY[2, 4], x -> x % 2 = 0), all_match(ARRAY[2, 3], x -> x % 2 = 0), all_match(ARRAY[], x -> true)

-- all_match_null
SELECT all_match(a, x -> x > 1) FROM (VALUES ARRAY[2, NULL], ARRAY[1, NULL], NULL) t(a)

-- any_match_values
SELECT any_match(ARRAY[1, 3], x -> x = 3), any_match(ARRAY[1, 3], x -> x = 4), any_match(a, x -> x = 2) FROM (VALUES ARRAY[1, NULL]) t(a)

-- none_match_values
SELECT none_match(ARRAY[1, 3], x -> x = 3), none_match(ARRAY[1, 3], x -> x = 4), none_match(a, x -> x = 2) FROM (VALUES ARRAY[1, NULL]) t(a)

-- array_distinct_values
SELECT array_distinct(ARRAY[3, 1, 3, NULL, 1, NULL]), array_distinct(ARRAY['b', 'a', 'b'])

-- array_distinct_column
SELECT array_distinct(a) FROM (VALUES ARRAY[nan(), nan(), DOUBLE '1'], NULL) t(a)

-- array_intersect_values
SELECT array_sort(array_intersect(ARRAY[1, 2, 2, NULL], ARRAY[2, NULL, 3])), array_intersect(ARRAY['a'], ARRAY['b'])

-- array_union_values
SELECT array_union(ARRAY[1, 2, NULL], ARRAY[2, 3, NULL]), array_union(a, ARRAY[1]) FROM (VALUES ARRAY[1, 1], NULL) t(a)

-- array_except_values
SELECT array_except(ARRAY[1, 2, 2, 3, NULL], ARRAY[2]), array_except(ARRAY[1, NULL], ARRAY[NULL])

-- array_histogram_values
SELECT array_histogram(ARRAY[1, 2, 1, NULL]), array_histogram(ARRAY['x', 'x'])

-- array_join_values
SELECT array_join(ARRAY[1, 2, NULL, 3], '-'), array_join(ARRAY['a', NULL], ',', '?'), array_join(ARRAY[], ',')

-- array_join_types
SELECT array_join(ARRAY[DOUBLE '1.5', DOUBLE '1e10'], ' '), array_join(ARRAY[true, false], ' '), array_join(ARRAY[1.50, 2.25], ' '), array_join(ARRAY[DATE '2024-01-02'], ' ')

-- array_join_column
SELECT array_join(a, s) FROM (VALUES (ARRAY['x', 'y'], ';'), (NULL, ';'), (ARRAY['x', 'y'], NULL)) t(a, s)

-- array_max_values
SELECT array_max(ARRAY[1, 5, 3]), array_max(ARRAY['a', 'c', 'b']), array_max(ARRAY[])

-- array_max_null_and_nan
SELECT array_max(ARRAY[1, NULL]), array_max(ARRAY[DOUBLE '1', nan()])

-- array_min_values
SELECT array_min(ARRAY[4, 1, 3]), array_min(ARRAY[1, NULL]), array_min(ARRAY[nan(), DOUBLE '2'])

-- array_min_column
SELECT array_min(a) FROM (VALUES ARRAY[2.5, 1.25], ARRAY[], NULL) t(a)

-- array_position_values
SELECT array_position(ARRAY['a', 'b', 'b'], 'b'), array_position(ARRAY[1, 2], 9), array_position(ARRAY[1, NULL], NULL)

-- array_position_column
SELECT array_position(a, 3) FROM (VALUES ARRAY[NULL, 3], ARRAY[], NULL) t(a)

-- array_remove_values
SELECT array_remove(ARRAY[1, 2, 1, NULL], 1), array_remove(ARRAY['a'], 'b')

-- array_remove_null
SELECT array_remove(a, NULL) FROM (VALUES ARRAY[1, NULL]) t(a)

-- array_sort_values
SELECT array_sort(ARRAY[3, NULL, 1, 2]), array_sort(ARRAY['b', 'B', 'a']), array_sort(ARRAY[nan(), infinity(), DOUBLE '-1'])

-- array_sort_lambda
SELECT array_sort(ARRAY[3, 1, 2], (x, y) -> if(x < y, 1, if(x = y, 0, -1)))

-- array_sort_lambda_nulls_first
SELECT array_sort(a, (x, y) -> CASE WHEN x IS NULL THEN -1 WHEN y IS NULL THEN 1 WHEN x < y THEN -1 WHEN x = y THEN 0 ELSE 1 END) FROM (VALUES ARRAY[2, NULL, 1]) t(a)

-- array_sort_arrays
SELECT array_sort(ARRAY[ARRAY[2], ARRAY[1, 5], ARRAY[1]])

-- array_sort_rows
SELECT array_sort(ARRAY[ROW(2, 'a'), ROW(1, 'b')])

-- arrays_overlap_values
SELECT arrays_overlap(ARRAY[1, 2], ARRAY[2, 3]), arrays_overlap(ARRAY[1], ARRAY[2]), arrays_overlap(ARRAY[1, NULL], ARRAY[2])

-- cardinality_values
SELECT cardinality(ARRAY[1, NULL]), cardinality(ARRAY[]), cardinality(a) FROM (VALUES ARRAY[1], NULL) t(a)

-- concat_arrays
SELECT concat(ARRAY[1], ARRAY[2], ARRAY[NULL, 3]), concat(ARRAY[1.5], ARRAY[2])

-- concat_null_array
SELECT concat(a, ARRAY[1]) FROM (VALUES ARRAY[5], NULL) t(a)

-- concat_operator_element
SELECT a || 9, 0 || a FROM (VALUES ARRAY[5], ARRAY[]) t(a)

-- combinations_values
SELECT combinations(ARRAY['a', 'b', 'c'], 2), combinations(ARRAY[1, 2, 3, 4], 3)

-- combinations_edges
SELECT combinations(ARRAY[1, 2], 0), combinations(ARRAY[1, 2], 3)

-- combinations_too_many
SELECT combinations(ARRAY[1, 2, 3, 4, 5, 6, 7], 6)

-- contains_values
SELECT contains(ARRAY[1, 2], 2), contains(ARRAY[1, 2], 3), contains(ARRAY[1, NULL], 3), contains(ARRAY['a'], 'A')

-- contains_column
SELECT contains(a, x) FROM (VALUES (ARRAY[1.5, 2], 2), (NULL, 1), (ARRAY[1], NULL)) t(a, x)

-- contains_sequence_values
SELECT contains_sequence(ARRAY[1, 2, 3, 4], ARRAY[2, 3]), contains_sequence(ARRAY[1, 2, 3], ARRAY[1, 3]), contains_sequence(ARRAY[1], ARRAY[])

-- element_at_values
SELECT element_at(ARRAY['a', 'b', 'c'], 2), element_at(ARRAY['a', 'b', 'c'], -1), element_at(ARRAY['a'], 5)

-- element_at_zero
SELECT element_at(ARRAY[1], 0)

-- element_at_column
SELECT element_at(a, i) FROM (VALUES (ARRAY[1, 2], 1), (ARRAY[1, 2], -2), (ARRAY[1, 2], 3), (NULL, 1)) t(a, i)

-- filter_values
SELECT filter(ARRAY[5, -6, NULL, 7], x -> x > 0), filter(ARRAY[], x -> true), filter(ARRAY[1, NULL], x -> x IS NOT NULL)

-- filter_column_and_outer_column
SELECT filter(a, x -> x > n) FROM (VALUES (ARRAY[1, 2, 3], 1), (ARRAY[1, 2, 3], 3)) t(a, n)

-- flatten_values
SELECT flatten(ARRAY[ARRAY[1, 2], ARRAY[], ARRAY[NULL]]), flatten(ARRAY[ARRAY['a'], NULL])

-- ngrams_values
SELECT ngrams(ARRAY['a', 'b', 'c', 'd'], 2), ngrams(ARRAY['a', 'b'], 5), ngrams(ARRAY[1, 2, 3], 1)

-- ngrams_zero
SELECT ngrams(ARRAY[1], 0)

-- reduce_sum
SELECT reduce(ARRAY[5, 20, 50], 0, (s, x) -> s + x, s -> s), reduce(ARRAY[], 0, (s, x) -> s + x, s -> s)

-- reduce_null
SELECT reduce(ARRAY[5, NULL, 50], 0, (s, x) -> s + coalesce(x, 0), s -> s), reduce(ARRAY[5, NULL], 0, (s, x) -> s + x, s -> s)

-- reduce_average_with_row
SELECT reduce(a, CAST(ROW(0.0, 0) AS ROW(sum double, count integer)), (s, x) -> CAST(ROW(x + s.sum, s.count + 1) AS ROW(sum double, count integer)), s -> if(s.count = 0, NULL, s.sum / s.count)) FROM (VALUES ARRAY[5, 20, 50], ARRAY[]) t(a)

-- reduce_to_text
SELECT reduce(ARRAY['a', 'b'], '', (s, x) -> s || x, s -> upper(s))

-- repeat_values
SELECT repeat('x', 3), repeat(1, 0), repeat(CAST(NULL AS integer), 2)

-- repeat_negative
SELECT repeat(1, -1)

-- repeat_column
SELECT repeat(v, n) FROM (VALUES (1.5, 2), (NULL, 1), (1.0, NULL)) t(v, n)

-- reverse_values
SELECT reverse(ARRAY[1, NULL, 3]), reverse(ARRAY[])

-- sequence_integers
SELECT sequence(1, 5), sequence(5, 1), sequence(1, 10, 4), sequence(0, -6, -3)

-- sequence_dates
SELECT sequence(DATE '2024-02-27', DATE '2024-03-01'), sequence(DATE '2024-01-31', DATE '2024-05-01', INTERVAL '1' MONTH), sequence(DATE '2024-01-01', DATE '2024-01-10', INTERVAL '4' DAY)

-- sequence_timestamps
SELECT sequence(TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-01 02:00:00', INTERVAL '45' MINUTE), sequence(TIMESTAMP '2024-01-31 00:00:00', TIMESTAMP '2024-04-30 00:00:00', INTERVAL '1' MONTH)

-- sequence_wrong_direction
SELECT sequence(1, 5, -1)

-- sequence_step_zero
SELECT sequence(1, 5, 0)

-- sequence_too_long
SELECT sequence(1, 1000000)

-- sequence_column
SELECT sequence(a, b) FROM (VALUES (1, 3), (3, 3), (NULL, 1)) t(a, b)

-- slice_values
SELECT slice(ARRAY[1, 2, 3, 4], 2, 2), slice(ARRAY[1, 2, 3, 4], -2, 2), slice(ARRAY[1, 2], 5, 1), slice(ARRAY[1, 2], 1, 9)

-- slice_start_zero
SELECT slice(ARRAY[1, 2], 0, 1)

-- slice_negative_length
SELECT slice(ARRAY[1, 2], 1, -1)

-- trim_array_values
SELECT trim_array(ARRAY[1, 2, 3, 4], 1), trim_array(ARRAY[1, 2], 0), trim_array(ARRAY[1, 2], 2)

-- trim_array_too_many
SELECT trim_array(ARRAY[1], 2)

-- transform_values
SELECT transform(ARRAY[1, NULL, 3], x -> x + 1), transform(ARRAY['a', 'b'], x -> x || '!'), transform(ARRAY[], x -> 1)

-- transform_nested
SELECT transform(ARRAY[ARRAY[1, NULL], ARRAY[2]], a -> transform(a, x -> coalesce(x, 0) * 2))

-- transform_outer_column
SELECT transform(a, x -> x * n) FROM (VALUES (ARRAY[1, 2], 10), (ARRAY[3], NULL)) t(a, n)

-- zip_values
SELECT zip(ARRAY[1, 2], ARRAY['a', 'b']), zip(ARRAY[1, 2, 3], ARRAY['x'], ARRAY[true, false])

-- zip_with_values
SELECT zip_with(ARRAY[1, 3], ARRAY['a', 'b'], (x, y) -> (y, x)), zip_with(ARRAY[1, 2], ARRAY[10], (x, y) -> x + y), zip_with(ARRAY['a', 'b'], ARRAY['c', 'd'], (x, y) -> concat(x, y))

-- array_constructor_types
SELECT ARRAY[1, 2.5], ARRAY[1, BIGINT '2'], ARRAY[NULL], ARRAY[], ARRAY['a', 'bcd']

-- array_of_other_types
SELECT ARRAY[1, 'a']

-- array_subquery_elements
SELECT ARRAY[(SELECT max(x) FROM (VALUES 1, 2) t(x)), 5]

-- unnest_array
SELECT x FROM UNNEST(ARRAY[3, 1, NULL]) t(x) ORDER BY x

-- shuffle_keeps_elements
SELECT array_sort(shuffle(ARRAY[3, 1, 2, NULL])), shuffle(ARRAY[7])

-- sort_comparator_other_numbers
SELECT array_sort(ARRAY[2, 1, 2, 4], (x, y) -> y - x)

-- sort_comparator
SELECT array_sort(a, (x, y) -> IF(x < y, 1, IF(x = y, 0, -1))) FROM (VALUES ARRAY[2, 1, 2, 4]) t(a)

-- sort_nested_with_null
SELECT array_sort(ARRAY[ARRAY[1, NULL], ARRAY[1, 2]])

-- sort_rows_null_last
SELECT array_sort(ARRAY[ROW(2, 'a'), NULL, ROW(1, 'b')])

-- sort_addresses
SELECT array_sort(a), array_min(a), array_max(ARRAY[IPADDRESS '10.0.0.1', IPADDRESS '9.0.0.1']) FROM (VALUES ARRAY[IPADDRESS '10.0.0.1', NULL, IPADDRESS '9.0.0.1']) t(a)

-- intersect_order_of_longer
SELECT array_intersect(a, b), array_intersect(b, a) FROM (VALUES (ARRAY[5.1E0, 7, 3.0E0], ARRAY[6.5E0, 3.0E0, 7, 1, 5.1E0])) t(a, b)

-- elements_keep_digits
SELECT a[1], element_at(a, 1), reverse(a), slice(a, 1, 1), array_max(a), shuffle(a) FROM (VALUES ARRAY[TIMESTAMP '2020-01-01 00:00:00']) t(a)

-- elements_keep_zone
SELECT a, a[1], array_distinct(a) FROM (VALUES ARRAY[TIMESTAMP '2020-01-01 00:00:00 Asia/Kathmandu']) t(a)

-- elements_of_several_digits
SELECT ARRAY[TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00.123'], ARRAY[CHAR 'a', CHAR 'abc'], ARRAY[ARRAY[DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00']][1]

-- elements_keep_names
SELECT ARRAY[JSON '1'][1], ARRAY[UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'][1], ARRAY[IPADDRESS '10.0.0.1'][1], flatten(ARRAY[ARRAY[JSON '1']])

-- histogram_of_names
SELECT array_histogram(ARRAY[IPADDRESS '10.0.0.1', IPADDRESS '::ffff:a00:1']), array_histogram(ARRAY[TIMESTAMP '2020-01-01 00:00:00'])

-- zip_keeps_names
SELECT zip(ARRAY[TIMESTAMP '2020-01-01 00:00:00'], ARRAY[1])
