-- Payment: the customers with new orders pay, and their data begins with the payment if their credit is bad.
UPDATE customer SET
    c_balance = CAST(c_balance - 25.50 AS DECIMAL(12, 2)),
    c_ytd_payment = CAST(c_ytd_payment + 25.50 AS DECIMAL(12, 2)),
    c_payment_cnt = c_payment_cnt + 1,
    c_data = CASE WHEN c_credit = 'BC' THEN substring(concat(CAST(c_id AS VARCHAR(10)), ' 25.50 ', c_data), 1, 500) ELSE c_data END
WHERE c_id IN (SELECT o_c_id FROM orders WHERE o_id > 3000)
-- check
SELECT c_payment_cnt, c_credit, count(*) AS n, sum(c_balance) AS balance, sum(c_ytd_payment) AS paid, max(length(c_data)) AS longest, sum(CASE WHEN c_data LIKE '% 25.50 %' THEN 1 ELSE 0 END) AS noted
FROM customer
GROUP BY c_payment_cnt, c_credit
ORDER BY c_payment_cnt, c_credit
