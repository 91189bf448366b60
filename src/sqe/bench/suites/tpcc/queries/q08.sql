-- Items that no new order needs, and whose stock is low in some warehouse, by thousands of image numbers.
SELECT CAST(floor(i_im_id / 1000.0) AS INTEGER) AS images, count(*) AS items, min(lowest) AS lowest, sum(pieces) AS pieces
FROM item
JOIN (
    SELECT s_i_id, min(s_quantity) AS lowest, sum(s_quantity) AS pieces FROM stock GROUP BY s_i_id
) AS s ON s_i_id = i_id
WHERE lowest < 20
    AND NOT EXISTS (
        SELECT 1 FROM order_line
        JOIN new_order ON no_w_id = ol_w_id AND no_d_id = ol_d_id AND no_o_id = ol_o_id
        WHERE ol_i_id = i_id
    )
GROUP BY CAST(floor(i_im_id / 1000.0) AS INTEGER)
ORDER BY images
