-- qdigest_value_at_quantile
SELECT value_at_quantile(qdigest_agg(x), 0.5), value_at_quantile(qdigest_agg(x), 1) FROM (VALUES 1, 2, 3) t(x)

-- qdigest_values_at_quantiles
SELECT values_at_quantiles(qdigest_agg(x), ARRAY[0.0, 0.5, 1.0]) FROM (VALUES DOUBLE '1.5', DOUBLE '2.5') t(x)

-- qdigest_weights_and_accuracy
SELECT value_at_quantile(qdigest_agg(x, w), 0.5), value_at_quantile(qdigest_agg(x, w, 0.01), 0.5) FROM (VALUES (1, 1), (9, 5)) t(x, w)

-- qdigest_merge
SELECT value_at_quantile(merge(d), 1) FROM (SELECT qdigest_agg(x) d FROM (VALUES (1, 1), (2, 5)) t(g, x) GROUP BY g)

-- quantile_at_value_values
SELECT quantile_at_value(qdigest_agg(x), 2), quantile_at_value(qdigest_agg(x), 100) FROM (VALUES BIGINT '1', BIGINT '2', BIGINT '3', BIGINT '4') t(x)
