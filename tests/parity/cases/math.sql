-- abs_numbers
SELECT abs(-5), abs(-2.50), abs(DOUBLE '-1.5'), abs(REAL '-1.5'), abs(BIGINT '-7')

-- abs_column
SELECT abs(x) FROM (VALUES -3, 0, 4, NULL) t(x)

-- abs_smallest_integer
SELECT abs(x) FROM (VALUES INTEGER '-2147483648') t(x)

-- abs_tinyint
SELECT abs(x) FROM (VALUES TINYINT '-100', TINYINT '5') t(x)

-- cbrt_numbers
SELECT cbrt(27), cbrt(-8.0), cbrt(DOUBLE '2')

-- cbrt_column
SELECT cbrt(x) FROM (VALUES 64, 0, NULL) t(x)

-- ceil_numbers
SELECT ceil(1.2), ceil(-1.2), ceiling(DOUBLE '-0.5'), ceil(7), ceil(REAL '1.5')

-- ceiling_column_decimal
SELECT ceiling(x) FROM (VALUES 1.01, -1.99, 0.00, NULL) t(x)

-- degrees_of_pi
SELECT degrees(pi()), degrees(0), degrees(x) FROM (VALUES DOUBLE '1.0') t(x)

-- e_constant
SELECT e()

-- exp_numbers
SELECT exp(0), exp(1), exp(-1.5)

-- exp_column_overflow
SELECT exp(x) FROM (VALUES DOUBLE '1000', DOUBLE '-1000', NULL) t(x)

-- floor_numbers
SELECT floor(1.7), floor(-1.2), floor(DOUBLE '-0.5'), floor(3), floor(REAL '2.5')

-- floor_column
SELECT floor(x) FROM (VALUES DOUBLE '1e20', DOUBLE '-1.5', nan(), NULL) t(x)

-- ln_numbers
SELECT ln(1), ln(e()), ln(0), ln(-1)

-- log_base
SELECT log(2, 8), log(10, 0.001), log(x, 16) FROM (VALUES 4) t(x)

-- log_base_one
SELECT log(1, 5)

-- log2_numbers
SELECT log2(8), log2(0), log2(x) FROM (VALUES 3, NULL) t(x)

-- log10_numbers
SELECT log10(1000), log10(-1), log10(x) FROM (VALUES 2, NULL) t(x)

-- mod_integers
SELECT mod(7, 3), mod(-7, 3), mod(7, -3)

-- mod_decimal_and_double
SELECT mod(7.5, 2), mod(DOUBLE '7.5', 2), mod(x, 0.3) FROM (VALUES 1.0) t(x)

-- mod_by_zero
SELECT mod(5, x) FROM (VALUES 0) t(x)

-- mod_double_by_zero
SELECT mod(DOUBLE '5', 0)

-- pi_constant
SELECT pi()

-- pow_numbers
SELECT pow(2, 10), power(2, -1), power(0, 0), pow(-8, 0.5)

-- power_column
SELECT power(x, y) FROM (VALUES (2.5, 2), (10, 308), (10, 400), (NULL, 1)) t(x, y)

-- radians_numbers
SELECT radians(180), radians(x) FROM (VALUES DOUBLE '90', NULL) t(x)

-- round_integers
SELECT round(5), round(1234, -2), round(1250, -2), round(-1250, -2)

-- round_decimal
SELECT round(2.5), round(-2.5), round(2.345, 2), round(1234.56, -2), round(9.99, 1)

-- round_double
SELECT round(DOUBLE '2.5'), round(DOUBLE '-2.5'), round(DOUBLE '2.345', 2), round(DOUBLE '1e20', 2), round(DOUBLE '0.285', 2)

-- round_real
SELECT round(REAL '2.5'), round(REAL '1.05', 1)

-- round_column
SELECT round(x, n) FROM (VALUES (DOUBLE '1234.5678', 2), (DOUBLE '1234.5678', -2), (DOUBLE '0.5', 0), (nan(), 1), (NULL, 1)) t(x, n)

-- round_column_decimal
SELECT round(x, 1) FROM (VALUES 1.25, -1.25, 9.95, NULL) t(x)

-- sign_numbers
SELECT sign(-3), sign(0), sign(2.5), sign(DOUBLE '-0.5'), sign(nan()), sign(REAL '3')

-- sign_column
SELECT sign(x) FROM (VALUES BIGINT '-9', BIGINT '0', NULL) t(x)

-- sqrt_numbers
SELECT sqrt(2), sqrt(0), sqrt(-1), sqrt(x) FROM (VALUES 6.25) t(x)

-- truncate_double
SELECT truncate(DOUBLE '2.9'), truncate(DOUBLE '-2.9'), truncate(REAL '1.9')

-- truncate_decimal
SELECT truncate(12.345), truncate(12.345, 1), truncate(-12.345, -1), truncate(x, 2) FROM (VALUES 0.999) t(x)

-- width_bucket_bounds
SELECT width_bucket(3.14, 0, 4, 3), width_bucket(-1, 0, 4, 3), width_bucket(9, 0, 4, 3), width_bucket(3, 4, 0, 4)

-- width_bucket_bins
SELECT width_bucket(x, ARRAY[DOUBLE '1', 2, 5]) FROM (VALUES DOUBLE '0', DOUBLE '2', DOUBLE '4.9', DOUBLE '10', NULL) t(x)

-- width_bucket_no_buckets
SELECT width_bucket(1, 0, 4, 0)

-- acos_asin_atan
SELECT acos(0.5), asin(0.5), atan(0.5), acos(2)

-- atan2_quadrants
SELECT atan2(1, 1), atan2(-1, -1), atan2(0, -1), atan2(y, x) FROM (VALUES (DOUBLE '2', DOUBLE '3')) t(y, x)

-- cos_sin_tan
SELECT cos(1), sin(1), tan(1), sin(x) FROM (VALUES DOUBLE '1e10') t(x)

-- cosh_sinh_tanh
SELECT cosh(1), sinh(1), tanh(1), sinh(x), tanh(x) FROM (VALUES DOUBLE '0.1') t(x)

-- infinity_and_nan
SELECT infinity(), -infinity(), nan()

-- is_finite_values
SELECT is_finite(x), is_infinite(x), is_nan(x) FROM (VALUES DOUBLE '1', infinity(), -infinity(), nan(), NULL) t(x)

-- is_nan_real
SELECT is_nan(REAL 'NaN'), is_nan(REAL '1')

-- nan_is_not_equal_to_itself
SELECT nan() = nan(), nan() <> nan(), nan() > 1, nan() < 1, nan() IS DISTINCT FROM nan()

-- from_base_numbers
SELECT from_base('ff', 16), from_base('-101', 2), from_base('zz', 36)

-- from_base_column
SELECT from_base(s, 8) FROM (VALUES '17', '0', NULL) t(s)

-- from_base_wrong_digit
SELECT from_base('9', 8)

-- from_base_wrong_radix
SELECT from_base('1', 37)

-- to_base_numbers
SELECT to_base(255, 16), to_base(-5, 2), to_base(0, 36)

-- to_base_column
SELECT to_base(n, 36) FROM (VALUES 9223372036854775807, 35, NULL) t(n)

-- to_base_wrong_radix
SELECT to_base(1, 1)

-- cosine_distance_arrays
SELECT cosine_distance(ARRAY[1.0, 2.0], ARRAY[3.0, 4.0])

-- cosine_similarity_arrays
SELECT cosine_similarity(ARRAY[1, 0], ARRAY[0, 1]), cosine_similarity(a, b) FROM (VALUES (ARRAY[DOUBLE '1', 2], ARRAY[DOUBLE '2', 4])) t(a, b)

-- cosine_similarity_maps
SELECT cosine_similarity(MAP(ARRAY['a', 'b'], ARRAY[1.0, 2.0]), MAP(ARRAY['b', 'c'], ARRAY[3.0, 4.0]))

-- cosine_similarity_zero
SELECT cosine_similarity(ARRAY[DOUBLE '0', 0], ARRAY[DOUBLE '1', 1])

-- cosine_similarity_other_length
SELECT cosine_similarity(ARRAY[DOUBLE '1'], ARRAY[DOUBLE '1', 2])

-- dot_product_arrays
SELECT dot_product(ARRAY[1.0, 2.0, 3.0], ARRAY[4.0, 5.0, 6.0]), dot_product(ARRAY[DOUBLE '1', NULL], ARRAY[DOUBLE '1', 2])

-- euclidean_distance_arrays
SELECT euclidean_distance(ARRAY[1.0, 2.0], ARRAY[4.0, 6.0])

-- euclidean_distance_other_length
SELECT euclidean_distance(ARRAY[1.0], ARRAY[4.0, 6.0])

-- beta_cdf_values
SELECT beta_cdf(2, 5, 0.3), beta_cdf(2, 5, 0), beta_cdf(2, 5, 1)

-- beta_cdf_outside
SELECT beta_cdf(2, 5, 1.5)

-- inverse_beta_cdf_values
SELECT inverse_beta_cdf(2, 5, 0.5), inverse_beta_cdf(2, 5, 0)

-- inverse_normal_cdf_values
SELECT inverse_normal_cdf(0, 1, 0.3), inverse_normal_cdf(5, 2, 0.975)

-- inverse_normal_cdf_outside
SELECT inverse_normal_cdf(0, 1, 1)

-- normal_cdf_values
SELECT normal_cdf(0, 1, 1.96), normal_cdf(10, 3, 9)

-- normal_cdf_no_deviation
SELECT normal_cdf(0, 0, 1)

-- t_cdf_and_pdf
SELECT t_cdf(0.5, 10), t_pdf(0.5, 10)

-- wilson_intervals
SELECT wilson_interval_lower(125, 130, 1.96), wilson_interval_upper(125, 130, 1.96)

-- wilson_interval_outside
SELECT wilson_interval_lower(5, 3, 1.96)

-- random_bounds
SELECT random(1), rand(5, 6), random() BETWEEN 0 AND 1, typeof(rand()), typeof(random(BIGINT '5'))

-- random_no_range
SELECT random(0)
