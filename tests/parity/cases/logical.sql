-- and_with_null
SELECT CAST(NULL AS boolean) AND true, CAST(NULL AS boolean) AND false

-- or_with_null
SELECT CAST(NULL AS boolean) OR true, CAST(NULL AS boolean) OR false

-- not_with_null
SELECT NOT CAST(NULL AS boolean), NOT true, NOT false

-- truth_table
SELECT a, b, a AND b, a OR b FROM (VALUES (true), (false), (NULL)) t(a) CROSS JOIN (VALUES (true), (false), (NULL)) u(b) ORDER BY a, b

-- precedence
SELECT true OR false AND false, NOT true OR true

-- where_null_is_not_true
SELECT x FROM (VALUES 1, 2, NULL) t(x) WHERE NOT (x = 1)

-- boolean_of_an_integer
SELECT 1 AND true
