-- customer has 30,000 rows by scale, at least 250
SELECT count(*) = greatest(250, round(30000 * getvariable('scale'))) AND count(DISTINCT c_custkey) = count(*) FROM customer;

-- supplier has 2,000 rows by scale, at least 250
SELECT count(*) = greatest(250, round(2000 * getvariable('scale'))) AND count(DISTINCT s_suppkey) = count(*) FROM supplier;

-- part has 200,000 * (1 + log2(scale)) rows from scale 1 on, and 200,000 by scale below, at least 1,000
SELECT
    count(DISTINCT p_partkey) = count(*)
    AND CASE
        WHEN getvariable('scale') >= 1 THEN count(*) = 200000 * (1 + floor(log2(getvariable('scale'))))
        ELSE count(*) = greatest(1000, round(200000 * getvariable('scale')))
    END
FROM part;

-- dates has 2,556 days from 1992-01-01 on
SELECT count(*) = 2556 AND count(DISTINCT d_datekey) = 2556 AND min(d_datekey) = 19920101 AND max(d_datekey) = 19981230
FROM dates;

-- lineorder has about 6,000,000 rows by scale
SELECT abs(count(*) / greatest(4000, 6000000 * getvariable('scale')) - 1) < 0.05 FROM lineorder;

-- orders have one to seven lines, numbered without gaps, and one date, customer, priority and total price
SELECT bool_and(
    lines BETWEEN 1 AND 7 AND first_line = 1 AND last_line = lines AND numbers = lines
    AND dates = 1 AND customers = 1 AND priorities = 1 AND totals = 1
)
FROM (
    SELECT
        count(*) AS lines,
        min(lo_linenumber) AS first_line,
        max(lo_linenumber) AS last_line,
        count(DISTINCT lo_linenumber) AS numbers,
        count(DISTINCT lo_orderdate) AS dates,
        count(DISTINCT lo_custkey) AS customers,
        count(DISTINCT lo_orderpriority) AS priorities,
        count(DISTINCT lo_ordtotalprice) AS totals
    FROM lineorder
    WHERE lo_orderkey % 64 < 8  -- a quarter of the orders
    GROUP BY lo_orderkey
);

-- every key of lineorder is that of a row in its dimension
SELECT count(*) = (SELECT count(*) FROM lineorder)
FROM lineorder
JOIN customer ON c_custkey = lo_custkey
JOIN supplier ON s_suppkey = lo_suppkey
JOIN part ON p_partkey = lo_partkey
JOIN dates ON d_datekey = lo_orderdate
JOIN (SELECT d_datekey AS commit_key FROM dates) ON commit_key = lo_commitdate;

-- order dates end on 1998-08-02, and commit dates follow them
SELECT min(lo_orderdate) >= 19920101 AND max(lo_orderdate) <= 19980802 AND bool_and(lo_commitdate > lo_orderdate) FROM lineorder;

-- quantities are 1 to 50, discounts 0 to 10, taxes 0 to 8
SELECT
    [min(lo_quantity), max(lo_quantity)] = [1, 50] AND count(DISTINCT lo_quantity) = 50
    AND [min(lo_discount), max(lo_discount)] = [0, 10] AND count(DISTINCT lo_discount) = 11
    AND [min(lo_tax), max(lo_tax)] = [0, 8] AND count(DISTINCT lo_tax) = 9
FROM lineorder;

-- the revenue is the extended price less the discount
SELECT bool_and(lo_revenue = lo_extendedprice * (100::BIGINT - lo_discount) // 100) FROM lineorder;

-- the extended price is the quantity times the part's price, and the supply cost six tenths of that price
SELECT bool_and(
    lo_extendedprice % lo_quantity = 0
    AND lo_extendedprice // lo_quantity = 90000 + (lo_partkey // 10) % 20001 + 100 * (lo_partkey % 1000)
    AND lo_supplycost = 6 * (lo_extendedprice // lo_quantity) // 10
)
FROM lineorder;

-- an order's total price is the sum of its revenues with tax
SELECT bool_and(total = lines_total)
FROM (
    SELECT any_value(lo_ordtotalprice) AS total, sum(lo_revenue * (100::BIGINT + lo_tax) // 100) AS lines_total
    FROM lineorder
    GROUP BY lo_orderkey
);

-- there are five priorities, one ship priority and seven ship modes
SELECT
    count(DISTINCT lo_orderpriority) = 5 AND min(lo_orderpriority) = '1-URGENT' AND max(lo_orderpriority) = '5-LOW'
    AND count(DISTINCT lo_shippriority) = 1 AND count(DISTINCT lo_shipmode) = 7
FROM lineorder;

-- customers come from 5 regions, 25 nations and 250 cities, each within the other, in 5 market segments
SELECT
    count(DISTINCT c_region) = 5 AND count(DISTINCT c_nation) = 25 AND count(DISTINCT c_city) = 250
    AND count(DISTINCT (c_region, c_nation, c_city)) = 250 AND count(DISTINCT (c_region, c_nation)) = 25
    AND count(DISTINCT c_mktsegment) = 5
FROM customer;

-- suppliers come from 5 regions, 25 nations and 250 cities, each within the other
SELECT
    count(DISTINCT s_region) = 5 AND count(DISTINCT s_nation) = 25 AND count(DISTINCT s_city) = 250
    AND count(DISTINCT (s_region, s_nation, s_city)) = 250 AND count(DISTINCT (s_region, s_nation)) = 25
FROM supplier;

-- every region has five nations
SELECT bool_and(nations = 5) FROM (SELECT count(DISTINCT c_nation) AS nations FROM customer GROUP BY c_region);

-- a city is the first 9 characters of its nation and a digit
SELECT bool_and(length(city) = 10 AND rtrim(city[:9]) = rtrim(nation[:9]) AND regexp_full_match(city[10:], '[0-9]'))
FROM (SELECT c_city AS city, c_nation AS nation FROM customer UNION ALL SELECT s_city, s_nation FROM supplier);

-- phone numbers begin with the nation's code, the same for customers and suppliers
SELECT count(*) = 25
FROM (SELECT c_nation, c_phone[:2] FROM customer UNION SELECT s_nation, s_phone[:2] FROM supplier);

-- there are 5 manufacturers, 25 categories and 1,000 brands
SELECT count(DISTINCT p_mfgr) = 5 AND count(DISTINCT p_category) = 25 AND count(DISTINCT p_brand1) = 1000 FROM part;

-- a category begins with its manufacturer and a brand with its category
SELECT bool_and(
    regexp_full_match(p_brand1, 'MFGR#[1-5][1-5](0[1-9]|[123][0-9]|40)') AND p_brand1[:7] = p_category AND p_category[:6] = p_mfgr
)
FROM part;

-- part sizes are 1 to 50; types, containers and colors are those of the specification's lists
SELECT
    [min(p_size), max(p_size)] = [1, 50] AND count(DISTINCT p_type) = 150 AND count(DISTINCT p_container) = 40
    AND count(DISTINCT p_color) = 92 AND bool_and(p_name LIKE '%_ ' || p_color)
FROM part;

-- the columns of dates agree with its key
SELECT bool_and(
    d_year = d_datekey // 10000 AND d_yearmonthnum = d_datekey // 100 AND d_monthnuminyear = d_yearmonthnum % 100
    AND d_daynuminmonth = d_datekey % 100 AND d_yearmonth = d_month[:3] || d_year
    AND d_date = d_month || ' ' || d_daynuminmonth || ', ' || d_year
    AND d_daynuminweek BETWEEN 1 AND 7 AND d_daynuminyear BETWEEN 1 AND 366 AND d_weeknuminyear BETWEEN 1 AND 53
    AND (d_weekdayfl = 0) = (d_dayofweek IN ('Saturday', 'Sunday'))
)
AND count(DISTINCT d_yearmonth) = 84 AND count(DISTINCT d_sellingseason) = 5 AND count(DISTINCT d_dayofweek) = 7
FROM dates;
