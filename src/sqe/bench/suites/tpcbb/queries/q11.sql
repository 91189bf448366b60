-- How the average rating and the number of reviews of items go with their revenue on the web in a month.
WITH rated AS (
    SELECT pr_item_sk, count(*) AS reviews, avg(CAST(pr_review_rating AS DOUBLE)) AS rating FROM product_reviews GROUP BY pr_item_sk
), sold AS (
    SELECT ws_item_sk, sum(ws_net_paid) AS revenue
    FROM web_sales
    JOIN date_dim ON d_date_sk = ws_sold_date_sk
    WHERE d_date BETWEEN DATE '2003-01-02' AND DATE '2003-02-02'
    GROUP BY ws_item_sk
)
SELECT count(*) AS items, round(corr(CAST(reviews AS DOUBLE), rating), 8) AS of_reviews, round(corr(CAST(revenue AS DOUBLE), rating), 8) AS of_revenue
FROM rated
JOIN sold ON ws_item_sk = pr_item_sk
