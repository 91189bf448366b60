-- Stock-Level: items of the last 20 orders of each district with less than 15 pieces in stock.
SELECT d_w_id, d_id, count(DISTINCT s_i_id) AS low_stock
FROM district
JOIN order_line ON ol_w_id = d_w_id AND ol_d_id = d_id AND ol_o_id >= d_next_o_id - 20 AND ol_o_id < d_next_o_id
JOIN stock ON s_w_id = ol_w_id AND s_i_id = ol_i_id
WHERE s_quantity < 15
GROUP BY d_w_id, d_id
ORDER BY d_w_id, d_id
