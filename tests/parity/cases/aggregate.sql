-- any_value_values
SELECT any_value(x), any_value(y) FROM (VALUES (5, NULL), (5, NULL)) t(x, y)

-- arbitrary_values
SELECT arbitrary(x) FROM (VALUES NULL, 7, 7) t(x)

-- array_agg_ordered
SELECT array_agg(x ORDER BY y DESC), array_agg(x ORDER BY x NULLS FIRST) FROM (VALUES (1, 'a'), (NULL, 'b'), (3, 'c')) t(x, y)

-- array_agg_distinct
SELECT array_sort(array_agg(DISTINCT x)) FROM (VALUES 2, 1, 2, NULL) t(x)

-- array_agg_filter
SELECT array_agg(x ORDER BY x) FILTER (WHERE x > 1) FROM (VALUES 1, 2, 3) t(x)

-- array_agg_empty
SELECT array_agg(x) FROM (VALUES 1) t(x) WHERE x > 5

-- avg_types
SELECT avg(i), avg(b), avg(d), avg(r), avg(m) FROM (VALUES (1, BIGINT '1', DOUBLE '1.5', REAL '1.5', 1.10), (2, BIGINT '4', DOUBLE '2.5', REAL '2', 1.25)) t(i, b, d, r, m)

-- avg_null_and_empty
SELECT avg(x), avg(y) FROM (VALUES (1, CAST(NULL AS integer)), (NULL, NULL), (4, NULL)) t(x, y)

-- avg_interval
SELECT avg(i) FROM (VALUES INTERVAL '1' DAY, INTERVAL '2' DAY) t(i)

-- bool_and_or
SELECT bool_and(x), bool_or(x), every(x) FROM (VALUES true, false, NULL) t(x)

-- bool_and_empty
SELECT bool_and(x), bool_or(x) FROM (VALUES true) t(x) WHERE NOT x

-- checksum_values
SELECT checksum(x) FROM (VALUES 1, 2, NULL) t(x)

-- checksum_text
SELECT checksum(x), checksum(y) FROM (VALUES ('a', CAST(NULL AS integer))) t(x, y)

-- count_forms
SELECT count(*), count(x), count(DISTINCT x), count(1) FROM (VALUES 1, 1, NULL, 2) t(x)

-- count_distinct_many
SELECT count(DISTINCT x), count(DISTINCT y), count(DISTINCT (x, y)) FROM (VALUES (1, 'a'), (1, 'b'), (2, 'b'), (NULL, 'b')) t(x, y)

-- count_filter
SELECT count(*) FILTER (WHERE x > 1), sum(x) FILTER (WHERE x > 5) FROM (VALUES 1, 2, 3) t(x)

-- count_if_values
SELECT count_if(x > 1), count_if(x IS NULL) FROM (VALUES 1, 2, NULL) t(x)

-- geometric_mean_values
SELECT geometric_mean(x), geometric_mean(y) FROM (VALUES (2, DOUBLE '1.5'), (8, DOUBLE '6'), (NULL, NULL)) t(x, y)

-- listagg_values
SELECT listagg(x, ',') WITHIN GROUP (ORDER BY x), listagg(x) WITHIN GROUP (ORDER BY x DESC) FROM (VALUES 'b', 'a', NULL, 'c') t(x)

-- listagg_distinct_and_filter
SELECT listagg(DISTINCT x, '-') WITHIN GROUP (ORDER BY x), listagg(x, '-') WITHIN GROUP (ORDER BY x) FILTER (WHERE x <> 'a') FROM (VALUES 'b', 'a', 'b') t(x)

-- listagg_group_by
SELECT k, listagg(v, '/') WITHIN GROUP (ORDER BY v) FROM (VALUES (1, 'x'), (1, 'y'), (2, 'z'), (3, NULL)) t(k, v) GROUP BY k ORDER BY k

-- listagg_overflow_clause
SELECT listagg(x, ',' ON OVERFLOW TRUNCATE '...' WITH COUNT) WITHIN GROUP (ORDER BY x) FROM (VALUES 'a', 'b') t(x)

-- max_min_types
SELECT max(x), min(x), max(y), min(y), max(z), min(z) FROM (VALUES (1, 'a', DATE '2024-01-01'), (5, 'b', NULL), (NULL, 'B', DATE '2020-01-01')) t(x, y, z)

-- max_min_nan
SELECT max(x), min(x) FROM (VALUES DOUBLE '1', nan(), DOUBLE '3') t(x)

-- max_min_n
SELECT max(x, 2), min(x, 2), max(x, 10) FROM (VALUES 3, 1, NULL, 2) t(x)

-- max_n_zero
SELECT max(x, 0) FROM (VALUES 1) t(x)

-- max_by_min_by
SELECT max_by(x, y), min_by(x, y) FROM (VALUES ('a', 1), ('b', 3), ('c', NULL), (NULL, 0)) t(x, y)

-- max_by_min_by_n
SELECT max_by(x, y, 2), min_by(x, y, 2) FROM (VALUES ('a', 1), ('b', 3), ('c', 2)) t(x, y)

-- max_by_nan
SELECT max_by(x, y), min_by(x, y) FROM (VALUES ('a', DOUBLE '1'), ('b', nan()), ('c', DOUBLE '2')) t(x, y)

-- max_arrays_and_rows
SELECT max(a), min(r) FROM (VALUES (ARRAY[1, 2], ROW(1, 'x')), (ARRAY[1, 3], ROW(1, 'a'))) t(a, r)

-- sum_types
SELECT sum(i), sum(b), sum(d), sum(r), sum(m) FROM (VALUES (1, BIGINT '1', DOUBLE '1.5', REAL '1.5', 1.10), (2, BIGINT '4', DOUBLE '2.5', REAL '2', 1.25)) t(i, b, d, r, m)

-- sum_null_and_empty
SELECT sum(x), count(x) FROM (VALUES CAST(NULL AS integer), NULL) t(x)

-- sum_overflow
SELECT sum(x) FROM (VALUES 9223372036854775807, 1) t(x)

-- sum_distinct
SELECT sum(DISTINCT x), avg(DISTINCT x) FROM (VALUES 1, 1, 2) t(x)

-- sum_interval
SELECT sum(i), sum(m) FROM (VALUES (INTERVAL '1' DAY, INTERVAL '5' MONTH), (INTERVAL '30' HOUR, INTERVAL '9' MONTH)) t(i, m)

-- bitwise_aggregates
SELECT bitwise_and_agg(x), bitwise_or_agg(x), bitwise_xor_agg(x) FROM (VALUES 12, 10, NULL) t(x)

-- histogram_values
SELECT histogram(x), histogram(y) FROM (VALUES (1, 'a'), (1, 'b'), (NULL, 'a')) t(x, y)

-- map_agg_values
SELECT map_agg(k, v) FROM (VALUES ('a', 1), ('b', NULL), (NULL, 3)) t(k, v)

-- map_union_values
SELECT map_union(m) FROM (VALUES MAP(ARRAY['a'], ARRAY[1]), MAP(ARRAY['b'], ARRAY[2]), NULL) t(m)

-- multimap_agg_values
SELECT transform_values(multimap_agg(k, v), (k, v) -> array_sort(v)) FROM (VALUES ('a', 1), ('b', 2), ('a', 3), ('a', NULL)) t(k, v)

-- approx_distinct_values
SELECT approx_distinct(x), approx_distinct(y), approx_distinct(x, 0.01) FROM (VALUES (1, 'a'), (2, 'a'), (NULL, NULL)) t(x, y)

-- approx_distinct_error_out_of_range
SELECT approx_distinct(x, 0.9) FROM (VALUES 1) t(x)

-- approx_most_frequent_values
SELECT approx_most_frequent(2, x, 10) FROM (VALUES 'a', 'a', 'a', 'b', 'b', 'c') t(x)

-- approx_percentile_values
SELECT approx_percentile(x, 0.5), approx_percentile(y, 0.5) FROM (VALUES (1, DOUBLE '1.5'), (2, DOUBLE '2.5'), (3, DOUBLE '9')) t(x, y)

-- approx_percentile_array
SELECT approx_percentile(x, ARRAY[0.0, 0.5, 1.0]) FROM (VALUES 10, 20, 30, 40, 50) t(x)

-- approx_percentile_weighted
SELECT approx_percentile(x, w, 0.5) FROM (VALUES (1, 1), (2, 1), (3, 10)) t(x, w)

-- numeric_histogram_values
SELECT numeric_histogram(10, x) FROM (VALUES DOUBLE '1', DOUBLE '2', DOUBLE '2', DOUBLE '5') t(x)

-- numeric_histogram_weights
SELECT numeric_histogram(5, x, w) FROM (VALUES (DOUBLE '1', DOUBLE '2'), (DOUBLE '4', DOUBLE '1')) t(x, w)

-- corr_values
SELECT corr(y, x) FROM (VALUES (1, 2), (2, 4), (3, 7)) t(x, y)

-- covar_values
SELECT covar_pop(y, x), covar_samp(y, x) FROM (VALUES (1, 2), (2, 4), (3, 7)) t(x, y)

-- covar_one_row
SELECT covar_samp(y, x), covar_pop(y, x), corr(y, x) FROM (VALUES (1, 2)) t(x, y)

-- kurtosis_skewness
SELECT kurtosis(x), skewness(x) FROM (VALUES 1, 2, 3, 10) t(x)

-- kurtosis_few_rows
SELECT kurtosis(x), skewness(x) FROM (VALUES 1, 2) t(x)

-- regr_values
SELECT regr_intercept(y, x), regr_slope(y, x) FROM (VALUES (1, 2), (2, 4), (3, 7)) t(x, y)

-- stddev_values
SELECT stddev(x), stddev_pop(x), stddev_samp(x) FROM (VALUES 1, 2, 4, NULL) t(x)

-- variance_values
SELECT variance(x), var_pop(x), var_samp(x) FROM (VALUES DOUBLE '1', DOUBLE '2', DOUBLE '4') t(x)

-- stddev_one_row
SELECT stddev(x), stddev_pop(x), variance(x), var_pop(x) FROM (VALUES 5) t(x)

-- reduce_agg_values
SELECT reduce_agg(x, 0, (a, b) -> a + b, (a, b) -> a + b), reduce_agg(x, 1, (a, b) -> a * b, (a, b) -> a * b) FROM (VALUES 2, 3, 7, NULL) t(x)

-- reduce_agg_group
SELECT k, reduce_agg(v, '', (a, b) -> greatest(a, b), (a, b) -> greatest(a, b)) FROM (VALUES (1, 'a'), (1, 'c'), (2, 'b')) t(k, v) GROUP BY k ORDER BY k

-- aggregate_of_nothing
SELECT count(*), sum(x), avg(x), max(x), min(x), count_if(x > 0), max_by(x, x), histogram(x), map_agg(x, x) FROM (VALUES 1) t(x) WHERE false

-- aggregate_order_by_in_concat
SELECT array_join(array_agg(s ORDER BY n DESC, s), '') FROM (VALUES ('a', 1), ('b', 2), ('c', 2)) t(s, n)

-- aggregate_nested_is_an_error
SELECT sum(max(x)) FROM (VALUES 1) t(x)

-- aggregate_group_by_null
SELECT k, sum(v), avg(v) FROM (VALUES ('a', 1), (NULL, 2), (NULL, 4)) t(k, v) GROUP BY k ORDER BY k

-- aggregate_having
SELECT k, count(*) FROM (VALUES 'a', 'b', 'a') t(k) GROUP BY k HAVING count(*) > 1

-- column_not_in_group_by
SELECT k, v FROM (VALUES ('a', 1)) t(k, v) GROUP BY k

-- collected_keep_names
SELECT array_agg(x), array_agg(x ORDER BY x DESC), map_agg(x, x), histogram(x), multimap_agg(x, x), max(x, 1) FROM (VALUES TIMESTAMP '2020-01-01 00:00:00') t(x)

-- extremes_keep_names
SELECT max(x), min(x), min_by(x, x), arbitrary(x) FROM (VALUES TIMESTAMP '2020-01-01 00:00:00') t(x)
