-- Stock that is low though no new order of its warehouse needs the item, by thousands of image numbers.
SELECT CAST(floor(CAST(i_im_id AS DOUBLE) / 1000) AS INTEGER) AS images, count(*) AS stocks, min(s_quantity) AS lowest, sum(s_quantity) AS pieces
FROM stock
JOIN item ON i_id = s_i_id
WHERE s_quantity < 20
    AND NOT EXISTS (
        SELECT 1 FROM order_line
        JOIN new_order ON no_w_id = ol_w_id AND no_d_id = ol_d_id AND no_o_id = ol_o_id
        WHERE ol_supply_w_id = s_w_id AND ol_i_id = s_i_id
    )
GROUP BY CAST(floor(CAST(i_im_id AS DOUBLE) / 1000) AS INTEGER)
ORDER BY images
