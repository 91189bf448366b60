-- approx_set_cardinality
SELECT cardinality(approx_set(x)) FROM (VALUES 1, 2, 2, NULL) t(x)

-- approx_set_text_and_double
SELECT cardinality(approx_set(s)), cardinality(approx_set(d)) FROM (VALUES ('a', DOUBLE '1'), ('b', DOUBLE '1')) t(s, d)

-- empty_approx_set_cardinality
SELECT cardinality(empty_approx_set())

-- merge_sets
SELECT cardinality(merge(h)) FROM (SELECT approx_set(x) h FROM (VALUES (1, 1), (1, 2), (2, 2), (2, 3)) t(g, x) GROUP BY g)

-- hyperloglog_bytes
SELECT CAST(approx_set(x) AS varbinary) FROM (VALUES 1, 2) t(x)

-- hyperloglog_round_trip
SELECT cardinality(CAST(CAST(approx_set(x) AS varbinary) AS hyperloglog)) FROM (VALUES 1, 2, 3) t(x)

-- approx_set_of_nothing
SELECT approx_set(x) IS NULL FROM (VALUES 1) t(x) WHERE false
