-- New-Order and Payment: the next number of an order, and ten payments of each district.
UPDATE district SET d_next_o_id = d_next_o_id + 10, d_ytd = CAST(d_ytd + 10 * 25.50 AS DECIMAL(12, 2))
-- check
SELECT d_w_id, d_id, d_next_o_id, d_ytd, d_tax FROM district WHERE d_w_id = 1 ORDER BY d_id
