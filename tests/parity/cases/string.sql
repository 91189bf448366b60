-- chr_letter
SELECT chr(65)

-- chr_column
SELECT n, chr(n) FROM (VALUES 97, 228, 8364, 128512, NULL) t(n) ORDER BY n

-- chr_not_a_code_point
SELECT chr(-1)

-- codepoint_letter
SELECT codepoint('x')

-- codepoint_of_a_column_cast
SELECT codepoint(CAST(s AS varchar(1))) FROM (VALUES 'b', '€', NULL) t(s)

-- codepoint_of_two_characters
SELECT codepoint('xy')

-- concat_three
SELECT concat('ab', 'cd', 'ef')

-- concat_with_null
SELECT concat(a, b) FROM (VALUES ('x', 'y'), ('x', NULL), ('', 'z')) t(a, b)

-- concat_operator_column
SELECT a || '-' || b FROM (VALUES ('x', 'y'), ('x', NULL)) t(a, b)

-- concat_char_and_varchar
SELECT CAST('a' AS char(3)) || 'b'

-- concat_ws_skips_nulls
SELECT concat_ws(', ', 'a', NULL, 'b', '')

-- concat_ws_array
SELECT concat_ws('/', ARRAY['x', NULL, 'z'])

-- concat_ws_null_separator
SELECT concat_ws(s, 'a', 'b') FROM (VALUES '-', NULL) t(s)

-- concat_ws_only_nulls
SELECT concat_ws('-', CAST(NULL AS varchar), NULL)

-- hamming_distance_equal_length
SELECT hamming_distance('karolin', 'kathrin')

-- hamming_distance_column
SELECT hamming_distance(a, b) FROM (VALUES ('äbc', 'abc'), ('', ''), (NULL, 'x')) t(a, b)

-- hamming_distance_other_length
SELECT hamming_distance('ab', 'abc')

-- length_text
SELECT length('héllo')

-- length_column
SELECT length(s) FROM (VALUES '', ' a ', '😀', NULL) t(s)

-- length_char_is_padded
SELECT length(CAST('ab' AS char(5)))

-- length_varbinary
SELECT length(X'00ff10')

-- levenshtein_words
SELECT levenshtein_distance('kitten', 'sitting')

-- levenshtein_column
SELECT levenshtein_distance(a, b) FROM (VALUES ('', 'abc'), ('ä', 'a'), (NULL, 'a')) t(a, b)

-- lower_text
SELECT lower('ÄBC xYz')

-- lower_column
SELECT lower(s) FROM (VALUES 'Σ', 'İ', 'ẞ', NULL) t(s)

-- lower_char
SELECT lower(CAST('AB' AS char(4)))

-- lpad_longer
SELECT lpad('text', 10, 'xy')

-- lpad_longer_than_the_text
SELECT lpad('text', 2, 'x')

-- lpad_column
SELECT lpad(s, n, p) FROM (VALUES ('a', 3, '*'), ('abc', 0, '*'), (NULL, 3, '*'), ('ö', 4, '€')) t(s, n, p)

-- lpad_empty_padding
SELECT lpad('abc', 5, '')

-- lpad_negative_size
SELECT lpad('abc', -1, 'x')

-- ltrim_spaces
SELECT ltrim('  ab ')

-- ltrim_column_whitespace
SELECT ltrim(s) FROM (VALUES U&'\2003a', chr(9) || 'b', chr(10) || ' c ', NULL) t(s)

-- ltrim_characters
SELECT ltrim('xyxab', 'xy')

-- luhn_check_numbers
SELECT s, luhn_check(s) FROM (VALUES '79927398713', '79927398714', '0', '', NULL) t(s) ORDER BY s

-- luhn_check_not_digits
SELECT luhn_check('12a4')

-- normalize_default
SELECT to_hex(to_utf8(normalize(U&'e\0301')))

-- normalize_forms
SELECT to_hex(to_utf8(normalize('é', NFD))), to_hex(to_utf8(normalize('ﬁ', NFKC))), to_hex(to_utf8(normalize('ﬁ', NFKD))), to_hex(to_utf8(normalize('e', NFC)))

-- normalize_column
SELECT normalize(s, NFKC) FROM (VALUES '①', 'ｶ', NULL) t(s)

-- position_in
SELECT POSITION('lo' IN 'hello'), POSITION('' IN 'hello'), POSITION('z' IN 'hello')

-- position_column
SELECT POSITION(a IN b) FROM (VALUES ('b', 'äb'), (NULL, 'x'), ('x', NULL)) t(a, b)

-- replace_remove
SELECT replace('banana', 'an')

-- replace_with
SELECT replace('banana', 'an', '<>')

-- replace_empty_search
SELECT replace('abc', '', '-')

-- replace_column
SELECT replace(s, 'a', r) FROM (VALUES ('aaa', 'b'), ('', 'b'), ('a', NULL), (NULL, 'c')) t(s, r)

-- reverse_text
SELECT reverse('añb😀')

-- reverse_column
SELECT reverse(s) FROM (VALUES 'abc', '', NULL) t(s)

-- reverse_varbinary
SELECT reverse(X'0102ff')

-- rpad_longer
SELECT rpad('text', 9, 'ab')

-- rpad_shorter
SELECT rpad('text', 1, 'ab')

-- rpad_column
SELECT rpad(s, 4, p) FROM (VALUES ('a', '.'), ('äöüß5', '.'), ('x', NULL)) t(s, p)

-- rtrim_spaces
SELECT rtrim('  ab  ') || '|'

-- rtrim_characters
SELECT rtrim('abxyx', 'xy')

-- rtrim_column
SELECT rtrim(s) || '|' FROM (VALUES U&'a\3000', 'b' || chr(9), NULL) t(s)

-- soundex_words
SELECT soundex('Robert'), soundex('Rupert'), soundex('Tymczak')

-- soundex_column
SELECT soundex(s) FROM (VALUES 'Ashcraft', '', 'a', NULL) t(s)

-- soundex_not_a_letter
SELECT soundex('é')

-- split_simple
SELECT split('a,b,,c,', ',')

-- split_limit
SELECT split('a.b.c.d', '.', 2)

-- split_limit_one
SELECT split('a.b', '.', 1)

-- split_column
SELECT split(s, '|') FROM (VALUES 'x|y', '', '|', NULL) t(s)

-- split_empty_delimiter
SELECT split('abc', '')

-- split_limit_zero
SELECT split('a.b', '.', 0)

-- split_part_middle
SELECT split_part('a-b-c', '-', 2)

-- split_part_beyond
SELECT split_part('a-b-c', '-', 9)

-- split_part_column
SELECT split_part(s, '::', n) FROM (VALUES ('a::b', 1), ('a::b', 2), ('::', 1), (NULL, 1)) t(s, n)

-- split_part_zero
SELECT split_part('a-b', '-', 0)

-- split_part_negative
SELECT split_part('a-b', '-', -1)

-- split_to_map_simple
SELECT split_to_map('a=1;b=2', ';', '=')

-- split_to_map_column
SELECT split_to_map(s, ',', ':') FROM (VALUES 'k:v', '', 'x:,y:z', NULL) t(s)

-- split_to_map_duplicate
SELECT split_to_map('a=1;a=2', ';', '=')

-- split_to_map_no_value
SELECT split_to_map('a;b=1', ';', '=')

-- split_to_multimap_simple
SELECT split_to_multimap('a=1;b=2;a=3', ';', '=')

-- split_to_multimap_column
SELECT split_to_multimap(s, ',', ':') FROM (VALUES 'k:v,k:w', NULL) t(s)

-- strpos_first
SELECT strpos('banana', 'an'), strpos('banana', 'x'), strpos('banana', '')

-- strpos_instance
SELECT strpos('banana', 'a', 2), strpos('banana', 'a', 4)

-- strpos_from_the_end
SELECT strpos('banana', 'a', -1), strpos('banana', 'an', -2)

-- strpos_column
SELECT strpos(s, 'b') FROM (VALUES 'äb', '', NULL) t(s)

-- strpos_instance_zero
SELECT strpos('banana', 'a', 0)

-- starts_with_text
SELECT starts_with('hello', 'he'), starts_with('hello', ''), starts_with('h', 'he')

-- starts_with_column
SELECT starts_with(s, p) FROM (VALUES ('äö', 'ä'), (NULL, 'a'), ('a', NULL)) t(s, p)

-- substr_from
SELECT substr('quadratic', 5), substr('quadratic', -3), substr('quadratic', 0), substr('quadratic', 20)

-- substring_length
SELECT substring('quadratic', 2, 3), substring('quadratic', -4, 2), substring('quadratic', 2, 0), substring('quadratic', 2, -1)

-- substring_from_for
SELECT substring('quadratic' FROM 3 FOR 4), substring('quadratic' FROM 7)

-- substring_column
SELECT substring(s, n, 2) FROM (VALUES ('äöü', 2), ('😀x', 1), ('abc', -10), ('abc', 0), (NULL, 1)) t(s, n)

-- substr_char
SELECT substr(CAST('abc' AS char(6)), 2, 4) || '|'

-- substr_varbinary
SELECT substr(X'0a0b0c0d', 2, 2), substr(X'0a0b0c0d', -1)

-- translate_letters
SELECT translate('abcda', 'ad', 'xy')

-- translate_removes
SELECT translate('abcda', 'abd', 'z')

-- translate_column
SELECT translate(s, 'äö', 'ao') FROM (VALUES 'äöx', '', NULL) t(s)

-- trim_both
SELECT trim('  a b  ') || '|'

-- trim_forms
SELECT trim(LEADING 'x' FROM 'xxaxx'), trim(TRAILING 'x' FROM 'xxaxx'), trim(BOTH 'x' FROM 'xxaxx'), trim('x' FROM 'xax')

-- trim_column_whitespace
SELECT trim(s) || '|' FROM (VALUES U&'\00a0a\00a0', U&'\2003b\2003', chr(9) || 'c' || chr(13), NULL) t(s)

-- trim_set_of_characters
SELECT trim(BOTH 'ab' FROM 'abcba')

-- trim_char
SELECT trim(CAST(' a ' AS char(6))) || '|'

-- upper_text
SELECT upper('straße äé')

-- upper_column
SELECT upper(s) FROM (VALUES 'ŉ', 'ǆ', 'ab1', NULL) t(s)

-- word_stem_english
SELECT word_stem('running'), word_stem('generously')

-- word_stem_language
SELECT word_stem('laufenden', 'de'), word_stem('continuerait', 'fr')

-- word_stem_unknown_language
SELECT word_stem('abc', 'xx')

-- from_utf8_text
SELECT from_utf8(X'c3a4e282ac')

-- from_utf8_invalid
SELECT from_utf8(X'61ff62')

-- from_utf8_replacement
SELECT from_utf8(X'61ff62', '?'), from_utf8(X'61ff62', 63), from_utf8(X'61ff62', '')

-- from_utf8_replacement_too_long
SELECT from_utf8(X'ff', 'ab')

-- to_utf8_text
SELECT to_utf8('ä€')

-- to_utf8_column
SELECT to_utf8(s) FROM (VALUES 'a', '', NULL) t(s)

-- to_utf8_char
SELECT to_utf8(CAST('a' AS char(3)))

-- like_percent
SELECT s LIKE 'a%' FROM (VALUES 'abc', 'ba', '', NULL) t(s)

-- like_underscore
SELECT 'äb' LIKE '__', 'a' LIKE '__', '😀' LIKE '_'

-- like_escape
SELECT '10%' LIKE '10#%' ESCAPE '#', '10x' LIKE '10#%' ESCAPE '#', 'a_b' LIKE 'a!_b' ESCAPE '!'

-- like_backslash_is_no_escape
SELECT 'a\b' LIKE 'a\b', 'a\%' LIKE 'a\%', 'a\xyz' LIKE 'a\%'

-- like_newline
SELECT 'a' || chr(10) || 'b' LIKE 'a%b'

-- not_like
SELECT 'abc' NOT LIKE '%b%', 'abc' NOT LIKE '%x%'

-- like_column_pattern
SELECT s LIKE p FROM (VALUES ('abc', '_b_'), ('abc', 'ABC'), ('a.c', 'a.c'), ('abc', 'a.c'), ('x', NULL)) t(s, p)

-- like_escape_at_end
SELECT 'a' LIKE 'a#' ESCAPE '#'

-- like_escape_too_long
SELECT 'a' LIKE 'a' ESCAPE 'ab'

-- like_escape_of_nothing
SELECT 'a' LIKE p ESCAPE '#' FROM (VALUES 'a#b') t(p)
