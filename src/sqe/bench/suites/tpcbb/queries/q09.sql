-- The pieces sold in stores in a year to certain demographics at certain prices, or in certain states with certain profits.
SELECT count(*) AS sales, sum(ss_quantity) AS pieces
FROM store_sales
JOIN date_dim ON d_date_sk = ss_sold_date_sk
JOIN customer_address ON ca_address_sk = ss_addr_sk
JOIN store ON s_store_sk = ss_store_sk
JOIN customer_demographics ON cd_demo_sk = ss_cdemo_sk
WHERE d_year = 2001
    AND (
        cd_marital_status = 'M' AND cd_education_status = '4 yr Degree' AND ss_sales_price BETWEEN 20 AND 50
        OR cd_marital_status = 'S' AND cd_education_status = 'College' AND ss_sales_price BETWEEN 5 AND 20
        OR cd_marital_status = 'W' AND cd_education_status = 'Secondary' AND ss_sales_price BETWEEN 50 AND 150
    )
    AND (
        ca_country = 'United States' AND ca_state IN ('KY', 'GA', 'NE', 'CA', 'NY') AND ss_net_profit BETWEEN 0 AND 2000
        OR ca_country = 'United States' AND ca_state IN ('MN', 'CO', 'IN', 'TX', 'FL') AND ss_net_profit BETWEEN 15 AND 3000
        OR ca_country = 'United States' AND ca_state IN ('OH', 'TN', 'VA', 'MO', 'IL') AND ss_net_profit BETWEEN 5 AND 2500
    )
