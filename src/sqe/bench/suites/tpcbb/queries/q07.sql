-- States where most customers bought, in one month, items at least 20 % more expensive than the average of their category.
WITH expensive AS (
    SELECT i_item_sk
    FROM item
    JOIN (SELECT i_category AS category, avg(CAST(i_current_price AS DOUBLE)) AS mean FROM item GROUP BY i_category) AS c ON i_category = category
    WHERE CAST(i_current_price AS DOUBLE) > 1.2 * mean
)
SELECT ca_state, count(DISTINCT c_customer_sk) AS customers, count(*) AS sales
FROM customer
JOIN customer_address ON ca_address_sk = c_current_addr_sk
JOIN store_sales ON ss_customer_sk = c_customer_sk
JOIN date_dim ON d_date_sk = ss_sold_date_sk
WHERE d_year = 2003 AND d_moy = 12 AND ss_item_sk IN (SELECT i_item_sk FROM expensive)
GROUP BY ca_state
HAVING count(DISTINCT c_customer_sk) >= 1
ORDER BY customers DESC, ca_state
LIMIT 10
