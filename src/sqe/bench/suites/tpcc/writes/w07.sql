-- Delivery: a carrier takes the hundred oldest new orders of each district.
UPDATE orders SET o_carrier_id = 1 + o_id % 10
WHERE o_carrier_id IS NULL AND o_id < (SELECT min(no_o_id) + 100 FROM new_order)
-- check
SELECT o_carrier_id, count(*) AS n, max(o_id) AS last FROM orders GROUP BY o_carrier_id ORDER BY o_carrier_id NULLS LAST
