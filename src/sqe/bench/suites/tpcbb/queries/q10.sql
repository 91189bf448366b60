-- Words of praise and of complaint in reviews, by category, instead of the sentiment that the specification extracts.
SELECT i_category, count(*) AS reviews,
    sum(CASE WHEN lower(pr_review_content) LIKE '%excellent%' OR lower(pr_review_content) LIKE '%great%' OR lower(pr_review_content) LIKE '%love%'
        OR lower(pr_review_content) LIKE '%recommend%' THEN 1 ELSE 0 END) AS praise,
    sum(CASE WHEN lower(pr_review_content) LIKE '%terrible%' OR lower(pr_review_content) LIKE '%poor%' OR lower(pr_review_content) LIKE '%worst%'
        OR lower(pr_review_content) LIKE '%refund%' THEN 1 ELSE 0 END) AS complaints,
    sum(CASE WHEN pr_review_content LIKE '%damaged%' AND pr_review_rating <= 2 THEN 1 ELSE 0 END) AS damaged,
    max(length(pr_review_content)) AS longest,
    round(avg(CAST(pr_review_rating AS DOUBLE)), 4) AS mean_rating
FROM product_reviews
JOIN item ON i_item_sk = pr_item_sk
GROUP BY i_category
ORDER BY i_category
