-- 5,000 customers at scale 1, and at least 20. The ratios of other tables to customers, accounts and trades are those of
-- the specification, except of trades to customers: about 390 instead of 17,280.

-- An integer from 0 to n - 1. The outer hash is needed: hash(id, 'a') and hash(id, 'b') differ by a constant only, so that
-- the columns would depend on each other. The cast is needed: UBIGINT % BIGINT is computed with 128 bits, which is slow.
CREATE TEMP MACRO below(n, id, label) AS CAST(hash(hash(id, label)) % CAST(n AS UBIGINT) AS BIGINT);
CREATE TEMP MACRO letters(id, label) AS lower(lpad(to_hex(hash(hash(id, label))), 16, '0'));
CREATE TEMP MACRO symbol_of(s) AS
    chr(CAST(65 + s // 676 % 26 AS INTEGER)) || chr(CAST(65 + s // 26 % 26 AS INTEGER)) || chr(CAST(65 + s % 26 AS INTEGER))
    || CASE WHEN s < 17576 THEN '' ELSE chr(CAST(64 + s // 17576 AS INTEGER)) END;

SET VARIABLE customers = greatest(20, CAST(round(5000 * getvariable('scale')) AS BIGINT));
SET VARIABLE companies = CAST(ceil(getvariable('customers') * 0.5) AS BIGINT);
SET VARIABLE securities = CAST(ceil(getvariable('customers') * 0.685) AS BIGINT);
SET VARIABLE brokers = CAST(ceil(getvariable('customers') * 0.01) AS BIGINT);

CREATE TABLE status_type AS
SELECT * FROM (VALUES ('CMPT', 'Completed'), ('ACTV', 'Active'), ('SBMT', 'Submitted'), ('PNDG', 'Pending'), ('CNCL', 'Canceled')) AS t(st_id, st_name);

CREATE TABLE trade_type AS
SELECT * FROM (VALUES
    ('TMB', 'Market-Buy', FALSE, TRUE), ('TMS', 'Market-Sell', TRUE, TRUE), ('TSL', 'Stop-Loss', TRUE, FALSE),
    ('TLS', 'Limit-Sell', TRUE, FALSE), ('TLB', 'Limit-Buy', FALSE, FALSE)
) AS t(tt_id, tt_name, tt_is_sell, tt_is_mrkt);

CREATE TABLE sector AS
SELECT sc_id, sc_name FROM (VALUES
    ('BM', 'Basic Materials'), ('CG', 'Capital Goods'), ('CO', 'Conglomerates'), ('CC', 'Consumer Cyclical'),
    ('CN', 'Consumer Non-Cyclical'), ('EN', 'Energy'), ('FN', 'Financial'), ('HC', 'Healthcare'),
    ('SR', 'Services'), ('TC', 'Technology'), ('TR', 'Transportation'), ('UT', 'Utilities')
) AS t(sc_id, sc_name);

-- 102 industries; their names here say the sector and a number.
CREATE TABLE industry AS
SELECT
    sc_id || chr(CAST(65 + n // 12 AS INTEGER)) AS in_id,
    sc_name || ' ' || CAST(1 + n // 12 AS VARCHAR) AS in_name,
    sc_id AS in_sc_id
FROM range(102) AS t(n)
JOIN (SELECT *, row_number() OVER (ORDER BY sc_id) - 1 AS s FROM sector) ON s = n % 12
ORDER BY n;

CREATE TABLE company AS
SELECT
    4300000000 + c AS co_id,
    CASE WHEN below(50, c, 'co_st_id') = 0 THEN 'CNCL' ELSE 'ACTV' END AS co_st_id,
    'Company ' || letters(c, 'co_name') AS co_name,
    in_id AS co_in_id,
    (['AAA', 'AA+', 'AA', 'AA-', 'A+', 'A', 'A-', 'BBB+', 'BBB', 'BBB-', 'BB+', 'BB', 'BB-', 'B+', 'B', 'B-', 'CCC+', 'CCC', 'CCC-', 'CC', 'C', 'D'])[1 + below(22, c, 'co_sp_rate')] AS co_sp_rate,
    'Chief ' || letters(c, 'co_ceo') AS co_ceo,
    'Makes ' || letters(c, 'co_desc') || ' and ' || letters(c, 'co_desc2') AS co_desc,
    DATE '1800-01-01' + CAST(below(73000, c, 'co_open_date') AS INTEGER) AS co_open_date
FROM range(1, getvariable('companies') + 1) AS t(c)
JOIN (SELECT in_id, row_number() OVER (ORDER BY in_id) - 1 AS i FROM industry) ON i = (c * 37) % 102
ORDER BY co_id;

-- Three competitors of each company.
CREATE TABLE company_competitor AS
SELECT
    co_id AS cp_co_id,
    4300000000 + 1 + (co_id - 4300000001 + 1 + 3 * k + below(3, co_id, 'competitor ' || k)) % getvariable('companies') AS cp_comp_co_id,
    co_in_id AS cp_in_id
FROM company CROSS JOIN range(3) AS t(k);

CREATE TABLE exchange AS
SELECT ex_id, ex_name, 0::INTEGER AS ex_num_symb, CAST(930 AS INTEGER) AS ex_open, CAST(1600 AS INTEGER) AS ex_close
FROM (VALUES ('AMEX', 'American Stock Exchange'), ('NASDAQ', 'National Association of Securities Dealers Automated Quotations System'), ('NYSE', 'New York Stock Exchange'), ('PCX', 'Pacific Exchange')) AS t(ex_id, ex_name);

CREATE TABLE security AS
SELECT
    symbol_of(s) AS s_symb,
    CASE WHEN s < getvariable('companies') THEN 'COMMON' ELSE 'PREF_' || chr(CAST(65 + below(4, s, 's_issue') AS INTEGER)) END AS s_issue,
    'ACTV' AS s_st_id,
    'Security ' || letters(s, 's_name') AS s_name,
    (['AMEX', 'NASDAQ', 'NYSE', 'PCX'])[1 + below(4, s, 's_ex_id')] AS s_ex_id,
    -- Each company has a common stock; further securities are preferred stocks.
    4300000001 + s % getvariable('companies') AS s_co_id,
    4000000 + below(5500000000, s, 's_num_out') AS s_num_out,
    DATE '1970-01-01' + CAST(below(10000, s, 's_start_date') AS INTEGER) AS s_start_date,
    CAST(below(1001, s, 's_dividend') / 100 AS DECIMAL(10, 2)) AS s_dividend,
    CAST(below(11, s, 's_yield') AS DECIMAL(5, 2)) AS s_yield
FROM range(getvariable('securities')) AS t(s);

CREATE OR REPLACE TABLE exchange AS
SELECT ex_id, ex_name, CAST((SELECT count(*) FROM security WHERE s_ex_id = ex_id) AS INTEGER) AS ex_num_symb, ex_open, ex_close FROM exchange ORDER BY ex_id;

-- Five years of quarters for each company; shares, earnings and ratios follow from revenue.
CREATE TABLE financial AS
SELECT
    co_id AS fi_co_id,
    CAST(2021 + q // 4 AS INTEGER) AS fi_year,
    CAST(1 + q % 4 AS INTEGER) AS fi_qtr,
    make_date(2021 + q // 4, 1 + 3 * (q % 4), 1) AS fi_qtr_start_date,
    CAST(revenue AS DECIMAL(15, 2)) AS fi_revenue,
    CAST(revenue * margin / 100 AS DECIMAL(15, 2)) AS fi_net_earn,
    CAST(revenue * margin / 100 / shares AS DECIMAL(10, 2)) AS fi_basic_eps,
    CAST(margin / 100 AS DECIMAL(10, 2)) AS fi_margin,
    CAST(revenue * 0.3 AS DECIMAL(15, 2)) AS fi_inventory,
    CAST(revenue * 2 AS DECIMAL(15, 2)) AS fi_assets,
    CAST(revenue * 0.8 AS DECIMAL(15, 2)) AS fi_liability,
    shares AS fi_out_basic
FROM (
    SELECT co_id, q, 100000000 + below(15900000000, co_id * 100 + q, 'fi_revenue') AS revenue, 5 + below(46, co_id * 100 + q, 'fi_margin') AS margin,
        (SELECT max(s_num_out) FROM security WHERE s_co_id = co_id) AS shares
    FROM company CROSS JOIN range(20) AS t(q)
);

-- Five years of working days: 1,305. Prices are those of EGen: close 20.00 to 30.00, high 105 % and low 92 % of it.
CREATE TEMP TABLE days AS
SELECT CAST(row_number() OVER (ORDER BY d) - 1 AS INTEGER) AS n, d AS day
FROM (SELECT CAST(unnest(range(TIMESTAMP '2021-01-04', TIMESTAMP '2026-01-03', INTERVAL 1 DAY)) AS DATE) AS d)
WHERE isodow(d) <= 5;

CREATE TABLE daily_market AS
SELECT
    day AS dm_date,
    s_symb AS dm_s_symb,
    CAST(cents / 100 AS DECIMAL(8, 2)) AS dm_close,
    CAST(cents * 1.05 / 100 AS DECIMAL(8, 2)) AS dm_high,
    CAST(cents * 0.92 / 100 AS DECIMAL(8, 2)) AS dm_low,
    1000 + below(9001, id, 'dm_vol') AS dm_vol
FROM (
    SELECT *, 2000 + below(1001, id, 'dm_close') AS cents
    FROM (SELECT day, s_symb, CAST(n AS BIGINT) * 1000000 + row_number() OVER (PARTITION BY n ORDER BY s_symb) AS id FROM days CROSS JOIN security)
);

CREATE TABLE customer AS
SELECT
    4300000000 + c AS c_id,
    lpad(CAST(below(1000000000, c, 'c_tax_id') AS VARCHAR), 9, '0') AS c_tax_id,
    'ACTV' AS c_st_id,
    (['Adler', 'Baker', 'Carter', 'Dupont', 'Evans', 'Fischer', 'Garcia', 'Huber', 'Ivanov', 'Jensen'])[1 + below(10, c, 'c_l_name')] || ' ' || left(letters(c, 'c_l_name2'), 4) AS c_l_name,
    (['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gina', 'Hugo', 'Ida', 'Jon'])[1 + below(10, c, 'c_f_name')] AS c_f_name,
    (['M', 'F'])[1 + below(2, c, 'c_gndr')] AS c_gndr,
    CAST(CASE WHEN below(100, c, 'tier') < 20 THEN 1 WHEN below(100, c, 'tier') < 80 THEN 2 ELSE 3 END AS INTEGER) AS c_tier,
    DATE '1930-01-01' + CAST(below(27000, c, 'c_dob') AS INTEGER) AS c_dob
FROM range(1, getvariable('customers') + 1) AS t(c);

-- Accounts by tier: 1 to 4, 2 to 8, 5 to 10; about five per customer. A tenth of them is subject to withholding.
CREATE TEMP TABLE accounts AS
SELECT *, CAST(row_number() OVER (ORDER BY c_id, k) AS BIGINT) AS a
FROM (
    SELECT *, CASE c_tier WHEN 1 THEN 1 + below(4, c_id, 'accounts') WHEN 2 THEN 2 + below(7, c_id, 'accounts') ELSE 5 + below(6, c_id, 'accounts') END AS accounts
    FROM customer
) CROSS JOIN range(10) AS t(k)
WHERE k < accounts;

-- A subquery in the condition of the next join would make it a nested loop.
SET VARIABLE accounts = (SELECT count(*) FROM accounts);

-- A round trip is a purchase and, in 95 of 100 cases, a later sale: of half of the quantity in five cases, of all in
-- the others. What is not sold is a holding: about 0.051 per trade, as in the specification.
CREATE TEMP TABLE round_trips AS
SELECT
    r,
    a,
    c_tier,
    symbol_of(CAST(floor(power(below(1000000, r, 'security') / 1000000, 1.5) * getvariable('securities')) AS BIGINT)) AS symbol,
    ([100, 200, 400, 800])[1 + below(4, r, 'qty')] AS quantity,
    below(100, r, 'sale') AS sale,
    CAST(1005 + below(280, r, 'bought on') AS INTEGER) AS bought_on,
    CAST(1 + below(20, r, 'sold after') AS INTEGER) AS sold_after
FROM range(getvariable('customers') * 200) AS t(r)
JOIN accounts ON a = 1 + below(getvariable('accounts'), r, 'account');

CREATE TEMP TABLE trades AS
SELECT
    row_number() OVER (ORDER BY day, second, r, sells) AS t_id,
    CAST(day AS TIMESTAMP) + to_seconds(CAST(second AS INTEGER)) AS t_dts,
    *
FROM (
    SELECT *, 34200 + below(23400, r * 2 + CAST(sells AS INTEGER), 'time') AS second, below(100, r * 2 + CAST(sells AS INTEGER), 'limit') < 40 AS limited,
        below(100, r * 2 + CAST(sells AS INTEGER), 'fate') AS fate
    FROM (
        SELECT r, a, c_tier, symbol, quantity AS qty, bought_on AS n, FALSE AS sells FROM round_trips
        UNION ALL
        SELECT r, a, c_tier, symbol, CASE WHEN sale < 10 THEN quantity // 2 ELSE quantity END, bought_on + sold_after, TRUE FROM round_trips WHERE sale >= 5
    )
)
JOIN days USING (n);

-- Trades of round trips are complete. For one in a hundred, there is an additional limit order that is not.
CREATE TEMP TABLE additional AS
SELECT
    (SELECT count(*) FROM trades) + row_number() OVER (ORDER BY r) AS t_id,
    TIMESTAMP '2026-01-02 16:00:00' + to_seconds(CAST(row_number() OVER (ORDER BY r) % 3600 AS INTEGER)) AS t_dts,
    r, a, c_tier, symbol, quantity AS qty,
    (['CNCL', 'PNDG', 'SBMT', 'PNDG'])[1 + below(4, r, 'additional')] AS status,
    below(2, r, 'additional sells') = 1 AS sells
FROM round_trips
WHERE below(100, r, 'is additional') = 0;

CREATE TABLE trade AS
SELECT
    t_id,
    t_dts,
    'CMPT' AS t_st_id,
    CASE WHEN sells AND limited AND fate < 30 THEN 'TSL' WHEN sells AND limited THEN 'TLS' WHEN sells THEN 'TMS' WHEN limited THEN 'TLB' ELSE 'TMB' END AS t_tt_id,
    below(100, t_id, 't_is_cash') < 92 AS t_is_cash,
    symbol AS t_s_symb,
    CAST(qty AS INTEGER) AS t_qty,
    -- A bid is between the lowest and the highest price of the day, and the trade up to 1 % from it.
    CAST(dm_low + (dm_high - dm_low) * below(101, t_id, 'bid') / 100 AS DECIMAL(8, 2)) AS t_bid_price,
    43000000000 + a AS t_ca_id,
    (['Ada', 'Ben', 'Cleo', 'Dan'])[1 + below(4, a * 10 + below(2, t_id, 'executor'), 'name')] || ' ' || left(letters(a, 't_exec_name'), 6) AS t_exec_name,
    CAST((dm_low + (dm_high - dm_low) * below(101, t_id, 'bid') / 100) * (99 + below(201, t_id, 'price') / 100) / 100 AS DECIMAL(8, 2)) AS t_trade_price,
    -- The charge is by tier and type, the commission by tier.
    CAST(CASE WHEN limited THEN 4.50 ELSE 3.50 END + (3 - c_tier) * 1.50 AS DECIMAL(10, 2)) AS t_chrg,
    CAST(0 AS DECIMAL(10, 2)) AS t_comm,
    CAST(0 AS DECIMAL(10, 2)) AS t_tax,
    below(100, t_id, 't_lifo') < 35 AS t_lifo,
    c_tier, r, sells, limited
FROM trades JOIN daily_market ON dm_date = day AND dm_s_symb = symbol;

INSERT INTO trade
SELECT
    t_id, t_dts, status, CASE WHEN sells THEN 'TLS' ELSE 'TLB' END, TRUE, symbol, CAST(qty AS INTEGER),
    CAST(2000 + below(1001, t_id, 'bid') AS DECIMAL(8, 2)) / 100, 43000000000 + a, 'Eva ' || left(letters(a, 't_exec_name'), 6),
    NULL, CAST(4.50 + (3 - c_tier) * 1.50 AS DECIMAL(10, 2)), 0, 0, FALSE, c_tier, r, sells, TRUE
FROM additional;

-- The tax of a sale is on its profit, at 20 %.
CREATE OR REPLACE TABLE trade AS
SELECT
    s.* EXCLUDE (c_tier, r, sells, limited, t_comm, t_tax, t_lifo),
    CAST(coalesce(s.t_trade_price, 0) * s.t_qty * (0.0015 - 0.0003 * s.c_tier) AS DECIMAL(10, 2)) AS t_comm,
    CAST(CASE WHEN s.sells AND s.t_st_id = 'CMPT' THEN greatest(s.t_trade_price - bought_at, 0) * s.t_qty * 0.2 ELSE 0 END AS DECIMAL(10, 2)) AS t_tax,
    s.t_lifo
FROM trade AS s
JOIN (SELECT r, t_trade_price AS bought_at FROM trade WHERE NOT sells AND t_st_id = 'CMPT') AS b ON b.r = s.r
ORDER BY s.t_id;

-- A trade is pending first if it is limited, then submitted, then complete.
CREATE TABLE trade_history AS
SELECT t_id AS th_t_id, t_dts - to_seconds(CAST(CASE st WHEN 'PNDG' THEN 60 + below(600, t_id, 'pending') WHEN 'SBMT' THEN 1 + below(5, t_id, 'submitted') ELSE 0 END AS INTEGER)) AS th_dts, st AS th_st_id
FROM (
    SELECT t_id, t_dts, unnest(CASE
        WHEN t_st_id = 'CNCL' THEN ['PNDG', 'CNCL'] WHEN t_st_id = 'PNDG' THEN ['PNDG']
        WHEN t_st_id = 'SBMT' THEN ['PNDG', 'SBMT'] WHEN t_tt_id IN ('TMB', 'TMS') THEN ['SBMT', 'CMPT']
        ELSE ['PNDG', 'SBMT', 'CMPT'] END) AS st
    FROM trade
);

CREATE TABLE trade_request AS
SELECT t_id AS tr_t_id, t_tt_id AS tr_tt_id, t_s_symb AS tr_s_symb, t_qty AS tr_qty, t_bid_price AS tr_bid_price,
    4300000000 + 1 + below(getvariable('brokers'), t_ca_id - 43000000000, 'broker') AS tr_b_id
FROM trade WHERE t_st_id = 'PNDG';

CREATE TABLE settlement AS
SELECT
    t_id AS se_t_id,
    CASE WHEN t_is_cash THEN 'Cash Account' ELSE 'Margin' END AS se_cash_type,
    CAST(t_dts AS DATE) + 2 AS se_cash_due_date,
    CAST(CASE WHEN tt_is_sell THEN t_qty * t_trade_price - t_chrg - t_comm ELSE -(t_qty * t_trade_price + t_chrg + t_comm) END AS DECIMAL(10, 2)) AS se_amt
FROM trade JOIN trade_type ON tt_id = t_tt_id
WHERE t_st_id = 'CMPT'
ORDER BY se_t_id;

CREATE TABLE cash_transaction AS
SELECT
    t_id AS ct_t_id,
    t_dts AS ct_dts,
    se_amt AS ct_amt,
    tt_name || ' ' || CAST(t_qty AS VARCHAR) || ' shares of ' || t_s_symb AS ct_name
FROM trade JOIN trade_type ON tt_id = t_tt_id JOIN settlement ON se_t_id = t_id
WHERE t_is_cash
ORDER BY ct_t_id;

CREATE TABLE holding_history AS
SELECT b.t_id AS hh_h_t_id, t.t_id AS hh_t_id,
    CAST(CASE WHEN t.sells THEN b.qty ELSE 0 END AS INTEGER) AS hh_before_qty,
    CAST(CASE WHEN t.sells THEN b.qty - t.qty ELSE t.qty END AS INTEGER) AS hh_after_qty
FROM trades AS t JOIN trades AS b ON b.r = t.r AND NOT b.sells
ORDER BY hh_t_id;

CREATE TABLE holding AS
SELECT t_id AS h_t_id, t_ca_id AS h_ca_id, t_s_symb AS h_s_symb, t_dts AS h_dts, t_trade_price AS h_price, hh_after_qty AS h_qty
FROM trade
JOIN (SELECT hh_h_t_id, arg_max(hh_after_qty, hh_t_id) AS hh_after_qty FROM holding_history GROUP BY hh_h_t_id) ON hh_h_t_id = t_id
WHERE hh_after_qty > 0
ORDER BY h_t_id;

CREATE TABLE holding_summary AS
SELECT h_ca_id AS hs_ca_id, h_s_symb AS hs_s_symb, CAST(sum(h_qty) AS INTEGER) AS hs_qty FROM holding GROUP BY ALL ORDER BY ALL;

CREATE TABLE customer_account AS
SELECT
    43000000000 + a AS ca_id,
    4300000000 + 1 + below(getvariable('brokers'), a, 'broker') AS ca_b_id,
    c_id AS ca_c_id,
    c_f_name || ' ' || c_l_name || ' Account ' || CAST(k + 1 AS VARCHAR) AS ca_name,
    CAST(CASE WHEN below(10, a, 'ca_tax_st') = 0 THEN 0 ELSE 1 + below(2, a, 'ca_tax_st2') END AS INTEGER) AS ca_tax_st,
    -- The balance is what was paid in, and what trades for cash have changed.
    CAST(100000 + below(900001, a, 'ca_bal') + coalesce(cash, 0) AS DECIMAL(12, 2)) AS ca_bal
FROM accounts
LEFT JOIN (SELECT t_ca_id, sum(ct_amt) AS cash FROM cash_transaction JOIN trade ON t_id = ct_t_id GROUP BY ALL) ON t_ca_id = 43000000000 + a
ORDER BY ca_id;

CREATE TABLE broker AS
SELECT
    4300000000 + b AS b_id,
    'ACTV' AS b_st_id,
    'Broker ' || letters(b, 'b_name') AS b_name,
    CAST(trade_count AS INTEGER) AS b_num_trades,
    CAST(commission AS DECIMAL(12, 2)) AS b_comm_total
FROM range(1, getvariable('brokers') + 1) AS t(b)
JOIN (
    SELECT ca_b_id, count(t_id) AS trade_count, coalesce(sum(t_comm), 0) AS commission
    FROM customer_account LEFT JOIN trade ON t_ca_id = ca_id AND t_st_id = 'CMPT'
    GROUP BY ALL
) ON ca_b_id = 4300000000 + b
ORDER BY b_id;

-- The last trade of a security is its last one, or the close of the last day where there is none.
CREATE TABLE last_trade AS
SELECT
    s_symb AS lt_s_symb,
    coalesce(latest, TIMESTAMP '2026-01-02 16:00:00') AS lt_dts,
    coalesce(price, dm_close) AS lt_price,
    d.dm_close AS lt_open_price,
    coalesce(volume, 0) AS lt_vol
FROM security
JOIN daily_market AS d ON dm_s_symb = s_symb AND dm_date = DATE '2026-01-02'
LEFT JOIN (
    SELECT t_s_symb, max(t_dts) AS latest, arg_max(t_trade_price, t_id) AS price, CAST(sum(t_qty) FILTER (t_dts >= TIMESTAMP '2026-01-02 00:00:00') AS BIGINT) AS volume
    FROM trade WHERE t_st_id = 'CMPT' GROUP BY ALL
) ON t_s_symb = s_symb
ORDER BY lt_s_symb;

-- A watch list per customer, with 50 to 150 securities as far as there are so many.
CREATE TABLE watch_list AS
SELECT c_id - 4300000000 AS wl_id, c_id AS wl_c_id FROM customer;

CREATE TABLE watch_item AS
SELECT DISTINCT wl_id AS wi_wl_id, symbol_of((below(getvariable('securities'), wl_id, 'first') + k) % getvariable('securities')) AS wi_s_symb
FROM watch_list CROSS JOIN range(150) AS t(k)
WHERE k < 50 + below(101, wl_id, 'watched')
ORDER BY ALL;

DROP TABLE temp.days;
DROP TABLE temp.accounts;
DROP TABLE temp.round_trips;
DROP TABLE temp.trades;
DROP TABLE temp.additional;
DROP MACRO below;
DROP MACRO letters;
DROP MACRO symbol_of;
RESET VARIABLE customers;
RESET VARIABLE companies;
RESET VARIABLE securities;
RESET VARIABLE brokers;
RESET VARIABLE accounts;
