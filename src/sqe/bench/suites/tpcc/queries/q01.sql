-- Order-Status: the middle customer of each last name in the first district, and the lines of their last order.
WITH named AS (
    SELECT c_w_id, c_d_id, c_id, c_first, c_last, c_balance,
        row_number() OVER (PARTITION BY c_w_id, c_d_id, c_last ORDER BY c_first, c_id) AS position,
        count(*) OVER (PARTITION BY c_w_id, c_d_id, c_last) AS namesakes
    FROM customer
    WHERE c_w_id = 1 AND c_d_id = 1
), middle AS (
    SELECT * FROM named WHERE 2 * position = namesakes + namesakes % 2
), last_order AS (
    SELECT o_w_id, o_d_id, o_c_id, max(o_id) AS o_id FROM orders GROUP BY o_w_id, o_d_id, o_c_id
)
SELECT c_last, c_id, c_first, c_balance, o.o_id, ol_number, ol_supply_w_id, ol_i_id, ol_quantity, ol_amount, ol_delivery_d
FROM middle
JOIN last_order AS o ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id
JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o.o_id
ORDER BY c_last, c_id, ol_number
LIMIT 100
