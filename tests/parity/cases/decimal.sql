-- decimal_literals
SELECT 1.50, 0.5, .5, 1., -2.25, 12345678901234567890.5

-- decimal_typed_literal
SELECT DECIMAL '1.10', DECIMAL '9999999999.9', DECIMAL '-.5'

-- decimal_add_types
SELECT CAST(1 AS decimal(5, 2)) + CAST(1 AS decimal(7, 1)), 1.1 + 1

-- decimal_subtract_types
SELECT CAST(1 AS decimal(5, 2)) - CAST(3 AS decimal(4, 3))

-- decimal_multiply_types
SELECT CAST(1.5 AS decimal(5, 2)) * CAST(2.25 AS decimal(4, 3)), 0.1 * 0.1

-- decimal_divide_types
SELECT CAST(10 AS decimal(5, 2)) / CAST(3 AS decimal(4, 3)), 10.0 / 3, 1 / 3.00, 2.0 / 3.0

-- decimal_divide_rounds
SELECT 2.0 / 3, -2.0 / 3, 5.0 / 2, 0.5 / 1

-- decimal_modulus_types
SELECT CAST(10 AS decimal(5, 2)) % CAST(3 AS decimal(4, 3)), 5.5 % 2

-- decimal_add_overflow
SELECT x + x FROM (VALUES DECIMAL '99999999999999999999999999999999999999') t(x)

-- decimal_multiply_overflow
SELECT x * 10 FROM (VALUES DECIMAL '99999999999999999999999999999999999999') t(x)

-- decimal_large_precision
SELECT x + 1, x * 2 FROM (VALUES DECIMAL '1234567890123456789012345.123') t(x)

-- decimal_compare
SELECT 1.10 = 1.1, 1.10 < 1.2, 2 > 1.99, x = 1.0 FROM (VALUES 1, 2) t(x)

-- decimal_cast_rounds
SELECT CAST(1.235 AS decimal(5, 2)), CAST(-1.235 AS decimal(5, 2)), CAST(x AS decimal(3, 0)) FROM (VALUES 2.5, 3.5) t(x)

-- decimal_cast_overflow
SELECT CAST(x AS decimal(3, 1)) FROM (VALUES 100.0) t(x)

-- decimal_default_precision
SELECT CAST(1.5 AS decimal), CAST('7' AS decimal(4)), typeof(CAST(1 AS decimal(10)))

-- decimal_unary
SELECT -x, abs(x) FROM (VALUES -1.50, 0.00, NULL) t(x)

-- decimal_as_varchar
SELECT CAST(1.50 AS varchar), CAST(x AS varchar) FROM (VALUES -0.05, 100.00) t(x)

-- decimal_mixed_with_double
SELECT 1.5 + DOUBLE '1', 1.5 * REAL '2', typeof(1.5 + REAL '1')

-- decimal_mixed_with_bigint
SELECT BIGINT '5' + 1.5, typeof(BIGINT '5' * 1.5), typeof(TINYINT '5' + 1.5), typeof(1.0 / BIGINT '3')

-- decimal_union_types
SELECT typeof(x) FROM (SELECT 1.5 UNION ALL SELECT 10.25) t(x)

-- decimal_sum_and_avg
SELECT sum(x), avg(x), typeof(sum(x)), typeof(avg(x)) FROM (VALUES 1.25, 2.50, 3.50) t(x)

-- negated_with_all_digits
SELECT -a, abs(-a) FROM (VALUES DECIMAL '123456789012345678.90123456789012345678') t(a)
