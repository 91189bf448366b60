-- Items that are viewed in the same session as a popular item; a session ends after an hour without a click.
WITH gaps AS (
    SELECT wcs_user_sk, wcs_item_sk, wcs_click_date_sk * 86400 + wcs_click_time_sk AS clicked,
        CASE WHEN wcs_click_date_sk * 86400 + wcs_click_time_sk
                - lag(wcs_click_date_sk * 86400 + wcs_click_time_sk) OVER (PARTITION BY wcs_user_sk ORDER BY wcs_click_date_sk, wcs_click_time_sk) <= 3600
            THEN 0 ELSE 1 END AS begins
    FROM web_clickstreams
    WHERE wcs_user_sk IS NOT NULL AND wcs_item_sk IS NOT NULL
), sessions AS (
    SELECT wcs_user_sk, wcs_item_sk,
        sum(begins) OVER (PARTITION BY wcs_user_sk ORDER BY clicked RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS number
    FROM gaps
), viewed AS (
    SELECT DISTINCT wcs_user_sk, number, wcs_item_sk FROM sessions
)
SELECT b.wcs_item_sk AS item, count(*) AS together
FROM viewed AS a
JOIN viewed AS b ON a.wcs_user_sk = b.wcs_user_sk AND a.number = b.number AND a.wcs_item_sk <> b.wcs_item_sk
WHERE a.wcs_item_sk = 4
GROUP BY b.wcs_item_sk
ORDER BY together DESC, item
LIMIT 30
