-- Delivery: orders that have a carrier are no longer new.
DELETE FROM new_order
WHERE no_o_id IN (SELECT o_id FROM orders WHERE o_w_id = no_w_id AND o_d_id = no_d_id AND o_carrier_id IS NOT NULL)
-- check
SELECT no_w_id, count(*) AS n, min(no_o_id) AS first, max(no_o_id) AS last FROM new_order GROUP BY no_w_id ORDER BY no_w_id
