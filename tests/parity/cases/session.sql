-- current_user_value
SELECT current_user, typeof(current_user)

-- current_groups_type
SELECT typeof(current_groups())

-- current_catalog_type
SELECT typeof(current_catalog), typeof(current_schema), typeof(current_path)

-- current_timezone_value
SELECT current_timezone()

-- session_user_in_expression
SELECT upper(current_user) || '!'
