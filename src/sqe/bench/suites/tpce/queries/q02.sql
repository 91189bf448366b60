-- Customer-Position, frame 1: cash and assets of each account, of the customers with the largest assets in tier 3.
SELECT c_id, c_l_name, c_f_name, ca_id, ca_bal, coalesce(sum(hs_qty * lt_price), 0) AS assets
FROM customer
JOIN customer_account ON ca_c_id = c_id
LEFT JOIN holding_summary ON hs_ca_id = ca_id
LEFT JOIN last_trade ON lt_s_symb = hs_s_symb
WHERE c_tier = 3
GROUP BY c_id, c_l_name, c_f_name, ca_id, ca_bal
ORDER BY assets DESC, ca_id
LIMIT 100
