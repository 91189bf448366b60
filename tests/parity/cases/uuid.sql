-- uuid_literal
SELECT UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'

-- uuid_cast_from_text
SELECT CAST(s AS uuid) FROM (VALUES '12151FD2-7586-11e9-8f9e-2a86e4085a59', NULL) t(s)

-- uuid_cast_to_text
SELECT CAST(UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' AS varchar)

-- uuid_cast_binary
SELECT CAST(UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' AS varbinary), CAST(X'12151fd2758611e98f9e2a86e4085a59' AS uuid)

-- uuid_compare
SELECT UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' < UUID '92151fd2-7586-11e9-8f9e-2a86e4085a59', a = b FROM (VALUES (UUID '00000000-0000-0000-0000-000000000001', UUID '00000000-0000-0000-0000-000000000001')) t(a, b)

-- uuid_invalid
SELECT CAST('not-a-uuid' AS uuid)

-- uuid_function_length
SELECT length(CAST(uuid() AS varchar)), typeof(uuid())

-- uuid_order
SELECT u FROM (VALUES UUID 'ffffffff-0000-0000-0000-000000000000', UUID '00000000-0000-0000-0000-000000000001') t(u) ORDER BY u
