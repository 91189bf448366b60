-- concat_binary
SELECT concat(X'01', X'0203'), X'ab' || b FROM (VALUES X'cd', NULL) t(b)

-- length_binary
SELECT length(b) FROM (VALUES X'', X'00ff', NULL) t(b)

-- lpad_binary
SELECT lpad(X'ff', 4, X'0102'), lpad(X'aabbcc', 2, X'00')

-- rpad_binary
SELECT rpad(X'ff', 4, X'0102'), rpad(X'aabbcc', 2, X'00')

-- substr_binary
SELECT substr(X'00112233', 2), substr(X'00112233', -2, 1), substr(X'00112233', 9)

-- reverse_binary
SELECT reverse(b) FROM (VALUES X'010203', NULL) t(b)

-- from_base64_text
SELECT from_base64('aGVsbG8='), from_base64(X'6147453d'), from_base64(s) FROM (VALUES '', NULL) t(s)

-- from_base64_invalid
SELECT from_base64('a*b')

-- to_base64_binary
SELECT to_base64(to_utf8('hello')), to_base64(X'fbff'), to_base64(X'')

-- base64url_both
SELECT to_base64url(X'fbff'), from_base64url('-_8='), from_base64url(to_base64url(X'fbefbe'))

-- base32_both
SELECT to_base32(to_utf8('hello')), from_base32('NBSWY3DP'), to_base32(X'')

-- from_hex_text
SELECT from_hex('00fF'), from_hex(s) FROM (VALUES 'abcd', '', NULL) t(s)

-- from_hex_odd
SELECT from_hex('abc')

-- from_hex_invalid
SELECT from_hex('zz')

-- to_hex_binary
SELECT to_hex(X'00ff1a'), to_hex(b) FROM (VALUES X'', X'c3', NULL) t(b)

-- big_endian_32
SELECT to_big_endian_32(258), to_big_endian_32(-1), from_big_endian_32(X'00000102'), from_big_endian_32(X'ffffffff')

-- big_endian_32_wrong_length
SELECT from_big_endian_32(X'01')

-- big_endian_64
SELECT to_big_endian_64(258), from_big_endian_64(X'0000000000000102'), from_big_endian_64(b) FROM (VALUES X'ffffffffffffffff', NULL) t(b)

-- ieee754_32
SELECT to_ieee754_32(REAL '1.5'), from_ieee754_32(X'3fc00000'), to_ieee754_32(REAL '-0')

-- ieee754_64
SELECT to_ieee754_64(DOUBLE '1.5'), from_ieee754_64(X'3ff8000000000000'), to_ieee754_64(nan())

-- ieee754_64_wrong_length
SELECT from_ieee754_64(X'3ff8')

-- crc32_binary
SELECT crc32(to_utf8('hello')), crc32(X''), crc32(b) FROM (VALUES X'00', NULL) t(b)

-- md5_binary
SELECT md5(to_utf8('hello')), to_hex(md5(b)) FROM (VALUES X'', NULL) t(b)

-- sha1_binary
SELECT sha1(to_utf8('hello')), sha1(X'')

-- sha256_binary
SELECT to_hex(sha256(to_utf8('hello'))), sha256(b) FROM (VALUES X'00', NULL) t(b)

-- sha512_binary
SELECT sha512(to_utf8('hello'))

-- xxhash64_binary
SELECT xxhash64(to_utf8('hello')), xxhash64(X'')

-- murmur3_binary
SELECT murmur3(to_utf8('hello')), murmur3(X'')

-- spooky_hash_v2_32_binary
SELECT spooky_hash_v2_32(to_utf8('hello')), spooky_hash_v2_32(X'')

-- spooky_hash_v2_64_binary
SELECT spooky_hash_v2_64(to_utf8('hello'))

-- hmac_md5_binary
SELECT hmac_md5(to_utf8('hello'), to_utf8('key'))

-- hmac_sha1_binary
SELECT hmac_sha1(to_utf8('hello'), to_utf8('key'))

-- hmac_sha256_binary
SELECT hmac_sha256(to_utf8('hello'), to_utf8('key')), hmac_sha256(b, X'01') FROM (VALUES X'', NULL) t(b)

-- hmac_sha512_binary
SELECT hmac_sha512(to_utf8('hello'), to_utf8('key'))

-- hmac_empty_key
SELECT hmac_sha256(X'01', X'')

-- md5_of_a_text
SELECT md5('hello')

-- spooky_hash_v2_long
SELECT n, spooky_hash_v2_32(to_utf8(substr(t, 1, n))), spooky_hash_v2_64(to_utf8(substr(t, 1, n))) FROM (SELECT array_join(repeat('abcdefghijklmnopqrstuvwxyz', 40), '') AS t) CROSS JOIN UNNEST(ARRAY[0, 1, 8, 15, 16, 31, 32, 48, 191, 192, 193, 288, 500, 1000]) AS u(n) ORDER BY n
