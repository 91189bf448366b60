"""List the functions and syntax nodes that the expression of a policy may have; everything else is refused.

The functions are Spark's, after the translation from Trino's SQL. Users can call all of them as well. Their results
depend on the row alone, not on the host or the session: users choose `current_schema` and the like themselves, so that
no policy may depend on them.
"""

from __future__ import annotations

from sqlglot import exp

SCALARS: frozenset[str] = frozenset(
    """
    abs acos acosh add_months aggregate array array_append array_compact array_contains array_distinct
    array_except array_insert array_intersect array_join array_max array_min array_position array_prepend
    array_remove array_repeat array_size array_sort array_union arrays_overlap arrays_zip ascii asin asinh
    atan atan2 atanh base64 bigint bin binary bit_count bit_get bit_length boolean bround btrim cardinality
    cbrt ceil ceiling char char_length character_length chr coalesce collate collation concat concat_ws
    contains conv convert_timezone cos cosh cot crc32 csc date date_add date_diff date_format
    date_from_unix_date date_part date_sub date_trunc dateadd datediff datepart day dayname dayofmonth
    dayofweek dayofyear decimal decode degrees double e element_at elt encode endswith equal_null exists exp
    expm1 factorial filter find_in_set flatten float floor forall format_number format_string from_csv
    from_json from_unixtime from_utc_timestamp get get_json_object getbit greatest hash hex hour hypot if
    ifnull ilike initcap instr int is_valid_utf8 is_variant_null isnan isnotnull isnull json_array_length
    json_object_keys last_day lcase least left len length levenshtein like ln locate log log10 log1p log2
    lower lpad ltrim luhn_check make_date make_dt_interval make_interval make_timestamp make_timestamp_ntz
    make_valid_utf8 make_ym_interval map map_concat map_contains_key map_entries map_filter map_from_arrays
    map_from_entries map_keys map_values map_zip_with mask md5 minute mod month monthname months_between
    named_struct nanvl negative next_day nullif nullifzero nvl nvl2 octet_length overlay parse_json parse_url
    pi pmod position positive pow power printf quarter quote radians reduce regexp regexp_count regexp_extract
    regexp_extract_all regexp_instr regexp_like regexp_replace regexp_substr repeat replace reverse right rint
    rlike round rpad rtrim sec second sequence sha sha1 sha2 shiftleft shiftright shiftrightunsigned sign
    signum sin sinh size slice smallint sort_array soundex space split split_part sqrt startswith str_to_map
    string struct substr substring substring_index tan tanh timestamp timestamp_micros timestamp_millis
    timestamp_seconds tinyint to_binary to_char to_csv to_date to_json to_number to_timestamp to_timestamp_ltz
    to_timestamp_ntz to_unix_timestamp to_utc_timestamp to_varchar transform transform_keys transform_values
    translate trim trunc try_add try_divide try_element_at try_mod try_multiply try_parse_json try_parse_url
    try_subtract try_to_binary try_to_date try_to_number try_to_timestamp try_url_decode try_validate_utf8
    try_variant_get typeof ucase unbase64 unhex unix_date unix_micros unix_millis unix_seconds upper
    url_decode url_encode validate_utf8 variant_get weekday weekofyear width_bucket xxhash64 year zeroifnull
    zip_with
    """.split()  # noqa: SIM905  # a list of three hundred strings is hard to read
)

AGGREGATES: frozenset[str] = frozenset(
    """
    any any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or collect_list collect_set count count_if every
    max max_by mean median min min_by some stddev stddev_pop stddev_samp sum try_avg try_sum var_pop var_samp variance
    """.split()  # noqa: SIM905
)
"""Allowed in subqueries only."""

UNIT_CALLS: frozenset[str] = frozenset(
    {"timestampadd", "dateadd", "date_add", "timestampdiff", "datediff", "date_diff"}
)
"""Part of Spark's grammar when they have three arguments: the first is one of `UNITS`."""

UNITS: frozenset[str] = frozenset(
    "YEAR QUARTER MONTH WEEK DAY DAYOFYEAR HOUR MINUTE SECOND MILLISECOND MICROSECOND".split()  # noqa: SIM905
)

IDENTITY: frozenset[str] = frozenset(
    {"current_user", "session_user", "user", "current_groups", "current_roles", "is_member"}
)

MASKS: frozenset[str] = frozenset(
    {"mask_null", "mask_hash", "mask_first", "mask_last", "mask_year", "mask_constant", "mask_fields"}
)

NODES: frozenset[type[exp.Expr]] = frozenset(
    {
        # logic and comparison
        exp.And, exp.Or, exp.Not, exp.Paren, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ,
        exp.NullSafeNEQ, exp.Is, exp.In, exp.Between, exp.Like, exp.ILike, exp.Escape, exp.RegexpLike, exp.Case, exp.If,
        # arithmetic and text
        exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor,
        exp.BitwiseNot, exp.DPipe,
        # values
        exp.Literal, exp.Boolean, exp.Null, exp.HexString, exp.RawString, exp.UnicodeString, exp.Interval,
        exp.IntervalSpan, exp.Array, exp.Tuple,
        # names
        exp.Column, exp.Identifier, exp.Dot, exp.Bracket, exp.Var,
        # calls and casts
        exp.Anonymous, exp.Lambda, exp.Alias, exp.Extract, exp.Trim, exp.Substring, exp.StrPosition, exp.Cast,
        exp.TryCast, exp.DataType, exp.DataTypeParam, exp.ColumnDef,
    }
)  # fmt: skip
"""Allowed anywhere."""

QUERY_NODES: frozenset[type[exp.Expr]] = frozenset(
    {
        exp.Exists, exp.Subquery, exp.Select, exp.From, exp.Join, exp.Where, exp.Group, exp.Having, exp.Order,
        exp.Ordered, exp.Limit, exp.Distinct, exp.Table, exp.TableAlias, exp.Union, exp.Intersect, exp.Except, exp.Star,
    }
)  # fmt: skip
"""Allowed as a subquery and inside of one."""
