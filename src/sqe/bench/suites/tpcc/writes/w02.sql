-- New-Order: these orders are new.
INSERT INTO new_order (no_o_id, no_d_id, no_w_id)
SELECT o_id, o_d_id, o_w_id
FROM orders
JOIN district ON d_w_id = o_w_id AND d_id = o_d_id
WHERE o_id >= d_next_o_id
-- check
SELECT no_d_id, count(*) AS n, min(no_o_id) AS first, max(no_o_id) AS last FROM new_order GROUP BY no_d_id ORDER BY no_d_id
