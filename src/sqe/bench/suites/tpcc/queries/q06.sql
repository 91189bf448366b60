-- Consistency condition 4 and the distribution of lines: orders by their number of lines and by carrier.
SELECT o_ol_cnt, o_carrier_id, count(*) AS order_count, sum(line_count) AS line_count, sum(amount) AS amount
FROM orders
JOIN (
    SELECT ol_w_id, ol_d_id, ol_o_id, count(*) AS line_count, sum(ol_amount) AS amount
    FROM order_line
    GROUP BY ol_w_id, ol_d_id, ol_o_id
) AS l ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
GROUP BY o_ol_cnt, o_carrier_id
ORDER BY o_ol_cnt, o_carrier_id NULLS LAST
