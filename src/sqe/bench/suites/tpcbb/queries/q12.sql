-- Customers who viewed items of some categories on the web, and bought an item of the same categories in a store within 90 days.
SELECT viewed.i_category AS category, count(DISTINCT wcs_user_sk) AS customers, min(ss_sold_date_sk - wcs_click_date_sk) AS fewest_days, count(DISTINCT ss_ticket_number) AS tickets
FROM (
    SELECT DISTINCT wcs_user_sk, wcs_click_date_sk, i_category
    FROM web_clickstreams
    JOIN item ON i_item_sk = wcs_item_sk
    WHERE i_category IN ('Books', 'Electronics', 'Music') AND wcs_user_sk IS NOT NULL AND wcs_sales_sk IS NULL
        AND wcs_click_date_sk BETWEEN 2452154 AND 2452184
) AS viewed
JOIN (
    SELECT ss_customer_sk, ss_sold_date_sk, ss_ticket_number, i_category
    FROM store_sales
    JOIN item ON i_item_sk = ss_item_sk
    WHERE ss_sold_date_sk BETWEEN 2452154 AND 2452274
) AS bought ON ss_customer_sk = wcs_user_sk AND bought.i_category = viewed.i_category
    AND ss_sold_date_sk > wcs_click_date_sk AND ss_sold_date_sk <= wcs_click_date_sk + 90
GROUP BY viewed.i_category
ORDER BY category
