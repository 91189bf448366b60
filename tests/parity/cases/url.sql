-- url_extract_fragment_values
SELECT url_extract_fragment('http://example.com/a?b#frag'), url_extract_fragment('http://example.com'), url_extract_fragment('not a url')

-- url_extract_host_values
SELECT url_extract_host('https://user@example.com:8080/x'), url_extract_host('mailto:a@b.c'), url_extract_host('/path')

-- url_extract_parameter_values
SELECT url_extract_parameter('http://e.com/?a=1&b=x%20y&a=2&c', 'a'), url_extract_parameter('http://e.com/?a=1&b=x%20y', 'b'), url_extract_parameter('http://e.com/?c', 'c'), url_extract_parameter('http://e.com/', 'z')

-- url_extract_path_values
SELECT url_extract_path('http://example.com/a/b%20c?q'), url_extract_path('http://example.com'), url_extract_path('http://example.com/')

-- url_extract_port_values
SELECT url_extract_port('http://example.com:8080/'), url_extract_port('http://example.com/')

-- url_extract_protocol_values
SELECT url_extract_protocol('HTTPS://example.com'), url_extract_protocol('ftp://x/y'), url_extract_protocol('nothing')

-- url_extract_query_values
SELECT url_extract_query('http://example.com/?a=1&b=%20#f'), url_extract_query('http://example.com')

-- url_extract_column
SELECT url_extract_host(u), url_extract_path(u), url_extract_query(u) FROM (VALUES 'http://a.b/c?d=e', 'http://[::1]/x', '', NULL) t(u)

-- url_encode_values
SELECT url_encode('a b&c=d/é~*-_.'), url_encode(s) FROM (VALUES '', 'x+y', NULL) t(s)

-- url_decode_values
SELECT url_decode('a%20b+c%C3%A9'), url_decode(s) FROM (VALUES '', '%2B', NULL) t(s)

-- url_decode_invalid
SELECT url_decode('%zz')
