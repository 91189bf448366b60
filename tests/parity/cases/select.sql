-- select_without_from
SELECT 1, 'a' AS x

-- select_star
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) t(x, y) ORDER BY x

-- select_qualified_star
SELECT t.*, u.z FROM (VALUES (1, 'a')) t(x, y) CROSS JOIN (VALUES 9) u(z)

-- select_star_with_names
SELECT t.* AS (p, q) FROM (VALUES (1, 'a')) t(x, y)

-- select_distinct
SELECT DISTINCT x, y FROM (VALUES (1, 'a'), (1, 'a'), (NULL, 'b'), (NULL, 'b')) t(x, y) ORDER BY x

-- select_all
SELECT ALL x FROM (VALUES 1, 1) t(x)

-- select_alias_without_as
SELECT x y FROM (VALUES 1) t(x)

-- select_unnamed_columns
SELECT * FROM (SELECT 1, 'b', x + 1 FROM (VALUES 5) t(x))

-- where_conditions
SELECT x FROM (VALUES 1, 2, 3, NULL) t(x) WHERE x > 1 AND x <> 3 OR x IS NULL ORDER BY x

-- where_alias_is_an_error
SELECT x AS y FROM (VALUES 1) t(x) WHERE y = 1

-- order_by_default_nulls_last
SELECT x FROM (VALUES 2, NULL, 1) t(x) ORDER BY x

-- order_by_desc_nulls_last
SELECT x FROM (VALUES 2, NULL, 1) t(x) ORDER BY x DESC

-- order_by_nulls_first
SELECT x FROM (VALUES 2, NULL, 1) t(x) ORDER BY x DESC NULLS FIRST

-- order_by_position_and_expression
SELECT x, y FROM (VALUES (1, 'b'), (2, 'a'), (3, 'a')) t(x, y) ORDER BY 2, -x

-- order_by_alias
SELECT -x AS z FROM (VALUES 1, 2) t(x) ORDER BY z

-- order_by_hidden_column
SELECT x FROM (VALUES (1, 9), (2, 3)) t(x, y) ORDER BY y

-- order_by_aggregate
SELECT k FROM (VALUES ('a', 1), ('b', 5), ('a', 2)) t(k, v) GROUP BY k ORDER BY sum(v) DESC

-- order_by_text
SELECT x FROM (VALUES 'b', 'B', 'a', 'ä', '', 'aa') t(x) ORDER BY x

-- order_by_double
SELECT x FROM (VALUES DOUBLE '1', nan(), -infinity(), infinity(), NULL) t(x) ORDER BY x

-- order_by_position_out_of_range
SELECT x FROM (VALUES 1) t(x) ORDER BY 2

-- limit_rows
SELECT x FROM (VALUES 3, 1, 2) t(x) ORDER BY x LIMIT 2

-- limit_all
SELECT x FROM (VALUES 3, 1, 2) t(x) ORDER BY x LIMIT ALL

-- limit_zero
SELECT x FROM (VALUES 3) t(x) LIMIT 0

-- offset_rows
SELECT x FROM (VALUES 3, 1, 2) t(x) ORDER BY x OFFSET 1 ROWS

-- offset_and_limit
SELECT x FROM (VALUES 3, 1, 2, 4) t(x) ORDER BY x OFFSET 1 LIMIT 2

-- offset_beyond
SELECT x FROM (VALUES 3) t(x) OFFSET 5

-- fetch_first
SELECT x FROM (VALUES 3, 1, 2) t(x) ORDER BY x FETCH FIRST 2 ROWS ONLY

-- fetch_first_row
SELECT x FROM (VALUES 3, 1, 2) t(x) ORDER BY x DESC FETCH FIRST ROW ONLY

-- fetch_next_with_offset
SELECT x FROM (VALUES 3, 1, 2) t(x) ORDER BY x OFFSET 1 ROW FETCH NEXT 1 ROW ONLY

-- fetch_first_with_ties
SELECT * FROM (SELECT x, y FROM (VALUES (1, 'a'), (2, 'b'), (2, 'c'), (3, 'd')) t(x, y) ORDER BY x FETCH FIRST 2 ROWS WITH TIES)

-- fetch_with_ties_without_order
SELECT x FROM (VALUES 1) t(x) FETCH FIRST 1 ROW WITH TIES

-- tablesample_everything
SELECT count(*) FROM (VALUES 1, 2, 3) t(x) TABLESAMPLE BERNOULLI (100)

-- tablesample_nothing
SELECT count(*) FROM (VALUES 1, 2, 3) t(x) TABLESAMPLE BERNOULLI (0)

-- column_not_found
SELECT y FROM (VALUES 1) t(x)

-- column_ambiguous
SELECT x FROM (VALUES 1) t(x), (VALUES 2) u(x)

-- function_not_found
SELECT nosuchfunction(1)

-- wrong_number_of_arguments
SELECT lower('a', 'b')

-- nested_queries
SELECT max(y) FROM (SELECT x * 2 AS y FROM (SELECT x FROM (VALUES 1, 2, 3) t(x) ORDER BY x LIMIT 2))

-- table_function_sequence
SELECT * FROM TABLE(sequence(start => 1, stop => 9, step => 4)) ORDER BY 1

-- inline_function
WITH FUNCTION twice(x integer) RETURNS integer RETURN x * 2
SELECT twice(x) FROM (VALUES 1, NULL) t(x)

-- inline_function_with_body
WITH FUNCTION clip(x integer) RETURNS integer
  BEGIN
    IF x > 10 THEN RETURN 10; END IF;
    RETURN x;
  END
SELECT clip(x) FROM (VALUES 5, 50) t(x)

-- match_recognize_simple
SELECT * FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80)) t(d, p)
MATCH_RECOGNIZE (ORDER BY d MEASURES FIRST(d) AS f, LAST(d) AS l ONE ROW PER MATCH PATTERN (a b+) DEFINE b AS p < PREV(p))

-- geometry_point
SELECT ST_AsText(ST_Point(1.5, 2))

-- semicolon_names_and_spaces
SELECT   1   AS   "A"

-- alias_in_the_same_select_is_an_error
SELECT x AS y, y + 1 FROM (VALUES 1) t(x)

-- alias_hides_no_column
SELECT x + 1 AS x, x * 10 AS y FROM (VALUES 1) t(x)

-- inline_functions_of_each_other
WITH FUNCTION f(x bigint) RETURNS bigint RETURNS NULL ON NULL INPUT RETURN coalesce(x, 0) + 1, FUNCTION g(x bigint) RETURNS varchar RETURN CAST(f(x) * 2 AS varchar)
SELECT f(x), g(x) FROM (VALUES 1, NULL) t(x)

-- inline_function_wrong_argument
WITH FUNCTION f(x integer) RETURNS integer RETURN x
SELECT f(1.5)

-- inline_function_wrong_result
WITH FUNCTION f(x integer) RETURNS integer RETURN 1.5
SELECT f(1)

-- row_fields_beside_others
SELECT ROW(1, 2).*, 5 AS z

-- fetch_with_ties_after_offset
SELECT x FROM (VALUES 1, 1, 1, 0, 0, 0, 2, 2, 2) t(x) ORDER BY x OFFSET 2 ROWS FETCH NEXT 2 ROWS WITH TIES

-- fetch_with_ties_after_long_offset
SELECT x FROM (VALUES 1, 1, 1, 0, 0, 0, 2, 2, 2) t(x) ORDER BY x DESC OFFSET 20 ROWS FETCH NEXT 2 ROWS WITH TIES

-- fetch_with_ties_offset_in_ties
SELECT x, y FROM (VALUES (1, 'a'), (2, 'b'), (2, 'b'), (3, 'c')) t(x, y) ORDER BY x OFFSET 1 ROW FETCH FIRST ROW WITH TIES
