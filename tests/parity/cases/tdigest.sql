-- tdigest_value_at_quantile
SELECT value_at_quantile(tdigest_agg(x), 0.5), value_at_quantile(tdigest_agg(x), 1.0) FROM (VALUES DOUBLE '1', DOUBLE '2', DOUBLE '3') t(x)

-- tdigest_values_at_quantiles
SELECT values_at_quantiles(tdigest_agg(x), ARRAY[0.0, 0.5, 1.0]) FROM (VALUES DOUBLE '1', DOUBLE '2', DOUBLE '3') t(x)

-- tdigest_weights
SELECT value_at_quantile(tdigest_agg(x, w), 0.5) FROM (VALUES (DOUBLE '1', DOUBLE '1'), (DOUBLE '9', DOUBLE '5')) t(x, w)

-- tdigest_merge
SELECT value_at_quantile(merge(d), 1.0) FROM (SELECT tdigest_agg(x) d FROM (VALUES (1, DOUBLE '1'), (2, DOUBLE '5')) t(g, x) GROUP BY g)

-- tdigest_quantile_out_of_range
SELECT value_at_quantile(tdigest_agg(x), 2) FROM (VALUES DOUBLE '1') t(x)
