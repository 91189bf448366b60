-- Market-Watch, frame 1: by how many percent the value of each watched list has changed since a day.
SELECT wl_c_id, count(*) AS securities,
    round(100 * (sum(CAST(s_num_out AS DOUBLE) * CAST(lt_price AS DOUBLE)) / sum(CAST(s_num_out AS DOUBLE) * CAST(dm_close AS DOUBLE)) - 1), 4) AS percent
FROM watch_list
JOIN watch_item ON wi_wl_id = wl_id
JOIN security ON s_symb = wi_s_symb
JOIN last_trade ON lt_s_symb = s_symb
JOIN daily_market ON dm_s_symb = s_symb
WHERE dm_date = DATE '2025-06-02'
GROUP BY wl_c_id
ORDER BY wl_c_id
LIMIT 100
