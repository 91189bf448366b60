-- Trade-Status: the latest trades of the first accounts with status, type, security, exchange, broker and customer.
WITH latest AS (
    SELECT t_id, t_dts, t_st_id, t_tt_id, t_s_symb, t_qty, t_exec_name, t_chrg, t_ca_id, row_number() OVER (PARTITION BY t_ca_id ORDER BY t_dts DESC, t_id DESC) AS position
    FROM trade
)
SELECT c_l_name, c_f_name, b_name, ca_id, t_id, t_dts, st_name, tt_name, t_s_symb, t_qty, t_exec_name, t_chrg, s_name, ex_name
FROM latest
JOIN status_type ON st_id = t_st_id
JOIN trade_type ON tt_id = t_tt_id
JOIN security ON s_symb = t_s_symb
JOIN exchange ON ex_id = s_ex_id
JOIN customer_account ON ca_id = t_ca_id
JOIN customer ON c_id = ca_c_id
JOIN broker ON b_id = ca_b_id
WHERE position <= 50
ORDER BY ca_id, t_dts DESC, t_id DESC
LIMIT 100
