-- version_type
SELECT typeof(version()), length(version()) > 0

-- typeof_of_column
SELECT typeof(x) FROM (VALUES 1.25) t(x)

-- fail_function
SELECT fail('stop')
