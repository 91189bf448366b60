-- New-Order: their lines, at the prices of the items and with the texts of the stock for the district.
INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, ol_amount, ol_dist_info)
SELECT o_id, o_d_id, o_w_id, number, i_id, s_w_id, CAST(NULL AS TIMESTAMP), 1 + number % 10,
    CAST((1 + number % 10) * i_price AS DECIMAL(6, 2)),
    CASE o_d_id WHEN 1 THEN s_dist_01 WHEN 2 THEN s_dist_02 WHEN 3 THEN s_dist_03 WHEN 4 THEN s_dist_04 WHEN 5 THEN s_dist_05
        WHEN 6 THEN s_dist_06 WHEN 7 THEN s_dist_07 WHEN 8 THEN s_dist_08 WHEN 9 THEN s_dist_09 ELSE s_dist_10 END
FROM orders
JOIN district ON d_w_id = o_w_id AND d_id = o_d_id
CROSS JOIN (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15)) AS numbers (number)
JOIN item ON i_id = 1 + (o_id * 7919 + o_d_id * 1009 + o_w_id * 101 + number * 104729) % 100000
JOIN stock ON s_w_id = o_w_id AND s_i_id = i_id
WHERE o_id >= d_next_o_id AND number <= o_ol_cnt
-- check
SELECT count(*) AS n, sum(ol_quantity) AS pieces, sum(ol_amount) AS amount, count(ol_delivery_d) AS delivered, count(DISTINCT ol_dist_info) AS texts
FROM order_line
WHERE ol_o_id > 2990
