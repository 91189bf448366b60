-- New-Order: ten more orders in each district, of its first ten customers.
INSERT INTO orders (o_id, o_c_id, o_d_id, o_w_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)
SELECT d_next_o_id + c_id - 1, c_id, d_id, d_w_id, TIMESTAMP '2026-02-01 12:00:00', CAST(NULL AS INTEGER), 5 + c_id % 11, 1
FROM district
JOIN customer ON c_w_id = d_w_id AND c_d_id = d_id
WHERE c_id <= 10
-- check
SELECT count(*) AS n, max(o_id) AS last, sum(o_ol_cnt) AS order_lines, max(o_entry_d) AS latest, count(o_carrier_id) AS delivered FROM orders
