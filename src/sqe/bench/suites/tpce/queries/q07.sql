-- Trade-Lookup, frame 1: trades with settlement, cash transaction and number of changes, the largest amounts.
SELECT t_id, t_bid_price, t_trade_price, t_exec_name, t_is_cash, tt_is_mrkt, se_amt, se_cash_due_date, se_cash_type, ct_amt, ct_name, changes
FROM trade
JOIN trade_type ON tt_id = t_tt_id
JOIN settlement ON se_t_id = t_id
LEFT JOIN cash_transaction ON ct_t_id = t_id
JOIN (SELECT th_t_id, count(*) AS changes FROM trade_history GROUP BY th_t_id) AS h ON th_t_id = t_id
WHERE t_id % 10 = 3
ORDER BY se_amt DESC, t_id
LIMIT 20
