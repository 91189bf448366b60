-- string_literals
SELECT 'a', '', 'it''s', 'a\n', '"x"'

-- string_unicode_literals
SELECT U&'Hello\00e9\+01F600', U&'a#0041' UESCAPE '#', U&'\\'

-- string_unicode_literal_invalid
SELECT U&'\d800'

-- binary_literals
SELECT X'65683F', X'', X'00 ff', x'aB'

-- binary_literal_odd
SELECT X'abc'

-- integer_literals
SELECT 0, 2147483647, -2147483648, 2147483648, 9223372036854775807, -9223372036854775808

-- integer_literal_too_large
SELECT 9223372036854775808

-- integer_literals_in_other_bases
SELECT 0xFF, 0o17, 0b101, -0x1A

-- integer_literals_with_underscores
SELECT 1_000_000, 0x_FF_FF, 1_0.0_1

-- typed_integer_literals
SELECT TINYINT '127', SMALLINT '-5', INTEGER '7', INT '8', BIGINT '9'

-- tinyint_literal_too_large
SELECT TINYINT '128'

-- decimal_literals_forms
SELECT 1.0, 0.10, .5, 5., 123456789012345678901234567890.12345678

-- decimal_literal_too_long
SELECT 123456789012345678901234567890123456789.0

-- double_literals
SELECT 1e0, 1.5E3, -2e-3, .5e1, 1E308

-- double_literal_typed
SELECT DOUBLE '1.5', DOUBLE 'NaN', DOUBLE '-Infinity', DOUBLE PRECISION '2'

-- real_literals
SELECT REAL '1.1', REAL '3.4028235e38', REAL 'Infinity'

-- boolean_literals
SELECT true, FALSE, BOOLEAN 'true', BOOLEAN 'f'

-- null_literal
SELECT NULL, NULL + 1, NULL = NULL, NULL || 'a'

-- array_literals
SELECT ARRAY[], ARRAY[1, 2], ARRAY[ARRAY['a'], ARRAY[]], ARRAY[NULL, 'x']

-- char_literal
SELECT CHAR 'abc', CHAR 'x '

-- varchar_literal_typed
SELECT VARCHAR 'abc'

-- quoted_identifiers
SELECT "a b", "select", "x""y" FROM (VALUES (1, 2, 3)) t("a b", "select", "x""y")

-- identifiers_ignore_case
SELECT ABC, "abc", t.Abc FROM (VALUES 1) T(aBc)

-- comments_are_ignored
SELECT /* one */ 1, -- two
2

-- decimal_literal_in_condition
SELECT x FROM (VALUES 1, 2) t(x) WHERE x > 1.5

-- row_literals
SELECT (1, 'a'), ROW(1), ROW(NULL, 2.5)

-- string_unicode_escape_forms
SELECT U&'a\0041' UESCAPE '!', U&'!0041!+000042!!' UESCAPE '!'

-- string_unicode_escape_incomplete
SELECT U&'\00'

-- string_unicode_escape_character_wrong
SELECT U&'abc' UESCAPE 'a'

-- number_literal_with_two_underscores
SELECT 1__0

-- hexadecimal_literal_too_large
SELECT 0xFFFFFFFFFFFFFFFFFF

-- binary_literal_wrong_digit
SELECT X'0g'
