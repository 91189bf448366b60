-- New-Order: the amounts of orders that are not delivered, with discounts and taxes.
SELECT o_w_id, o_d_id, count(DISTINCT o_id) AS new_orders,
    round(sum(CAST(ol_amount AS DOUBLE) * (1 - CAST(c_discount AS DOUBLE)) * (1 + CAST(w_tax AS DOUBLE) + CAST(d_tax AS DOUBLE))), 2) AS total
FROM new_order
JOIN orders ON o_w_id = no_w_id AND o_d_id = no_d_id AND o_id = no_o_id
JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
JOIN customer ON c_w_id = o_w_id AND c_d_id = o_d_id AND c_id = o_c_id
JOIN warehouse ON w_id = o_w_id
JOIN district ON d_w_id = o_w_id AND d_id = o_d_id
GROUP BY o_w_id, o_d_id
ORDER BY o_w_id, o_d_id
