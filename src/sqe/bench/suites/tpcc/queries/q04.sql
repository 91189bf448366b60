-- Delivery: the oldest new order of each district, its customer and its amount.
WITH oldest AS (
    SELECT no_w_id, no_d_id, min(no_o_id) AS no_o_id FROM new_order GROUP BY no_w_id, no_d_id
)
SELECT no_w_id, no_d_id, no_o_id, c_id, c_last, count(*) AS order_lines, sum(ol_amount) AS amount
FROM oldest
JOIN orders ON o_w_id = no_w_id AND o_d_id = no_d_id AND o_id = no_o_id
JOIN customer ON c_w_id = o_w_id AND c_d_id = o_d_id AND c_id = o_c_id
JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
GROUP BY no_w_id, no_d_id, no_o_id, c_id, c_last
ORDER BY no_w_id, no_d_id
