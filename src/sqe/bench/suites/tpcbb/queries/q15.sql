-- Categories of one store with flat or declining sales outside the season: the slope of a straight line through the sales by day.
SELECT ss_store_sk, i_category_id, days, round(slope, 6) AS slope, round((total - slope * sum_x) / days, 4) AS intercept
FROM (
    SELECT ss_store_sk, i_category_id, count(*) AS days, sum(x) AS sum_x, sum(y) AS total,
        (count(*) * sum(x * y) - sum(x) * sum(y)) / (count(*) * sum(x * x) - sum(x) * sum(x)) AS slope
    FROM (
        SELECT ss_store_sk, i_category_id, CAST(ss_sold_date_sk - 2452277 AS DOUBLE) AS x, CAST(sum(ss_net_paid) AS DOUBLE) AS y
        FROM store_sales
        JOIN item ON i_item_sk = ss_item_sk
        JOIN date_dim ON d_date_sk = ss_sold_date_sk
        WHERE d_date BETWEEN DATE '2002-01-02' AND DATE '2002-10-30'
        GROUP BY ss_store_sk, i_category_id, ss_sold_date_sk
    ) AS daily
    GROUP BY ss_store_sk, i_category_id
    HAVING count(*) > 1
) AS fitted
WHERE slope <= 0
ORDER BY ss_store_sk, i_category_id
