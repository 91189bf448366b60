-- There are 5,000 customers at scale 1, in tiers of 20, 60 and 20 %
SELECT count(*) = greatest(20, round(5000 * getvariable('scale'))) AND count(DISTINCT c_id) = count(*) AND bool_and(c_tier BETWEEN 1 AND 3)
    AND abs(avg(c_tier) - 2) < 6 / sqrt(count(*))
FROM customer;

-- A customer has 1 to 10 accounts, about 5
SELECT min(n) >= 1 AND max(n) <= 10 AND avg(n) BETWEEN 4 AND 6 AND count(*) = (SELECT count(*) FROM customer)
FROM (SELECT count(*) AS n FROM customer_account SEMI JOIN customer ON c_id = ca_c_id GROUP BY ca_c_id);

-- There is a broker for each 100 customers, and each account has one
SELECT (SELECT count(*) FROM broker) = ceil((SELECT count(*) FROM customer) / 100)
    AND (SELECT count(*) FROM customer_account) = (SELECT count(*) FROM customer_account SEMI JOIN broker ON b_id = ca_b_id);

-- There are 500 companies and 685 securities for each 1,000 customers
SELECT (SELECT count(*) FROM company) = ceil((SELECT count(*) FROM customer) * 0.5)
    AND (SELECT count(DISTINCT s_symb) FROM security) = ceil((SELECT count(*) FROM customer) * 0.685);

-- Fixed tables have the specified rows: 5 status types, 5 trade types, 4 exchanges, 12 sectors, 102 industries
SELECT (SELECT count(*) FROM status_type) = 5 AND (SELECT count(*) FROM trade_type) = 5 AND (SELECT count(*) FROM exchange) = 4
    AND (SELECT count(*) FROM sector) = 12 AND (SELECT count(DISTINCT in_id) FROM industry SEMI JOIN sector ON sc_id = in_sc_id) = 102;

-- Each security is of a company and of an exchange, and each company of an industry
SELECT (SELECT count(*) FROM security) = (SELECT count(*) FROM security JOIN company ON co_id = s_co_id JOIN exchange ON ex_id = s_ex_id)
    AND (SELECT count(*) FROM company) = (SELECT count(*) FROM company JOIN industry ON in_id = co_in_id);

-- ex_num_symb is the number of securities
SELECT bool_and(ex_num_symb = (SELECT count(*) FROM security WHERE s_ex_id = ex_id)) FROM exchange;

-- Each company has three competitors, none of them itself
SELECT count(*) = 3 * (SELECT count(*) FROM company) AND count(DISTINCT (cp_co_id, cp_comp_co_id)) = count(*) AND bool_and(cp_co_id <> cp_comp_co_id)
FROM company_competitor SEMI JOIN company ON co_id = cp_comp_co_id;

-- Each company has financial data of 20 quarters
SELECT count(*) = 20 * (SELECT count(*) FROM company) AND count(DISTINCT (fi_co_id, fi_year, fi_qtr)) = count(*) FROM financial;

-- Each security has 1,305 days of five years, low below close below high
SELECT count(*) = 1305 * (SELECT count(*) FROM security) AND count(DISTINCT dm_date) = 1305 AND bool_and(dm_low < dm_close AND dm_close < dm_high AND dm_close BETWEEN 20 AND 30)
FROM daily_market SEMI JOIN security ON s_symb = dm_s_symb;

-- Each security has a last trade
SELECT count(*) = (SELECT count(*) FROM security) AND count(DISTINCT lt_s_symb) = count(*) AND bool_and(lt_price > 0) FROM last_trade SEMI JOIN security ON s_symb = lt_s_symb;

-- There are about 390 completed trades for each customer
SELECT count(*) / (SELECT count(*) FROM customer) BETWEEN 385 AND 395 FROM trade WHERE t_st_id = 'CMPT';

-- A trade is of an account, a security, a type and a status; 92 % are for cash
SELECT count(*) = (SELECT count(*) FROM trade) AND count(DISTINCT t_id) = count(*) AND avg(CAST(t_is_cash AS INTEGER)) BETWEEN 0.91 AND 0.93
FROM trade JOIN customer_account ON ca_id = t_ca_id JOIN security ON s_symb = t_s_symb JOIN trade_type ON tt_id = t_tt_id JOIN status_type ON st_id = t_st_id;

-- A completed trade has a price, and numbers of trades follow their times
SELECT bool_and((t_st_id = 'CMPT') = (t_trade_price IS NOT NULL)) AND bool_and(t_dts >= earlier) FROM (SELECT t_st_id, t_trade_price, t_dts, coalesce(lag(t_dts) OVER (ORDER BY t_id), t_dts) AS earlier FROM trade WHERE t_st_id = 'CMPT');

-- Quantities are 100 to 800, or half of that for partial sales
SELECT bool_and(t_qty IN (50, 100, 200, 400, 800)) FROM trade;

-- Consistency condition 1: b_num_trades is the number of completed trades of a broker
SELECT bool_and(b_num_trades = n) FROM broker JOIN (SELECT ca_b_id, count(*) AS n FROM customer_account JOIN trade ON t_ca_id = ca_id WHERE t_st_id = 'CMPT' GROUP BY ALL) ON ca_b_id = b_id;

-- Consistency condition 2: b_comm_total is the sum of their commissions
SELECT bool_and(b_comm_total = commission) FROM broker JOIN (SELECT ca_b_id, sum(t_comm) AS commission FROM customer_account JOIN trade ON t_ca_id = ca_id WHERE t_st_id = 'CMPT' GROUP BY ALL) ON ca_b_id = b_id;

-- Consistency condition 3: hs_qty is the sum of holdings, and what completed trades have left
SELECT bool_and(hs_qty = held AND hs_qty = traded) AND count(*) = (SELECT count(*) FROM holding_summary)
FROM holding_summary
JOIN (SELECT h_ca_id, h_s_symb, sum(h_qty) AS held FROM holding GROUP BY ALL) ON h_ca_id = hs_ca_id AND h_s_symb = hs_s_symb
JOIN (
    SELECT t_ca_id, t_s_symb, sum(CASE WHEN tt_is_sell THEN -t_qty ELSE t_qty END) AS traded
    FROM trade JOIN trade_type ON tt_id = t_tt_id WHERE t_st_id = 'CMPT' GROUP BY ALL
) ON t_ca_id = hs_ca_id AND t_s_symb = hs_s_symb;

-- About 0.051 holdings are left for each trade
SELECT (SELECT count(*) FROM holding) / count(*) BETWEEN 0.045 AND 0.058 FROM trade;

-- Each completed trade is settled, and has paid its amount if it is for cash
SELECT (SELECT count(*) FROM settlement SEMI JOIN trade ON t_id = se_t_id AND t_st_id = 'CMPT') = (SELECT count(*) FROM trade WHERE t_st_id = 'CMPT')
    AND (SELECT count(*) FROM cash_transaction) = (SELECT count(*) FROM trade WHERE t_st_id = 'CMPT' AND t_is_cash)
    AND (SELECT bool_and(ct_amt = se_amt) FROM cash_transaction JOIN settlement ON se_t_id = ct_t_id);

-- The last history of each trade has its status
SELECT count(*) = (SELECT count(*) FROM trade) AND bool_and(th_st_id = t_st_id)
FROM trade JOIN (SELECT th_t_id, arg_max(th_st_id, th_dts) AS th_st_id FROM trade_history GROUP BY ALL) ON th_t_id = t_id;

-- Requests are the pending trades, with the broker of the account
SELECT count(*) = (SELECT count(*) FROM trade WHERE t_st_id = 'PNDG') AND count(*) > 0
FROM trade_request JOIN trade ON t_id = tr_t_id JOIN customer_account ON ca_id = t_ca_id AND ca_b_id = tr_b_id WHERE t_st_id = 'PNDG';

-- Each customer has a watch list, with securities that exist
SELECT count(DISTINCT wl_c_id) = (SELECT count(*) FROM customer) AND count(*) = (SELECT count(*) FROM watch_item)
FROM watch_item JOIN watch_list ON wl_id = wi_wl_id JOIN security ON s_symb = wi_s_symb;
