-- New-Order: the items that brought most money, where neither item nor stock data has ORIGINAL (brand "G").
SELECT i_id, i_name, i_price, count(*) AS order_lines, sum(ol_amount) AS amount
FROM order_line
JOIN item ON i_id = ol_i_id
JOIN stock ON s_w_id = ol_supply_w_id AND s_i_id = ol_i_id
WHERE NOT (i_data LIKE '%ORIGINAL%' AND s_data LIKE '%ORIGINAL%') AND i_price > 50
GROUP BY i_id, i_name, i_price
ORDER BY amount DESC, i_id
LIMIT 50
