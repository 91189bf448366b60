-- bit_count_values
SELECT bit_count(9, 64), bit_count(9, 8), bit_count(-7, 64), bit_count(-7, 8)

-- bit_count_column
SELECT bit_count(x, 32) FROM (VALUES 0, 255, NULL) t(x)

-- bit_count_too_few_bits
SELECT bit_count(1000, 8)

-- bitwise_and_values
SELECT bitwise_and(19, 25), bitwise_and(-1, 255), bitwise_and(x, 6) FROM (VALUES 5, NULL) t(x)

-- bitwise_or_values
SELECT bitwise_or(19, 25), bitwise_or(x, 6) FROM (VALUES 9, NULL) t(x)

-- bitwise_xor_values
SELECT bitwise_xor(19, 25), bitwise_xor(x, -1) FROM (VALUES 9, NULL) t(x)

-- bitwise_not_values
SELECT bitwise_not(-12), bitwise_not(x) FROM (VALUES 19, 0, NULL) t(x)

-- left_shift_types
SELECT bitwise_left_shift(TINYINT '-7', 2), bitwise_left_shift(SMALLINT '1', 15), bitwise_left_shift(1, 31), bitwise_left_shift(BIGINT '1', 40)

-- left_shift_too_far
SELECT bitwise_left_shift(1, 64), bitwise_left_shift(BIGINT '1', 64), bitwise_left_shift(TINYINT '1', 8)

-- right_shift_types
SELECT bitwise_right_shift(TINYINT '-8', 1), bitwise_right_shift(SMALLINT '-8', 1), bitwise_right_shift(-8, 1), bitwise_right_shift(BIGINT '-8', 1)

-- right_shift_too_far
SELECT bitwise_right_shift(-8, 64), bitwise_right_shift(BIGINT '-8', 64)

-- right_shift_arithmetic_types
SELECT bitwise_right_shift_arithmetic(TINYINT '-8', 1), bitwise_right_shift_arithmetic(-8, 64), bitwise_right_shift_arithmetic(BIGINT '-8', 1), bitwise_right_shift_arithmetic(8, 2)

-- shift_column
SELECT bitwise_left_shift(x, n), bitwise_right_shift(x, n), bitwise_right_shift_arithmetic(x, n) FROM (VALUES (1, 4), (-16, 2), (NULL, 1), (7, 0)) t(x, n)
