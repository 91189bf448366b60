-- row_number_ordered
SELECT x, row_number() OVER (ORDER BY x DESC) FROM (VALUES 10, 30, 20) t(x) ORDER BY x

-- row_number_without_order
SELECT max(r) FROM (SELECT row_number() OVER () AS r FROM (VALUES 1, 2, 3) t(x))

-- rank_and_dense_rank
SELECT x, rank() OVER (ORDER BY x), dense_rank() OVER (ORDER BY x) FROM (VALUES 1, 1, 2, NULL) t(x) ORDER BY x

-- percent_rank_and_cume_dist
SELECT x, percent_rank() OVER (ORDER BY x), cume_dist() OVER (ORDER BY x) FROM (VALUES 1, 1, 2, 3) t(x) ORDER BY x

-- ntile_values
SELECT x, ntile(3) OVER (ORDER BY x) FROM (VALUES 1, 2, 3, 4, 5) t(x) ORDER BY x

-- ntile_more_than_rows
SELECT x, ntile(10) OVER (ORDER BY x) FROM (VALUES 1, 2) t(x) ORDER BY x

-- ntile_zero
SELECT ntile(0) OVER (ORDER BY x) FROM (VALUES 1) t(x)

-- first_and_last_value
SELECT x, first_value(x) OVER (ORDER BY x), last_value(x) OVER (ORDER BY x), last_value(x) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM (VALUES 1, 2, 3) t(x) ORDER BY x

-- first_value_ignore_nulls
SELECT k, first_value(v) IGNORE NULLS OVER (ORDER BY k), last_value(v) IGNORE NULLS OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 'a'), (3, NULL)) t(k, v) ORDER BY k

-- nth_value_values
SELECT x, nth_value(x, 2) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), nth_value(x, 9) OVER (ORDER BY x) FROM (VALUES 5, 6, 7) t(x) ORDER BY x

-- nth_value_zero
SELECT nth_value(x, 0) OVER (ORDER BY x) FROM (VALUES 5) t(x)

-- lead_and_lag
SELECT x, lead(x) OVER (ORDER BY x), lag(x) OVER (ORDER BY x), lead(x, 2) OVER (ORDER BY x), lag(x, 1, -1) OVER (ORDER BY x), lead(x, 0) OVER (ORDER BY x) FROM (VALUES 1, 2, 3) t(x) ORDER BY x

-- lag_ignore_nulls
SELECT k, lag(v) IGNORE NULLS OVER (ORDER BY k), lead(v, 1, 'none') IGNORE NULLS OVER (ORDER BY k) FROM (VALUES (1, 'a'), (2, NULL), (3, 'c')) t(k, v) ORDER BY k

-- lag_column_offset
SELECT k, lag(k, n) OVER (ORDER BY k) FROM (VALUES (1, 1), (2, 1), (3, 2)) t(k, n) ORDER BY k

-- partition_by
SELECT k, v, sum(v) OVER (PARTITION BY k ORDER BY v), count(*) OVER (PARTITION BY k) FROM (VALUES ('a', 1), ('a', 2), ('b', 5), (NULL, 7)) t(k, v) ORDER BY k, v

-- frame_rows
SELECT x, sum(x) OVER (ORDER BY x ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING), avg(x) OVER (ORDER BY x ROWS 1 PRECEDING), sum(x) OVER (ORDER BY x ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM (VALUES 1, 2, 4) t(x) ORDER BY x

-- frame_range
SELECT x, sum(x) OVER (ORDER BY x RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING), count(*) OVER (ORDER BY x RANGE UNBOUNDED PRECEDING) FROM (VALUES 1, 2, 2, 5) t(x) ORDER BY x

-- frame_range_dates
SELECT d, count(*) OVER (ORDER BY d RANGE BETWEEN INTERVAL '1' MONTH PRECEDING AND CURRENT ROW) FROM (VALUES DATE '2024-01-31', DATE '2024-02-29', DATE '2024-03-31') t(d) ORDER BY d

-- frame_groups
SELECT x, array_agg(x) OVER (ORDER BY x GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (VALUES 1, 1, 3, 6) t(x) ORDER BY x

-- frame_groups_following
SELECT x, sum(x) OVER (ORDER BY x GROUPS BETWEEN CURRENT ROW AND 1 FOLLOWING) FROM (VALUES 1, 1, 3, 6) t(x) ORDER BY x

-- frame_bound_expression
SELECT x, sum(x) OVER (ORDER BY x ROWS BETWEEN n PRECEDING AND CURRENT ROW) FROM (VALUES (1, 0), (2, 1), (3, 2)) t(x, n) ORDER BY x

-- frame_negative_bound
SELECT sum(x) OVER (ORDER BY x ROWS BETWEEN n PRECEDING AND CURRENT ROW) FROM (VALUES (1, -1)) t(x, n)

-- frame_empty
SELECT x, sum(x) OVER (ORDER BY x ROWS BETWEEN 3 FOLLOWING AND 4 FOLLOWING), count(*) OVER (ORDER BY x ROWS BETWEEN 3 FOLLOWING AND 4 FOLLOWING) FROM (VALUES 1, 2) t(x) ORDER BY x

-- window_clause
SELECT x, sum(x) OVER w, sum(x) OVER (w ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (VALUES 1, 2, 3) t(x) WINDOW w AS (ORDER BY x) ORDER BY x

-- window_over_aggregate
SELECT k, sum(v), rank() OVER (ORDER BY sum(v) DESC) FROM (VALUES ('a', 1), ('a', 2), ('b', 9)) t(k, v) GROUP BY k ORDER BY k

-- window_order_nulls
SELECT x, row_number() OVER (ORDER BY x NULLS FIRST), row_number() OVER (ORDER BY x DESC) FROM (VALUES 1, NULL, 2) t(x) ORDER BY x

-- window_in_order_by
SELECT x FROM (VALUES 3, 1, 2) t(x) ORDER BY row_number() OVER (ORDER BY x DESC)

-- window_max_by
SELECT k, max_by(k, v) OVER (ORDER BY k) FROM (VALUES (1, 5), (2, 9), (3, 1)) t(k, v) ORDER BY k

-- window_array_agg_ordered
SELECT x, array_agg(x) OVER (ORDER BY x) FROM (VALUES 2, 1) t(x) ORDER BY x

-- window_in_where_is_an_error
SELECT x FROM (VALUES 1) t(x) WHERE row_number() OVER () = 1

-- window_percent_of_total
SELECT x, DOUBLE '100' * x / sum(x) OVER () FROM (VALUES 1, 3) t(x) ORDER BY x

-- window_distinct_count
SELECT count(DISTINCT x) OVER () FROM (VALUES 1, 1) t(x)

-- frame_bound_computed
SELECT x, sum(x) OVER (ORDER BY x ROWS BETWEEN 1 + 1 PRECEDING AND CAST(0 AS bigint) FOLLOWING) FROM (VALUES 1, 2, 3, 4) t(x) ORDER BY x

-- window_of_a_window
SELECT x, sum(x) OVER (v ROWS 1 PRECEDING) FROM (VALUES 1, 2, 3) t(x) WINDOW w AS (PARTITION BY x % 2), v AS (w ORDER BY x) ORDER BY x

-- rows_decimal_bounds
SELECT a, array_agg(a) OVER (ORDER BY a ROWS BETWEEN DECIMAL '1' PRECEDING AND DECIMAL '0' FOLLOWING) FROM (VALUES 1, 2, 3) t(a)
