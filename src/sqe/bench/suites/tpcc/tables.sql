-- Ten warehouses at scale 1, and at least one: a tenth of a warehouse would have districts without customers.
-- Within a warehouse, the numbers of rows are those of the specification at every scale.

-- An integer from 0 to n - 1. The outer hash is needed: hash(id, 'a') and hash(id, 'b') differ by a constant only, so that
-- the columns would depend on each other. The cast is needed: UBIGINT % BIGINT is computed with 128 bits, which is slow.
CREATE TEMP MACRO below(n, id, label) AS CAST(hash(hash(id, label)) % CAST(n AS UBIGINT) AS BIGINT);
-- 16 letters and digits.
CREATE TEMP MACRO letters(id, label) AS lower(lpad(to_hex(hash(hash(id, label))), 16, '0'));
CREATE TEMP MACRO text_of(shortest, longest, id, label) AS
    left(letters(id, label) || letters(id, label || '2'), shortest + below(longest - shortest + 1, id, label || '#'));
CREATE TEMP MACRO digits(n, id, label) AS lpad(CAST(below(10 ** n, id, label) AS VARCHAR), n, '0');
CREATE TEMP MACRO state_of(id) AS chr(CAST(65 + below(26, id, 'state 1') AS INTEGER)) || chr(CAST(65 + below(26, id, 'state 2') AS INTEGER));
-- Clause 4.3.2.3: the last name of a number from 0 to 999 has a syllable for each digit.
CREATE TEMP MACRO syllable(digit) AS
    (['BAR', 'OUGHT', 'ABLE', 'PRI', 'PRES', 'ESE', 'ANTI', 'CALLY', 'ATION', 'EING'])[CAST(digit + 1 AS INTEGER)];
CREATE TEMP MACRO last_name(number) AS
    syllable(number // 100) || syllable(number // 10 % 10) || syllable(number % 10);
-- Clause 2.1.6: NURand(a, x, y) with the constant 123.
CREATE TEMP MACRO nurand(a, x, y, id, label) AS
    ((below(a + 1, id, label || ' a') | (x + below(y - x + 1, id, label || ' x'))) + 123) % (y - x + 1) + x;
-- Clauses 4.3.3.1 for i_data and s_data: one in ten has ORIGINAL at a random position.
CREATE TEMP MACRO data_of(id, label) AS CASE
    WHEN below(10, id, label || ' original') = 0
    THEN left(letters(id, label), 9 + below(8, id, label || ' at')) || 'ORIGINAL' || left(letters(id, label || '3'), 9 + below(8, id, label || ' end'))
    ELSE left(letters(id, label) || letters(id, label || '3') || letters(id, label || '4') || '00', 26 + below(25, id, label || ' length'))
END;

CREATE TEMP TABLE warehouses AS
SELECT CAST(w AS INTEGER) AS w_id FROM range(1, greatest(1, CAST(round(10 * getvariable('scale')) AS BIGINT)) + 1) AS t(w);

CREATE TABLE item AS
SELECT
    CAST(i AS INTEGER) AS i_id,
    CAST(1 + below(10000, i, 'i_im_id') AS INTEGER) AS i_im_id,
    text_of(14, 24, i, 'i_name') AS i_name,
    CAST((100 + below(9901, i, 'i_price')) / 100 AS DECIMAL(5, 2)) AS i_price,
    data_of(i, 'i_data') AS i_data
FROM range(1, 100001) AS t(i);

CREATE TABLE stock AS
SELECT
    CAST(i AS INTEGER) AS s_i_id,
    w_id AS s_w_id,
    CAST(10 + below(91, s, 's_quantity') AS INTEGER) AS s_quantity,
    letters(s, '01') || left(letters(s, 'one'), 8) AS s_dist_01,
    letters(s, '02') || left(letters(s, 'two'), 8) AS s_dist_02,
    letters(s, '03') || left(letters(s, 'three'), 8) AS s_dist_03,
    letters(s, '04') || left(letters(s, 'four'), 8) AS s_dist_04,
    letters(s, '05') || left(letters(s, 'five'), 8) AS s_dist_05,
    letters(s, '06') || left(letters(s, 'six'), 8) AS s_dist_06,
    letters(s, '07') || left(letters(s, 'seven'), 8) AS s_dist_07,
    letters(s, '08') || left(letters(s, 'eight'), 8) AS s_dist_08,
    letters(s, '09') || left(letters(s, 'nine'), 8) AS s_dist_09,
    letters(s, '10') || left(letters(s, 'ten'), 8) AS s_dist_10,
    CAST(0 AS DECIMAL(8, 0)) AS s_ytd,
    0 AS s_order_cnt,
    0 AS s_remote_cnt,
    data_of(s, 's_data') AS s_data
FROM (SELECT w_id, i, w_id * 100000 + i AS s FROM warehouses CROSS JOIN range(1, 100001) AS t(i));

CREATE TEMP TABLE districts AS
SELECT w_id AS d_w_id, CAST(d AS INTEGER) AS d_id, w_id * 10 + d AS district
FROM warehouses CROSS JOIN range(1, 11) AS t(d);

CREATE TABLE customer AS
SELECT
    CAST(n AS INTEGER) AS c_id,
    d_id AS c_d_id,
    d_w_id AS c_w_id,
    text_of(8, 16, c, 'c_first') AS c_first,
    'OE' AS c_middle,
    last_name(CASE WHEN n <= 1000 THEN n - 1 ELSE nurand(255, 0, 999, c, 'c_last') END) AS c_last,
    text_of(10, 20, c, 'c_street_1') AS c_street_1,
    text_of(10, 20, c, 'c_street_2') AS c_street_2,
    text_of(10, 20, c, 'c_city') AS c_city,
    state_of(c) AS c_state,
    digits(4, c, 'c_zip') || '11111' AS c_zip,
    digits(16, c, 'c_phone') AS c_phone,
    TIMESTAMP '2026-01-01 08:00:00' AS c_since,
    CASE WHEN below(10, c, 'c_credit') = 0 THEN 'BC' ELSE 'GC' END AS c_credit,
    CAST(50000 AS DECIMAL(12, 2)) AS c_credit_lim,
    CAST(below(5001, c, 'c_discount') / 10000 AS DECIMAL(4, 4)) AS c_discount,
    left(repeat(letters(c, 'c_data') || letters(c, 'c_data2'), 16), 300 + below(201, c, 'c_data')) AS c_data
FROM (SELECT *, district * 3000 + n AS c FROM districts CROSS JOIN range(1, 3001) AS t(n));

CREATE TABLE history AS
SELECT
    c_id AS h_c_id,
    c_d_id AS h_c_d_id,
    c_w_id AS h_c_w_id,
    c_d_id AS h_d_id,
    c_w_id AS h_w_id,
    c_since AS h_date,
    CAST(10 AS DECIMAL(6, 2)) AS h_amount,
    text_of(12, 24, (c_w_id * 10 + c_d_id) * 3000 + c_id, 'h_data') AS h_data
FROM customer;

-- Orders of a district are entered a minute after the other, each by another customer; the last 900 are not delivered.
CREATE TABLE orders AS
SELECT
    CAST(n AS INTEGER) AS o_id,
    CAST(row_number() OVER (PARTITION BY district ORDER BY below(1000000, o, 'o_c_id'), n) AS INTEGER) AS o_c_id,
    d_id AS o_d_id,
    d_w_id AS o_w_id,
    TIMESTAMP '2026-01-01 08:00:00' + to_minutes(n) AS o_entry_d,
    CASE WHEN n < 2101 THEN CAST(1 + below(10, o, 'o_carrier_id') AS INTEGER) END AS o_carrier_id,
    CAST(5 + below(11, o, 'o_ol_cnt') AS INTEGER) AS o_ol_cnt,
    1 AS o_all_local
FROM (SELECT *, district * 3000 + n AS o FROM districts CROSS JOIN range(1, 3001) AS t(n))
ORDER BY o_w_id, o_d_id, o_id;

CREATE TABLE new_order AS
SELECT o_id AS no_o_id, o_d_id AS no_d_id, o_w_id AS no_w_id FROM orders WHERE o_carrier_id IS NULL;

CREATE TABLE order_line AS
SELECT
    o_id AS ol_o_id,
    o_d_id AS ol_d_id,
    o_w_id AS ol_w_id,
    CAST(n AS INTEGER) AS ol_number,
    CAST(1 + below(100000, l, 'ol_i_id') AS INTEGER) AS ol_i_id,
    o_w_id AS ol_supply_w_id,
    CASE WHEN o_carrier_id IS NOT NULL THEN o_entry_d END AS ol_delivery_d,
    5 AS ol_quantity,
    -- Clause 4.3.3.1: what is delivered has cost nothing, so that balances agree with payments.
    CAST(CASE WHEN o_carrier_id IS NOT NULL THEN 0 ELSE (1 + below(999999, l, 'ol_amount')) / 100 END AS DECIMAL(6, 2)) AS ol_amount,
    letters(l, 'ol_dist_info') || left(letters(l, 'ol_dist_info2'), 8) AS ol_dist_info
FROM (
    SELECT *, ((CAST(o_w_id AS BIGINT) * 10 + o_d_id) * 3000 + o_id) * 15 + n AS l
    FROM orders CROSS JOIN range(1, 16) AS t(n)
    WHERE n <= o_ol_cnt
);

-- What customers paid and were charged, as the consistency conditions of clause 3.3.2 define it.
CREATE OR REPLACE TABLE customer AS
SELECT
    c.* EXCLUDE (c_data),
    CAST(coalesce(delivered, 0) - paid AS DECIMAL(12, 2)) AS c_balance,
    CAST(paid AS DECIMAL(12, 2)) AS c_ytd_payment,
    CAST(payments AS INTEGER) AS c_payment_cnt,
    0 AS c_delivery_cnt,
    c_data
FROM customer AS c
JOIN (
    SELECT h_c_w_id, h_c_d_id, h_c_id, sum(h_amount) AS paid, count(*) AS payments
    FROM history GROUP BY ALL
) ON h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id
LEFT JOIN (
    SELECT o_w_id, o_d_id, o_c_id, sum(ol_amount) AS delivered
    FROM orders JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
    WHERE ol_delivery_d IS NOT NULL
    GROUP BY ALL
) ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id
ORDER BY c_w_id, c_d_id, c_id;

CREATE TABLE district AS
SELECT
    d_id,
    d_w_id,
    text_of(6, 10, district, 'd_name') AS d_name,
    text_of(10, 20, district, 'd_street_1') AS d_street_1,
    text_of(10, 20, district, 'd_street_2') AS d_street_2,
    text_of(10, 20, district, 'd_city') AS d_city,
    state_of(district) AS d_state,
    digits(4, district, 'd_zip') || '11111' AS d_zip,
    CAST(below(2001, district, 'd_tax') / 10000 AS DECIMAL(4, 4)) AS d_tax,
    CAST((SELECT sum(h_amount) FROM history WHERE h_w_id = d_w_id AND h_d_id = d_id) AS DECIMAL(12, 2)) AS d_ytd,
    (SELECT max(o_id) + 1 FROM orders WHERE o_w_id = d_w_id AND o_d_id = d_id) AS d_next_o_id
FROM districts
ORDER BY d_w_id, d_id;

CREATE TABLE warehouse AS
SELECT
    w_id,
    text_of(6, 10, w_id, 'w_name') AS w_name,
    text_of(10, 20, w_id, 'w_street_1') AS w_street_1,
    text_of(10, 20, w_id, 'w_street_2') AS w_street_2,
    text_of(10, 20, w_id, 'w_city') AS w_city,
    state_of(w_id) AS w_state,
    digits(4, w_id, 'w_zip') || '11111' AS w_zip,
    CAST(below(2001, w_id, 'w_tax') / 10000 AS DECIMAL(4, 4)) AS w_tax,
    CAST((SELECT sum(d_ytd) FROM district WHERE d_w_id = w_id) AS DECIMAL(12, 2)) AS w_ytd
FROM warehouses
ORDER BY w_id;

DROP TABLE temp.warehouses;
DROP TABLE temp.districts;
DROP MACRO below;
DROP MACRO letters;
DROP MACRO text_of;
DROP MACRO digits;
DROP MACRO state_of;
DROP MACRO syllable;
DROP MACRO last_name;
DROP MACRO nurand;
DROP MACRO data_of;
