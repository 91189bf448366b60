-- New-Order: take the pieces from the stock, which is refilled with 91 pieces where it would fall below ten.
MERGE INTO stock AS s
USING (
    SELECT ol_supply_w_id, ol_i_id, sum(ol_quantity) AS pieces, count(*) AS order_lines
    FROM order_line
    JOIN district ON d_w_id = ol_w_id AND d_id = ol_d_id
    WHERE ol_o_id >= d_next_o_id
    GROUP BY ol_supply_w_id, ol_i_id
) AS taken
ON s.s_w_id = taken.ol_supply_w_id AND s.s_i_id = taken.ol_i_id
WHEN MATCHED THEN UPDATE SET
    s_quantity = CAST(CASE WHEN s.s_quantity - taken.pieces >= 10 THEN s.s_quantity - taken.pieces ELSE s.s_quantity - taken.pieces + 91 END AS INTEGER),
    s_ytd = CAST(s.s_ytd + taken.pieces AS DECIMAL(8, 0)),
    s_order_cnt = CAST(s.s_order_cnt + taken.order_lines AS INTEGER)
-- check
SELECT count(*) AS n, sum(s_quantity) AS pieces, sum(s_ytd) AS sold, sum(s_order_cnt) AS order_lines, min(s_quantity) AS lowest FROM stock
