-- set_digest_cardinality
SELECT cardinality(make_set_digest(x)) FROM (VALUES 1, 1, 2) t(x)

-- set_digest_merge
SELECT cardinality(merge_set_digest(d)) FROM (SELECT make_set_digest(x) d FROM (VALUES (1, 1), (2, 1), (2, 3)) t(g, x) GROUP BY g)

-- intersection_cardinality_values
SELECT intersection_cardinality(make_set_digest(x), make_set_digest(y)) FROM (VALUES (1, 2), (2, 3), (3, 4)) t(x, y)

-- jaccard_index_values
SELECT jaccard_index(make_set_digest(x), make_set_digest(y)) FROM (VALUES (1, 2), (2, 3), (3, 4)) t(x, y)

-- hash_counts_values
SELECT hash_counts(make_set_digest(x)) FROM (VALUES 1, 1, 2) t(x)
