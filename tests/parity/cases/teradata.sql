-- char2hexint_values
SELECT char2hexint('ab'), char2hexint(s) FROM (VALUES 'é', '', NULL) t(s)

-- index_values
SELECT index('banana', 'an'), index('banana', 'x'), index(s, 'b') FROM (VALUES 'äb', NULL) t(s)

-- to_char_values
SELECT to_char(TIMESTAMP '2024-03-04 15:06:07', 'yyyy/mm/dd hh24:mi:ss'), to_char(TIMESTAMP '2024-03-04 15:06:07', 'dd-mm-yy hh')

-- to_date_values
SELECT to_date('2024/03/04', 'yyyy/mm/dd'), to_date(s, 'yyyymmdd') FROM (VALUES '20240229', NULL) t(s)

-- to_timestamp_values
SELECT to_timestamp('2024-03-04 15:06:07', 'yyyy-mm-dd hh24:mi:ss'), to_timestamp('1988/04/08;02:03:04', 'yyyy/mm/dd;hh:mi:ss')

-- to_timestamp_wrong
SELECT to_timestamp('x', 'yyyy')

-- to_char_half_day
SELECT to_char(TIMESTAMP '2024-03-04 00:06:07', 'hh:mi'), to_timestamp('00', 'hh')
