-- Customers whose purchases have moved from stores to the web: the growth on the web is larger than that in stores.
WITH spent AS (
    SELECT ss_customer_sk AS customer_sk, d_year,
        CAST(sum(ss_ext_list_price - ss_ext_wholesale_cost - ss_ext_discount_amt + ss_ext_sales_price) AS DOUBLE) / 2 AS in_stores,
        CAST(0 AS DOUBLE) AS on_web
    FROM store_sales
    JOIN date_dim ON d_date_sk = ss_sold_date_sk
    WHERE d_year IN (2001, 2002)
    GROUP BY ss_customer_sk, d_year
    UNION ALL
    SELECT ws_bill_customer_sk, d_year, CAST(0 AS DOUBLE),
        CAST(sum(ws_ext_list_price - ws_ext_wholesale_cost - ws_ext_discount_amt + ws_ext_sales_price) AS DOUBLE) / 2
    FROM web_sales
    JOIN date_dim ON d_date_sk = ws_sold_date_sk
    WHERE d_year IN (2001, 2002)
    GROUP BY ws_bill_customer_sk, d_year
), years AS (
    SELECT customer_sk,
        sum(CASE WHEN d_year = 2001 THEN in_stores ELSE 0 END) AS stores_before, sum(CASE WHEN d_year = 2002 THEN in_stores ELSE 0 END) AS stores_after,
        sum(CASE WHEN d_year = 2001 THEN on_web ELSE 0 END) AS web_before, sum(CASE WHEN d_year = 2002 THEN on_web ELSE 0 END) AS web_after
    FROM spent
    GROUP BY customer_sk
)
SELECT round(web_after / web_before, 6) AS web_growth, c_customer_sk, c_first_name, c_last_name, c_preferred_cust_flag, c_birth_country, c_login, c_email_address
FROM years
JOIN customer ON c_customer_sk = customer_sk
WHERE stores_before > 0 AND web_before > 0 AND web_after / web_before > stores_after / stores_before
ORDER BY web_growth DESC, c_customer_sk
LIMIT 100
