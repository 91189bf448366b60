-- Broker-Volume: the potential volume of pending orders by broker, for half of the sectors.
SELECT b_name, count(*) AS requests, sum(tr_qty * tr_bid_price) AS volume
FROM trade_request
JOIN security ON s_symb = tr_s_symb
JOIN company ON co_id = s_co_id
JOIN industry ON in_id = co_in_id
JOIN sector ON sc_id = in_sc_id
JOIN broker ON b_id = tr_b_id
WHERE sc_name IN ('Basic Materials', 'Capital Goods', 'Energy', 'Financial', 'Healthcare', 'Technology')
GROUP BY b_name
ORDER BY volume DESC, b_name
LIMIT 40
