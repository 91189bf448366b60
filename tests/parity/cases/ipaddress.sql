-- ipaddress_literal
SELECT IPADDRESS '10.0.0.1', IPADDRESS '2001:db8::1'

-- ipaddress_cast_from_text
SELECT CAST(s AS ipaddress) FROM (VALUES '192.168.1.1', '2001:0db8:0000:0000:0000:ff00:0042:8329', '::ffff:1.2.3.4', NULL) t(s)

-- ipaddress_cast_to_text
SELECT CAST(IPADDRESS '2001:DB8:0:0:1:0:0:1' AS varchar), CAST(IPADDRESS '1.2.3.4' AS varchar)

-- ipaddress_cast_binary
SELECT CAST(IPADDRESS '1.2.3.4' AS varbinary), CAST(X'01020304' AS ipaddress)

-- ipaddress_invalid
SELECT CAST('1.2.3.400' AS ipaddress)

-- ipaddress_compare
SELECT IPADDRESS '1.2.3.4' < IPADDRESS '1.2.3.10', IPADDRESS '1.2.3.4' = IPADDRESS '::ffff:102:304'

-- ipaddress_order
SELECT a FROM (VALUES IPADDRESS '10.0.0.2', IPADDRESS '9.0.0.1', IPADDRESS '::1') t(a) ORDER BY a

-- contains_v4
SELECT contains('10.0.0.0/8', IPADDRESS '10.255.255.255'), contains('10.0.0.0/8', IPADDRESS '11.0.0.0')

-- contains_v6
SELECT contains('2001:db8::/48', IPADDRESS '2001:db8:0:1::1'), contains(n, IPADDRESS '::1') FROM (VALUES '::/128', '::/0', NULL) t(n)

-- contains_invalid_network
SELECT contains('10.0.0.0', IPADDRESS '10.0.0.1')

-- ipaddress_order_of_windows
SELECT a, row_number() OVER (ORDER BY a DESC) FROM (VALUES IPADDRESS '10.0.0.2', IPADDRESS '9.0.0.1', IPADDRESS '::1') t(a)

-- extremes
SELECT least(a, b), greatest(a, b) FROM (VALUES (IPADDRESS '10.0.0.1', IPADDRESS '9.0.0.1')) t(a, b)
