-- Security-Detail: securities of an exchange with company, competitors, last financial year and the year's market.
WITH market AS (
    SELECT dm_s_symb, min(dm_low) AS lowest, max(dm_high) AS highest, sum(dm_vol) AS volume
    FROM daily_market
    WHERE dm_date BETWEEN DATE '2025-01-01' AND DATE '2025-12-31'
    GROUP BY dm_s_symb
), finances AS (
    SELECT fi_co_id, sum(fi_revenue) AS revenue, sum(fi_net_earn) AS earnings FROM financial WHERE fi_year = 2025 GROUP BY fi_co_id
), competitors AS (
    SELECT cp_co_id, count(*) AS competitors, min(co_name) AS first_competitor
    FROM company_competitor JOIN company ON co_id = cp_comp_co_id
    GROUP BY cp_co_id
)
SELECT s_symb, s_name, co_name, co_sp_rate, in_name, ex_name, competitors, first_competitor, revenue, earnings, lowest, highest, volume, lt_price
FROM security
JOIN exchange ON ex_id = s_ex_id
JOIN company ON co_id = s_co_id
JOIN industry ON in_id = co_in_id
JOIN competitors ON cp_co_id = co_id
JOIN finances ON fi_co_id = co_id
JOIN market ON dm_s_symb = s_symb
JOIN last_trade ON lt_s_symb = s_symb
WHERE ex_id = 'NYSE'
ORDER BY earnings DESC, s_symb
LIMIT 50
