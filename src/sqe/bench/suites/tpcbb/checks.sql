-- The fixed dimensions are complete: five years of days, 12 stores, 300 promotions, 60 pages, 1,960 demographics
SELECT (SELECT count(*) FROM date_dim WHERE d_year BETWEEN 2000 AND 2004) = 1827 AND (SELECT count(*) FROM store) = 12
    AND (SELECT count(*) FROM promotion) = 300 AND (SELECT count(*) FROM web_page) = 60
    AND (SELECT count(DISTINCT (cd_gender, cd_marital_status, cd_education_status, cd_credit_rating, cd_dep_count)) FROM customer_demographics) = 1960;

-- Keys of days are Julian days, as in TPC-DS
SELECT bool_and(d_date_sk = CAST(julian(d_date) AS BIGINT)) FROM date_dim;

-- There are 100,000 customers, 18,000 items and 90,000 reviews at scale 1
SELECT (SELECT count(*) FROM customer) = greatest(200, round(100000 * getvariable('scale'))) AND (SELECT count(*) FROM item) = greatest(90, round(18000 * getvariable('scale')))
    AND (SELECT count(*) FROM product_reviews) = greatest(450, round(90000 * getvariable('scale')));

-- There are 240,000 tickets of at most five different items, about 2.8, at scale 1
SELECT count(DISTINCT ss_ticket_number) = greatest(1200, round(240000 * getvariable('scale'))) AND count(*) / count(DISTINCT ss_ticket_number) BETWEEN 2.3 AND 3
    AND count(DISTINCT (ss_ticket_number, ss_item_sk)) = count(*)
FROM store_sales;

-- A visit has five clicks on average
SELECT count(*) / greatest(6000, round(1200000 * getvariable('scale'))) BETWEEN 4.8 AND 5.2 FROM web_clickstreams;

-- A ticket has one customer, one day and one store
SELECT bool_and(customers = 1 AND days = 1 AND stores = 1)
FROM (SELECT count(DISTINCT ss_customer_sk) AS customers, count(DISTINCT ss_sold_date_sk) AS days, count(DISTINCT ss_store_sk) AS stores FROM store_sales GROUP BY ss_ticket_number);

-- There are ten categories; class and brand follow from them
SELECT count(DISTINCT i_category) = 10 AND bool_and(i_class_id // 10 = i_category_id AND i_brand_id // 100 = i_class_id) FROM item;

-- Wholesale costs are 50 to 80 % of prices
SELECT bool_and(i_wholesale_cost BETWEEN 0.49 * i_current_price AND 0.81 * i_current_price AND i_current_price BETWEEN 1.9 AND 150) FROM item;

-- Keys of sales in stores exist
SELECT count(*) = (SELECT count(*) FROM store_sales)
FROM store_sales JOIN item ON i_item_sk = ss_item_sk JOIN customer ON c_customer_sk = ss_customer_sk JOIN date_dim ON d_date_sk = ss_sold_date_sk
JOIN store ON s_store_sk = ss_store_sk JOIN customer_demographics ON cd_demo_sk = ss_cdemo_sk JOIN customer_address ON ca_address_sk = ss_addr_sk
LEFT JOIN promotion ON p_promo_sk = ss_promo_sk WHERE (p_promo_sk IS NULL) = (ss_promo_sk IS NULL);

-- Keys of sales on the web exist
SELECT count(*) = (SELECT count(*) FROM web_sales)
FROM web_sales JOIN item ON i_item_sk = ws_item_sk JOIN customer ON c_customer_sk = ws_bill_customer_sk JOIN date_dim ON d_date_sk = ws_sold_date_sk JOIN web_page ON wp_web_page_sk = ws_web_page_sk;

-- Keys of customers exist
SELECT count(*) = (SELECT count(*) FROM customer) FROM customer JOIN customer_demographics ON cd_demo_sk = c_current_cdemo_sk JOIN customer_address ON ca_address_sk = c_current_addr_sk;

-- Totals of sales follow from quantity and prices
SELECT bool_and(ss_ext_sales_price = ss_quantity * ss_sales_price AND ss_ext_discount_amt = ss_ext_list_price - ss_ext_sales_price AND ss_net_profit = ss_net_paid - ss_ext_wholesale_cost
    AND ss_quantity BETWEEN 1 AND 20 AND ss_sales_price <= ss_list_price)
FROM store_sales;

-- Totals of sales on the web follow from quantity and prices
SELECT bool_and(ws_ext_sales_price = ws_quantity * ws_sales_price AND ws_ext_discount_amt = ws_ext_list_price - ws_ext_sales_price AND ws_quantity BETWEEN 1 AND 20 AND ws_sales_price <= ws_list_price) FROM web_sales;

-- All sales are of 2001 to 2003, at least a quarter of them in November and December
SELECT min(d_year) = 2001 AND max(d_year) = 2003 AND avg(CAST(d_moy >= 11 AS INTEGER)) BETWEEN 0.25 AND 0.45
FROM (SELECT ss_sold_date_sk AS day FROM store_sales UNION ALL SELECT ws_sold_date_sk FROM web_sales) JOIN date_dim ON d_date_sk = day;

-- Half of the sales in stores have a promotion
SELECT count(ss_promo_sk) / count(*) BETWEEN 0.45 AND 0.55 FROM store_sales;

-- One in ten clicks is of an unknown user
SELECT 1 - count(wcs_user_sk) / count(*) BETWEEN 0.08 AND 0.12 FROM web_clickstreams;

-- Clicks on an order are the sales on the web
SELECT count(*) = (SELECT count(*) FROM web_sales) AND count(*) > 0
FROM web_clickstreams JOIN web_sales ON ws_order_number = wcs_sales_sk AND ws_item_sk = wcs_item_sk AND ws_bill_customer_sk = wcs_user_sk AND ws_sold_date_sk = wcs_click_date_sk AND ws_sold_time_sk = wcs_click_time_sk
JOIN web_page ON wp_web_page_sk = wcs_web_page_sk AND wp_type = 'order';

-- Reviews are of items and users that exist; a review of an order is of one of its items, later than it
SELECT count(*) = (SELECT count(*) FROM product_reviews) AND bool_and(pr_review_rating BETWEEN 1 AND 5) AND count(pr_order_sk) / count(*) BETWEEN 0.4 AND 0.6
FROM product_reviews JOIN item ON i_item_sk = pr_item_sk JOIN customer ON c_customer_sk = pr_user_sk
WHERE pr_order_sk IS NULL OR EXISTS (
    FROM web_sales JOIN date_dim ON d_date_sk = ws_sold_date_sk
    WHERE ws_order_number = pr_order_sk AND ws_item_sk = pr_item_sk AND ws_bill_customer_sk = pr_user_sk AND d_date < pr_review_date
);

-- Each rating from 1 to 5 occurs, and words of praise go with high ones
SELECT count(DISTINCT pr_review_rating) = 5 AND avg(pr_review_rating) FILTER (pr_review_content LIKE '%excellent%') >= 4 AND avg(pr_review_rating) FILTER (pr_review_content LIKE '%terrible%') <= 2 FROM product_reviews;
