-- Delivery: the lines of orders that have a carrier are delivered.
UPDATE order_line SET ol_delivery_d = TIMESTAMP '2026-02-02 09:30:00'
WHERE ol_delivery_d IS NULL
    AND EXISTS (
        SELECT 1 FROM orders
        WHERE o_w_id = ol_w_id AND o_d_id = ol_d_id AND o_id = ol_o_id AND o_carrier_id IS NOT NULL
    )
-- check
SELECT count(*) AS n, count(ol_delivery_d) AS delivered, max(ol_delivery_d) AS latest, sum(CASE WHEN ol_delivery_d IS NULL THEN 0 ELSE ol_amount END) AS amount
FROM order_line
