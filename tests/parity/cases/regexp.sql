-- regexp_count_values
SELECT regexp_count('1a 2b 14m', '\s*[a-z]+\s*'), regexp_count('aaa', 'a'), regexp_count('', 'x')

-- regexp_count_column
SELECT regexp_count(s, '[0-9]') FROM (VALUES 'a1b22', '', NULL) t(s)

-- regexp_extract_values
SELECT regexp_extract('abc 123 def', '\d+'), regexp_extract('abc', '\d+'), regexp_extract('key=value', '(\w+)=(\w+)', 2)

-- regexp_extract_no_such_group
SELECT regexp_extract('abc', 'b', 1)

-- regexp_extract_column
SELECT regexp_extract(s, '(\d+)(\D*)', 2) FROM (VALUES '12ab', '7', 'x', NULL) t(s)

-- regexp_extract_optional_group
SELECT regexp_extract('ac', 'a(b)?c', 1)

-- regexp_extract_all_values
SELECT regexp_extract_all('1a 2b 14m', '\d+'), regexp_extract_all('1a 2b 14m', '(\d+)([a-z]+)', 2), regexp_extract_all('x', '\d')

-- regexp_extract_all_column
SELECT regexp_extract_all(s, '[a-z]') FROM (VALUES 'a1b', '', NULL) t(s)

-- regexp_like_values
SELECT regexp_like('1a 2b', '\d+b'), regexp_like('abc', '^b'), regexp_like('', '')

-- regexp_like_column_pattern
SELECT regexp_like(s, p) FROM (VALUES ('abc', 'B'), ('abc', '(?i)B'), ('a.c', 'a\.c'), (NULL, 'a'), ('a', NULL)) t(s, p)

-- regexp_like_multi_line
SELECT regexp_like('a' || chr(10) || 'b', '^b'), regexp_like('a' || chr(10) || 'b', '(?m)^b'), regexp_like('a' || chr(10) || 'b', 'a.b'), regexp_like('a' || chr(10) || 'b', '(?s)a.b')

-- regexp_like_unicode
SELECT regexp_like('ä', '\w'), regexp_like('É', '(?i)é'), regexp_like('١', '\d')

-- regexp_like_invalid_pattern
SELECT regexp_like('a', '(')

-- regexp_position_values
SELECT regexp_position('I have 23 apples', '\b\d+\b'), regexp_position('a,b,c', ',', 3), regexp_position('a,b,c,d', ',', 1, 3), regexp_position('abc', 'x')

-- regexp_position_start_zero
SELECT regexp_position('abc', 'b', 0)

-- regexp_replace_remove
SELECT regexp_replace('1a 2b 14m', '\d+[ab] ')

-- regexp_replace_with_groups
SELECT regexp_replace('1a 2b', '(\d+)([ab])', '$2$1'), regexp_replace('ab', '(?<first>a)', '[${first}]'), regexp_replace('a', 'a', '\$')

-- regexp_replace_empty_match
SELECT regexp_replace('abc', '', '-'), regexp_replace('abc', 'x*', '-')

-- regexp_replace_lambda
SELECT regexp_replace('new york', '(\w)(\w*)', x -> upper(x[1]) || lower(x[2])), regexp_replace('a1b2', '(\d)', x -> '<' || x[1] || '>')

-- regexp_replace_column
SELECT regexp_replace(s, '\s+', ' ') FROM (VALUES 'a   b', 'c', NULL) t(s)

-- regexp_replace_unknown_group
SELECT regexp_replace('abc', '(b)', '$2')

-- regexp_split_values
SELECT regexp_split('1a 2b 14m', '\s*[a-z]+\s*'), regexp_split('abc', ','), regexp_split('a1b2', '\d')

-- regexp_split_column
SELECT regexp_split(s, '[,;]') FROM (VALUES 'a,b;c', ',', '', NULL) t(s)

-- regexp_look_around
SELECT regexp_extract('price: 100 EUR', '\d+(?= EUR)'), regexp_replace('foobar', '(?<=foo)bar', 'x')
