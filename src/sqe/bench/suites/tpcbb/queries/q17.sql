-- The share of sales with certain promotions in all sales of a month, by category, for one time zone.
SELECT i_category,
    sum(CASE WHEN p_channel_dmail = 'Y' OR p_channel_email = 'Y' OR p_channel_tv = 'Y' THEN ss_ext_sales_price ELSE 0 END) AS promoted,
    sum(ss_ext_sales_price) AS total,
    round(100 * CAST(sum(CASE WHEN p_channel_dmail = 'Y' OR p_channel_email = 'Y' OR p_channel_tv = 'Y' THEN ss_ext_sales_price ELSE 0 END) AS DOUBLE)
        / CAST(sum(ss_ext_sales_price) AS DOUBLE), 6) AS percent
FROM store_sales
JOIN date_dim ON d_date_sk = ss_sold_date_sk
JOIN item ON i_item_sk = ss_item_sk
JOIN store ON s_store_sk = ss_store_sk
JOIN customer ON c_customer_sk = ss_customer_sk
JOIN customer_address ON ca_address_sk = c_current_addr_sk
LEFT JOIN promotion ON p_promo_sk = ss_promo_sk
WHERE d_year = 2001 AND d_moy = 12 AND ca_gmt_offset = -5 AND s_gmt_offset = -5
GROUP BY i_category
ORDER BY i_category
