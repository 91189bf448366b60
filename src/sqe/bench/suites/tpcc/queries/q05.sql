-- Payment: what customers of bad and of good credit have paid, by district, with the longest history.
SELECT d_w_id, d_id, d_name, c_credit, count(DISTINCT c_id) AS customers, sum(h_amount) AS paid,
    min(c_balance) AS lowest_balance, max(length(h_data)) AS longest
FROM history
JOIN customer ON c_w_id = h_c_w_id AND c_d_id = h_c_d_id AND c_id = h_c_id
JOIN district ON d_w_id = h_w_id AND d_id = h_d_id
GROUP BY d_w_id, d_id, d_name, c_credit
ORDER BY d_w_id, d_id, c_credit
