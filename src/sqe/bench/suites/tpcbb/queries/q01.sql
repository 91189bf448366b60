-- Items that are often sold together in the same stores.
WITH sold AS (
    SELECT DISTINCT ss_ticket_number, ss_item_sk
    FROM store_sales
    JOIN item ON i_item_sk = ss_item_sk
    WHERE i_category_id IN (1, 2, 3, 4, 5, 6, 7) AND ss_store_sk IN (1, 2, 3, 4, 5, 6, 7, 8)
)
SELECT a.ss_item_sk AS first_item, b.ss_item_sk AS second_item, count(*) AS tickets
FROM sold AS a
JOIN sold AS b ON a.ss_ticket_number = b.ss_ticket_number AND a.ss_item_sk < b.ss_item_sk
GROUP BY a.ss_item_sk, b.ss_item_sk
HAVING count(*) > 5
ORDER BY tickets DESC, first_item, second_item
LIMIT 100
