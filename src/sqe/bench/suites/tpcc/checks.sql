-- Clause 1.2.1: there are ten warehouses at scale 1, and at least one
SELECT count(*) = greatest(1, round(10 * getvariable('scale'))) AND min(w_id) = 1 AND max(w_id) = count(*) FROM warehouse;

-- Clause 1.2.1: each warehouse has ten districts
SELECT count(*) = 10 * (SELECT count(*) FROM warehouse) AND count(DISTINCT (d_w_id, d_id)) = count(*) AND min(d_id) = 1 AND max(d_id) = 10 FROM district;

-- Clause 4.3.3.1: each district has 3,000 customers
SELECT bool_and(n = 3000) AND count(*) = (SELECT count(*) FROM district)
FROM (SELECT count(DISTINCT c_id) AS n FROM customer WHERE c_id BETWEEN 1 AND 3000 GROUP BY c_w_id, c_d_id);

-- Clause 4.3.3.1: there are 100,000 items
SELECT count(*) = 100000 AND count(DISTINCT i_id) = 100000 AND min(i_id) = 1 AND max(i_id) = 100000 FROM item;

-- Clause 4.3.3.1: each warehouse has stock of each item
SELECT count(*) = 100000 * (SELECT count(*) FROM warehouse) AND count(DISTINCT (s_w_id, s_i_id)) = count(*)
FROM stock SEMI JOIN item ON i_id = s_i_id SEMI JOIN warehouse ON w_id = s_w_id;

-- Clause 4.3.3.1: each district has 3,000 orders, each of another customer
SELECT bool_and(n = 3000 AND customers = 3000) AND count(*) = (SELECT count(*) FROM district)
FROM (
    SELECT count(DISTINCT o_id) AS n, count(DISTINCT o_c_id) AS customers
    FROM orders WHERE o_id BETWEEN 1 AND 3000 AND o_c_id BETWEEN 1 AND 3000 GROUP BY o_w_id, o_d_id
);

-- Clause 4.3.3.1: each order has 5 to 15 lines, each number occurs
SELECT min(o_ol_cnt) = 5 AND max(o_ol_cnt) = 15 AND count(DISTINCT o_ol_cnt) = 11 FROM orders;

-- Clause 4.3.3.1: the last 900 orders of each district are new
SELECT bool_and(n = 900 AND first = 2101) AND count(*) = (SELECT count(*) FROM district)
FROM (SELECT count(*) AS n, min(no_o_id) AS first FROM new_order GROUP BY no_w_id, no_d_id);

-- Clause 4.3.3.1: each customer has one payment of 10.00
SELECT count(*) = (SELECT count(*) FROM customer) AND count(DISTINCT (h_c_w_id, h_c_d_id, h_c_id)) = count(*) AND bool_and(h_amount = 10) FROM history;

-- Clause 4.3.2.3: last names are of three syllables, and the first 1,000 customers of each district have all 1,000
SELECT bool_and(regexp_full_match(c_last, '(BAR|OUGHT|ABLE|PRI|PRES|ESE|ANTI|CALLY|ATION|EING){3}'))
    AND count(DISTINCT c_last) FILTER (c_id <= 1000 AND c_w_id = 1 AND c_d_id = 1) = 1000
FROM customer;

-- Clause 4.3.3.1: i_data has 26 to 50 characters, ORIGINAL in a tenth
SELECT bool_and(length(i_data) BETWEEN 26 AND 50) AND avg(CAST(contains(i_data, 'ORIGINAL') AS INTEGER)) BETWEEN 0.095 AND 0.105 FROM item;

-- Clause 4.3.3.1: s_data has 26 to 50 characters, ORIGINAL in a tenth; quantities are 10 to 100, districts have 24 letters
SELECT bool_and(length(s_data) BETWEEN 26 AND 50) AND avg(CAST(contains(s_data, 'ORIGINAL') AS INTEGER)) BETWEEN 0.095 AND 0.105
    AND min(s_quantity) = 10 AND max(s_quantity) = 100 AND bool_and(length(s_dist_01) = 24 AND length(s_dist_10) = 24)
FROM stock;

-- Clause 4.3.3.1: a tenth of the customers has bad credit; discounts are up to 50 %
SELECT bool_and(c_credit IN ('BC', 'GC')) AND avg(CAST(c_credit = 'BC' AS INTEGER)) BETWEEN 0.09 AND 0.11
    AND min(c_discount) >= 0 AND max(c_discount) BETWEEN 0.49 AND 0.5
FROM customer;

-- Clause 4.3.3.1: customers have texts of the specified lengths and fixed values
SELECT bool_and(length(c_first) BETWEEN 8 AND 16 AND c_middle = 'OE' AND length(c_street_1) BETWEEN 10 AND 20
    AND regexp_full_match(c_state, '[A-Z]{2}') AND regexp_full_match(c_zip, '[0-9]{4}11111') AND regexp_full_match(c_phone, '[0-9]{16}')
    AND length(c_data) BETWEEN 300 AND 500 AND c_credit_lim = 50000 AND c_balance = -10 AND c_ytd_payment = 10 AND c_payment_cnt = 1 AND c_delivery_cnt = 0)
FROM customer;

-- Clause 4.3.3.1: prices are 1.00 to 100.00, images 1 to 10,000
SELECT min(i_price) BETWEEN 1 AND 1.1 AND max(i_price) BETWEEN 99.9 AND 100 AND min(i_im_id) >= 1 AND max(i_im_id) <= 10000 FROM item;

-- Clause 4.3.3.1: taxes are 0 to 20 %
SELECT bool_and(w_tax BETWEEN 0 AND 0.2 AND d_tax BETWEEN 0 AND 0.2) FROM warehouse JOIN district ON d_w_id = w_id;

-- Clause 4.3.3.1: lines have quantity 5, and cost 0.01 to 9,999.99 until they are delivered
SELECT bool_and(ol_quantity = 5 AND CASE WHEN ol_delivery_d IS NULL THEN ol_amount BETWEEN 0.01 AND 9999.99 ELSE ol_amount = 0 END) FROM order_line;

-- Lines are of items that exist, and of stock of their warehouse
SELECT count(*) = (SELECT count(*) FROM order_line) FROM order_line JOIN stock ON s_i_id = ol_i_id AND s_w_id = ol_supply_w_id;

-- Clause 3.3.2.1: w_ytd is the sum of d_ytd
SELECT bool_and(w_ytd = ytd) FROM warehouse JOIN (SELECT d_w_id, sum(d_ytd) AS ytd FROM district GROUP BY ALL) ON d_w_id = w_id;

-- Clause 3.3.2.2: d_next_o_id is one more than the last order and the last new order
SELECT bool_and(d_next_o_id = last + 1 AND d_next_o_id = last_new + 1)
FROM district
JOIN (SELECT o_w_id, o_d_id, max(o_id) AS last FROM orders GROUP BY ALL) ON o_w_id = d_w_id AND o_d_id = d_id
JOIN (SELECT no_w_id, no_d_id, max(no_o_id) AS last_new FROM new_order GROUP BY ALL) ON no_w_id = d_w_id AND no_d_id = d_id;

-- Clause 3.3.2.3: new orders of a district have numbers without gaps
SELECT bool_and(range = n) FROM (SELECT max(no_o_id) - min(no_o_id) + 1 AS range, count(*) AS n FROM new_order GROUP BY no_w_id, no_d_id);

-- Clauses 3.3.2.4 and 3.3.2.6: o_ol_cnt is the number of lines
SELECT count(*) = (SELECT count(*) FROM orders) AND bool_and(o_ol_cnt = n)
FROM orders JOIN (SELECT ol_w_id, ol_d_id, ol_o_id, count(*) AS n FROM order_line GROUP BY ALL) ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id;

-- Clause 3.3.2.5: an order has no carrier if and only if it is new
SELECT bool_and((o_carrier_id IS NULL) = (no_o_id IS NOT NULL))
FROM orders LEFT JOIN new_order ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id;

-- Clause 3.3.2.7: a line is not delivered if and only if its order has no carrier
SELECT bool_and((ol_delivery_d IS NULL) = (o_carrier_id IS NULL))
FROM orders JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id;

-- Clauses 3.3.2.8 and 3.3.2.9: w_ytd and d_ytd are sums of payments
SELECT bool_and(d_ytd = paid) AND sum(paid) = (SELECT sum(w_ytd) FROM warehouse)
FROM district JOIN (SELECT h_w_id, h_d_id, sum(h_amount) AS paid FROM history GROUP BY ALL) ON h_w_id = d_w_id AND h_d_id = d_id;

-- Clause 3.3.2.11: each district has 2,100 orders that are not new
SELECT bool_and(n = 2100) FROM (SELECT count(*) AS n FROM orders WHERE o_carrier_id IS NOT NULL GROUP BY o_w_id, o_d_id);

-- Clauses 3.3.2.10 and 3.3.2.12: c_balance is what was delivered without what was paid
SELECT bool_and(c_balance = delivered - c_ytd_payment)
FROM customer
JOIN (
    SELECT o_w_id, o_d_id, o_c_id, coalesce(sum(ol_amount) FILTER (ol_delivery_d IS NOT NULL), 0) AS delivered
    FROM orders JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
    GROUP BY ALL
) ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id;
