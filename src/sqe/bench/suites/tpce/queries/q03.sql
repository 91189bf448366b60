-- Customer-Position, frame 2: the history of the ten latest trades of each account, counted by status.
WITH latest AS (
    SELECT t_id, t_ca_id, t_s_symb, t_qty, row_number() OVER (PARTITION BY t_ca_id ORDER BY t_dts DESC, t_id DESC) AS position
    FROM trade
)
SELECT st_name, count(*) AS changes, count(DISTINCT t_id) AS trades, count(DISTINCT t_s_symb) AS securities, sum(t_qty) AS quantity, max(th_dts) AS latest
FROM latest
JOIN trade_history ON th_t_id = t_id
JOIN status_type ON st_id = th_st_id
WHERE position <= 10
GROUP BY st_name
ORDER BY st_name
