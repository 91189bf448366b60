-- Market-Watch, frame 1 by industry: the change of its companies' value over one year.
SELECT sc_name, in_name, count(DISTINCT co_id) AS companies, count(*) AS securities,
    round(100 * (sum(CAST(s_num_out AS DOUBLE) * CAST(lt_price AS DOUBLE)) / sum(CAST(s_num_out AS DOUBLE) * CAST(dm_close AS DOUBLE)) - 1), 4) AS percent
FROM sector
JOIN industry ON in_sc_id = sc_id
JOIN company ON co_in_id = in_id
JOIN security ON s_co_id = co_id
JOIN last_trade ON lt_s_symb = s_symb
JOIN daily_market ON dm_s_symb = s_symb
WHERE dm_date = DATE '2025-01-02'
GROUP BY sc_name, in_name
ORDER BY sc_name, in_name
