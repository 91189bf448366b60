-- Trade-Lookup, frame 3: trades of each security in a month by type, with the spread of prices.
SELECT t_s_symb, tt_name, count(*) AS trades, sum(t_qty) AS quantity, min(t_trade_price) AS lowest, max(t_trade_price) AS highest,
    round(sum(t_qty * CAST(t_trade_price AS DOUBLE)) / sum(t_qty), 4) AS mean
FROM trade
JOIN trade_type ON tt_id = t_tt_id
JOIN settlement ON se_t_id = t_id
WHERE t_dts >= TIMESTAMP '2025-10-01 00:00:00' AND t_dts < TIMESTAMP '2025-11-01 00:00:00'
GROUP BY t_s_symb, tt_name
HAVING count(*) > 2
ORDER BY trades DESC, t_s_symb, tt_name
LIMIT 100
