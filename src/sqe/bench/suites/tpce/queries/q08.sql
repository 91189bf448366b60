-- Trade-Lookup, frame 2: the first 20 trades of each account in two months, with what they paid, by executor.
WITH numbered AS (
    SELECT t_id, t_ca_id, t_exec_name, t_is_cash, t_trade_price, t_qty, row_number() OVER (PARTITION BY t_ca_id ORDER BY t_dts, t_id) AS position
    FROM trade
    WHERE t_dts >= TIMESTAMP '2025-09-01 00:00:00' AND t_dts < TIMESTAMP '2025-11-01 00:00:00' AND t_st_id = 'CMPT'
)
SELECT t_exec_name, count(*) AS trades, count(DISTINCT t_ca_id) AS accounts, sum(t_qty) AS quantity, max(t_trade_price) AS highest, sum(se_amt) AS settled, sum(ct_amt) AS cash
FROM numbered
JOIN settlement ON se_t_id = t_id
LEFT JOIN cash_transaction ON ct_t_id = t_id
WHERE position <= 20
GROUP BY t_exec_name
ORDER BY trades DESC, t_exec_name
LIMIT 50
