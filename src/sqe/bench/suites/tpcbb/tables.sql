-- At scale 1: 100,000 customers, 18,000 items, 240,000 tickets in stores, 1,200,000 visits of the web shop, 90,000 reviews.

-- An integer from 0 to n - 1. The outer hash is needed: hash(id, 'a') and hash(id, 'b') differ by a constant only, so that
-- the columns would depend on each other. The cast is needed: UBIGINT % BIGINT is computed with 128 bits, which is slow.
CREATE TEMP MACRO below(n, id, label) AS CAST(hash(hash(id, label)) % CAST(n AS UBIGINT) AS BIGINT);
CREATE TEMP MACRO letters(id, label) AS lower(lpad(to_hex(hash(hash(id, label))), 16, '0'));
-- A number from 1 to n, small ones more often: the first has the share 1 / sqrt(n).
CREATE TEMP MACRO skewed(n, id, label) AS 1 + CAST(floor(power(below(1000000000, id, label) / 1000000000, 2) * n) AS BIGINT);
-- A day of 2001 to 2003, with more sales in November and December.
CREATE TEMP MACRO sold_on(id, label) AS CASE WHEN below(5, id, label || ' season') = 0
    THEN 2451911 + 365 * below(3, id, label || ' year') + 304 + below(61, id, label || ' day')
    ELSE 2451911 + below(1095, id, label || ' any') END;

SET VARIABLE customers = greatest(200, CAST(round(100000 * getvariable('scale')) AS BIGINT));
SET VARIABLE items = greatest(90, CAST(round(18000 * getvariable('scale')) AS BIGINT));
SET VARIABLE tickets = greatest(1200, CAST(round(240000 * getvariable('scale')) AS BIGINT));
SET VARIABLE visits = greatest(6000, CAST(round(1200000 * getvariable('scale')) AS BIGINT));
SET VARIABLE reviews = greatest(450, CAST(round(90000 * getvariable('scale')) AS BIGINT));

-- 2000 to 2004; a key is the Julian day, as in TPC-DS.
CREATE TABLE date_dim AS
SELECT
    CAST(2451545 + d AS BIGINT) AS d_date_sk,
    DATE '2000-01-01' + CAST(d AS INTEGER) AS d_date,
    CAST(year(DATE '2000-01-01' + CAST(d AS INTEGER)) AS INTEGER) AS d_year,
    CAST(month(DATE '2000-01-01' + CAST(d AS INTEGER)) AS INTEGER) AS d_moy,
    CAST(day(DATE '2000-01-01' + CAST(d AS INTEGER)) AS INTEGER) AS d_dom,
    CAST(quarter(DATE '2000-01-01' + CAST(d AS INTEGER)) AS INTEGER) AS d_qoy
FROM range(1827) AS t(d);

CREATE TABLE store AS
SELECT
    CAST(s AS BIGINT) AS s_store_sk,
    'Store ' || CAST(s AS VARCHAR) AS s_store_name,
    (['TN', 'GA', 'OH', 'TX'])[1 + below(4, s, 's_state')] AS s_state,
    CAST(-5.00 - below(2, s, 's_gmt_offset') AS DECIMAL(5, 2)) AS s_gmt_offset
FROM range(1, 13) AS t(s);

CREATE TABLE promotion AS
SELECT
    CAST(p AS BIGINT) AS p_promo_sk,
    'promotion ' || CAST(p AS VARCHAR) AS p_promo_name,
    CASE WHEN below(2, p, 'p_channel_dmail') = 0 THEN 'Y' ELSE 'N' END AS p_channel_dmail,
    CASE WHEN below(3, p, 'p_channel_email') = 0 THEN 'Y' ELSE 'N' END AS p_channel_email,
    CASE WHEN below(4, p, 'p_channel_tv') = 0 THEN 'Y' ELSE 'N' END AS p_channel_tv
FROM range(1, 301) AS t(p);

CREATE TABLE web_page AS
SELECT CAST(p AS BIGINT) AS wp_web_page_sk, (['general', 'order', 'dynamic', 'feedback', 'review', 'protected'])[1 + (p - 1) % 6] AS wp_type
FROM range(1, 61) AS t(p);

-- Class and brand follow from the category.
CREATE TABLE item AS
SELECT
    CAST(i AS BIGINT) AS i_item_sk,
    'ITEM' || lpad(CAST(i AS VARCHAR), 12, '0') AS i_item_id,
    'Item ' || letters(i, 'i_item_desc') AS i_item_desc,
    CAST(category AS INTEGER) AS i_category_id,
    (['Books', 'Children', 'Electronics', 'Home', 'Jewelry', 'Men', 'Music', 'Shoes', 'Sports', 'Women'])[category] AS i_category,
    CAST(category * 10 + class AS INTEGER) AS i_class_id,
    lower((['Books', 'Children', 'Electronics', 'Home', 'Jewelry', 'Men', 'Music', 'Shoes', 'Sports', 'Women'])[category]) || ' class ' || CAST(class AS VARCHAR) AS i_class,
    CAST((category * 10 + class) * 100 + brand AS INTEGER) AS i_brand_id,
    'brand ' || CAST((category * 10 + class) * 100 + brand AS VARCHAR) AS i_brand,
    price AS i_current_price,
    CAST(price * (50 + below(31, i, 'i_wholesale_cost')) / 100 AS DECIMAL(7, 2)) AS i_wholesale_cost
FROM (
    SELECT i, 1 + below(10, i, 'category') AS category, 1 + below(9, i, 'class') AS class, 1 + below(20, i, 'brand') AS brand,
        CAST(0.99 + exp(below(5000, i, 'price') / 1000) AS DECIMAL(7, 2)) AS price
    FROM range(1, getvariable('items') + 1) AS t(i)
);

CREATE TABLE customer_demographics AS
SELECT
    CAST(d + 1 AS BIGINT) AS cd_demo_sk,
    (['M', 'F'])[1 + d % 2] AS cd_gender,
    (['M', 'S', 'D', 'W', 'U'])[1 + d // 2 % 5] AS cd_marital_status,
    (['Primary', 'Secondary', 'College', '2 yr Degree', '4 yr Degree', 'Advanced Degree', 'Unknown'])[1 + d // 10 % 7] AS cd_education_status,
    (['Low Risk', 'Good', 'High Risk', 'Unknown'])[1 + d // 70 % 4] AS cd_credit_rating,
    CAST(d // 280 % 7 AS INTEGER) AS cd_dep_count
FROM range(1960) AS t(d);

CREATE TABLE customer_address AS
SELECT
    CAST(a AS BIGINT) AS ca_address_sk,
    'City ' || left(letters(below(500, a, 'ca_city'), 'city'), 6) AS ca_city,
    (['AL', 'CA', 'CO', 'FL', 'GA', 'IL', 'IN', 'KS', 'KY', 'LA', 'MI', 'MN', 'MO', 'NE', 'NY', 'OH', 'OK', 'TN', 'TX', 'VA'])[1 + below(20, a, 'ca_state')] AS ca_state,
    'United States' AS ca_country,
    CAST(-5.00 - below(4, a, 'ca_gmt_offset') AS DECIMAL(5, 2)) AS ca_gmt_offset
FROM range(1, greatest(100, getvariable('customers') // 2) + 1) AS t(a);

CREATE TABLE customer AS
SELECT
    CAST(c AS BIGINT) AS c_customer_sk,
    'CUST' || lpad(CAST(c AS VARCHAR), 12, '0') AS c_customer_id,
    1 + below(1960, c, 'c_current_cdemo_sk') AS c_current_cdemo_sk,
    1 + below((SELECT count(*) FROM customer_address), c, 'c_current_addr_sk') AS c_current_addr_sk,
    (['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gina', 'Hugo', 'Ida', 'Jon'])[1 + below(10, c, 'c_first_name')] AS c_first_name,
    (['Adler', 'Baker', 'Carter', 'Dupont', 'Evans', 'Fischer', 'Garcia', 'Huber', 'Ivanov', 'Jensen'])[1 + below(10, c, 'c_last_name')] AS c_last_name,
    CASE WHEN below(2, c, 'c_preferred_cust_flag') = 0 THEN 'Y' ELSE 'N' END AS c_preferred_cust_flag,
    (['UNITED STATES', 'GERMANY', 'FRANCE', 'JAPAN', 'BRAZIL'])[1 + below(5, c, 'c_birth_country')] AS c_birth_country,
    c_login,
    c_login || '@example.com' AS c_email_address
FROM (SELECT c, letters(c, 'c_login') AS c_login FROM range(1, getvariable('customers') + 1) AS t(c));

-- A ticket has one customer, day and store, and 1 to 5 items: the first by popularity; each other one is, in three of four
-- cases, one of three companions of the first, so that pairs of items repeat.
CREATE TEMP TABLE basket AS
SELECT
    t,
    n,
    first_item,
    CASE WHEN n = 0 THEN first_item
        WHEN below(4, t * 5 + n, 'companion') > 0 THEN 1 + (first_item * 7 + 11 * below(3, t * 5 + n, 'which')) % getvariable('items')
        ELSE skewed(getvariable('items'), t * 5 + n, 'item') END AS item
FROM (SELECT t, 1 + below(5, t, 'size') AS size, skewed(getvariable('items'), t, 'first item') AS first_item FROM range(1, getvariable('tickets') + 1) AS r(t))
CROSS JOIN range(5) AS r(n)
WHERE n < size;

CREATE TABLE store_sales AS
SELECT
    sold_on(t, 'ss') AS ss_sold_date_sk,
    28800 + below(50400, t, 'ss_sold_time_sk') AS ss_sold_time_sk,
    item AS ss_item_sk,
    1 + below(getvariable('customers'), t, 'ss_customer_sk') AS ss_customer_sk,
    1 + below(1960, t, 'ss_cdemo_sk') AS ss_cdemo_sk,
    1 + below((SELECT count(*) FROM customer_address), t, 'ss_addr_sk') AS ss_addr_sk,
    1 + below(12, t, 'ss_store_sk') AS ss_store_sk,
    CASE WHEN below(2, l, 'ss_promo') = 0 THEN 1 + below(300, l, 'ss_promo_sk') END AS ss_promo_sk,
    CAST(t AS BIGINT) AS ss_ticket_number,
    quantity AS ss_quantity,
    i_wholesale_cost AS ss_wholesale_cost,
    i_current_price AS ss_list_price,
    sales_price AS ss_sales_price,
    CAST(quantity * (i_current_price - sales_price) AS DECIMAL(9, 2)) AS ss_ext_discount_amt,
    CAST(quantity * sales_price AS DECIMAL(9, 2)) AS ss_ext_sales_price,
    CAST(quantity * i_wholesale_cost AS DECIMAL(9, 2)) AS ss_ext_wholesale_cost,
    CAST(quantity * i_current_price AS DECIMAL(9, 2)) AS ss_ext_list_price,
    CAST(quantity * sales_price AS DECIMAL(9, 2)) AS ss_net_paid,
    CAST(quantity * (sales_price - i_wholesale_cost) AS DECIMAL(9, 2)) AS ss_net_profit
FROM (
    SELECT *, t * 5 + n AS l, CAST(1 + below(20, t * 5 + n, 'ss_quantity') AS INTEGER) AS quantity,
        CAST(i_current_price * (70 + below(31, t * 5 + n, 'ss_discount')) / 100 AS DECIMAL(7, 2)) AS sales_price
    FROM (SELECT DISTINCT ON (t, item) * FROM basket ORDER BY t, item, n)
    JOIN item ON i_item_sk = item
)
ORDER BY ss_ticket_number, ss_item_sk;

-- A visit has 1 to 9 clicks of one user within an hour; one in ten is by an unknown user, who buys nothing. The items are
-- near the first one. One in four visits of a known user ends with an order of one or two of its items.
CREATE TEMP TABLE visit AS
SELECT
    CAST(v AS BIGINT) AS v,
    CASE WHEN below(10, v, 'known') > 0 THEN 1 + below(getvariable('customers'), v, 'user') END AS user,
    sold_on(v, 'wcs') AS day,
    below(82800, v, 'time') AS start,
    1 + below(9, v, 'clicks') AS clicks,
    skewed(getvariable('items'), v, 'item') AS first_item,
    below(4, v, 'buys') = 0 AS buys
FROM range(1, getvariable('visits') + 1) AS t(v);

CREATE TEMP TABLE click AS
SELECT
    v, n, user, day, start + n * 60 + below(60, v * 10 + n, 'second') AS second,
    1 + (first_item - 1 + CASE WHEN n = 0 THEN 0 ELSE below(6, v * 10 + n, 'near') END) % getvariable('items') AS item,
    buys AND user IS NOT NULL AND (n = clicks - 1 OR n = clicks - 3) AS ordered,
    below(10, v * 10 + n, 'page') AS page
FROM visit CROSS JOIN range(9) AS t(n)
WHERE n < clicks;

CREATE TABLE web_clickstreams AS
SELECT
    day AS wcs_click_date_sk,
    second AS wcs_click_time_sk,
    CASE WHEN ordered THEN v END AS wcs_sales_sk,
    -- One in ten clicks is on a page without an item.
    CASE WHEN page > 0 OR ordered THEN item END AS wcs_item_sk,
    -- The page of an order, a review or an item.
    1 + CASE WHEN ordered THEN 1 WHEN page = 1 THEN 4 WHEN page = 0 THEN 0 ELSE 2 END + 6 * below(10, v * 10 + n, 'web page') AS wcs_web_page_sk,
    user AS wcs_user_sk
FROM click
ORDER BY v, n;

CREATE TABLE web_sales AS
SELECT
    day AS ws_sold_date_sk,
    second AS ws_sold_time_sk,
    item AS ws_item_sk,
    user AS ws_bill_customer_sk,
    1 + below(60, v * 10 + n, 'ws_web_page_sk') AS ws_web_page_sk,
    v AS ws_order_number,
    quantity AS ws_quantity,
    i_wholesale_cost AS ws_wholesale_cost,
    i_current_price AS ws_list_price,
    sales_price AS ws_sales_price,
    CAST(quantity * (i_current_price - sales_price) AS DECIMAL(9, 2)) AS ws_ext_discount_amt,
    CAST(quantity * sales_price AS DECIMAL(9, 2)) AS ws_ext_sales_price,
    CAST(quantity * i_wholesale_cost AS DECIMAL(9, 2)) AS ws_ext_wholesale_cost,
    CAST(quantity * i_current_price AS DECIMAL(9, 2)) AS ws_ext_list_price,
    CAST(quantity * sales_price AS DECIMAL(9, 2)) AS ws_net_paid
FROM (
    SELECT *, CAST(1 + below(20, v * 10 + n, 'ws_quantity') AS INTEGER) AS quantity,
        CAST(i_current_price * (70 + below(31, v * 10 + n, 'ws_discount')) / 100 AS DECIMAL(7, 2)) AS sales_price
    FROM click JOIN item ON i_item_sk = item
    WHERE ordered
)
ORDER BY v, n;

-- A review is of an item and by a known user; one in two is of an order on the web. The words follow the rating.
CREATE TABLE product_reviews AS
SELECT
    CAST(r AS BIGINT) AS pr_review_sk,
    DATE '2001-01-01' + CAST(coalesce(ws_sold_date_sk + 3 - 2451911, below(1095, r, 'pr_review_date')) AS INTEGER) AS pr_review_date,
    CAST(rating AS INTEGER) AS pr_review_rating,
    coalesce(ws_item_sk, item) AS pr_item_sk,
    coalesce(ws_bill_customer_sk, 1 + below(getvariable('customers'), r, 'pr_user_sk')) AS pr_user_sk,
    ws_order_number AS pr_order_sk,
    'I bought this ' || (['last week', 'as a gift', 'for my office', 'after long search'])[1 + below(4, r, 'when')] || '. '
    || CASE
        WHEN rating >= 4 THEN (['It is excellent and works great.', 'Great value, I love it.', 'A good product of high quality.', 'Perfect, I recommend it.'])[1 + below(4, r, 'praise')]
        WHEN rating = 3 THEN (['It is okay for the price.', 'Good, but the delivery was slow.', 'Neither great nor bad.', 'It does what it says.'])[1 + below(4, r, 'praise')]
        ELSE (['It broke after a day, terrible.', 'Poor quality, a waste of money.', 'A bad product, I want a refund.', 'The worst I ever had.'])[1 + below(4, r, 'praise')]
    END
    || ' ' || (['The box was damaged.', 'It arrived on time.', 'The manual is hard to read.', 'The colour is as shown.', 'Customer service did not answer.'])[1 + below(5, r, 'remark')]
    || ' My reference is ' || letters(r, 'pr_review_content') || '.' AS pr_review_content
FROM (
    SELECT r, item, 1 + least(4, below(6, r, 'rating') + below(2, item, 'quality')) AS rating,
        CASE WHEN below(2, r, 'of an order') = 0 THEN 1 + below((SELECT count(*) FROM web_sales), r, 'order') END AS sale
    FROM (SELECT r, skewed(getvariable('items'), r, 'pr_item_sk') AS item FROM range(1, getvariable('reviews') + 1) AS t(r))
)
LEFT JOIN (SELECT *, row_number() OVER (ORDER BY ws_order_number, ws_item_sk, ws_sold_time_sk) AS number FROM web_sales) ON number = sale
ORDER BY r;

DROP TABLE temp.basket;
DROP TABLE temp.visit;
DROP TABLE temp.click;
DROP MACRO below;
DROP MACRO letters;
DROP MACRO skewed;
DROP MACRO sold_on;
RESET VARIABLE customers;
RESET VARIABLE items;
RESET VARIABLE tickets;
RESET VARIABLE visits;
RESET VARIABLE reviews;
