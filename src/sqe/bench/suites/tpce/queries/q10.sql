-- Trade-Lookup, frame 4: what became of purchases, by the tier of the customer: kept, sold in part, sold.
SELECT c_tier, CASE WHEN last_qty = 0 THEN 'sold' WHEN last_qty < first_qty THEN 'sold in part' ELSE 'kept' END AS state,
    count(*) AS purchases, sum(first_qty) AS bought, sum(last_qty) AS left_over
FROM (
    SELECT hh_h_t_id, max(hh_after_qty) AS first_qty, min(hh_after_qty) AS last_qty FROM holding_history GROUP BY hh_h_t_id
) AS h
JOIN trade ON t_id = hh_h_t_id
JOIN customer_account ON ca_id = t_ca_id
JOIN customer ON c_id = ca_c_id
GROUP BY c_tier, CASE WHEN last_qty = 0 THEN 'sold' WHEN last_qty < first_qty THEN 'sold in part' ELSE 'kept' END
ORDER BY c_tier, state
