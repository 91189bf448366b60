-- The tables of the Star Schema Benchmark after its specification. Every value is a function of its row's key: hash(key, 'name of
-- the choice') chooses. Money is in cents, as in the specification's own generator.
--
-- rows at scale s   s >= 1                           s < 1
-- lineorder         about 6,000,000 * s              the same, from at least 1,000 orders
-- customer          30,000 * s                       the same, at least 250: each city once
-- supplier          2,000 * s                        the same, at least 250
-- part              200,000 * (1 + floor(log2(s)))   200,000 * s, at least 1,000: each brand once
-- dates             2,556                            the same

CREATE TEMP MACRO pick(key, choice, n) AS CAST(hash(key, choice) % CAST(n AS UBIGINT) AS INTEGER);
CREATE TEMP MACRO one_of(key, choice, list) AS list[1 + pick(key, choice, len(list))];
-- Keys get numbers below n so that each block of n keys has each number once, in another order than the next block.
-- 7919 is a prime that divides neither 250 nor 1000.
CREATE TEMP MACRO spread(key, choice, n) AS
    CAST((CAST(key AS BIGINT) * 7919 + pick((key - 1) // n, choice, n)) % n AS INTEGER);
CREATE TEMP MACRO customers() AS greatest(250, CAST(round(30000 * getvariable('scale')) AS BIGINT));
CREATE TEMP MACRO suppliers() AS greatest(250, CAST(round(2000 * getvariable('scale')) AS BIGINT));
CREATE TEMP MACRO parts() AS CASE
    WHEN getvariable('scale') >= 1 THEN 200000 * (1 + CAST(floor(log2(getvariable('scale'))) AS BIGINT))
    ELSE greatest(1000, CAST(round(200000 * getvariable('scale')) AS BIGINT))
END;
CREATE TEMP MACRO orders() AS greatest(1000, CAST(round(1500000 * getvariable('scale')) AS BIGINT));
CREATE TEMP MACRO price(part) AS 90000 + (part // 10) % 20001 + 100 * (part % 1000);
CREATE TEMP MACRO nation(city) AS [
    'ALGERIA', 'ARGENTINA', 'BRAZIL', 'CANADA', 'EGYPT', 'ETHIOPIA', 'FRANCE', 'GERMANY', 'INDIA', 'INDONESIA', 'IRAN', 'IRAQ',
    'JAPAN', 'JORDAN', 'KENYA', 'MOROCCO', 'MOZAMBIQUE', 'PERU', 'CHINA', 'ROMANIA', 'SAUDI ARABIA', 'VIETNAM', 'RUSSIA',
    'UNITED KINGDOM', 'UNITED STATES'
][1 + city // 10];
CREATE TEMP MACRO region(city) AS [
    'AFRICA', 'AMERICA', 'AMERICA', 'AMERICA', 'MIDDLE EAST', 'AFRICA', 'EUROPE', 'EUROPE', 'ASIA', 'ASIA', 'MIDDLE EAST',
    'MIDDLE EAST', 'ASIA', 'MIDDLE EAST', 'AFRICA', 'AFRICA', 'AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST', 'ASIA',
    'EUROPE', 'EUROPE', 'AMERICA'
][1 + city // 10];
CREATE TEMP MACRO city_name(city) AS rpad(left(nation(city), 9), 9, ' ') || city % 10;
CREATE TEMP MACRO phone(key, choice, city) AS format(
    '{}-{:03d}-{:03d}-{:04d}',
    10 + city // 10, 100 + pick(key, choice || '1', 900), 100 + pick(key, choice || '2', 900), pick(key, choice || '3', 10000)
);
CREATE TEMP MACRO address(key, choice) AS left(md5(choice || key), 10 + pick(key, choice, 16));
CREATE TEMP MACRO color(key, choice) AS one_of(key, choice, [
    'almond', 'antique', 'aquamarine', 'azure', 'beige', 'bisque', 'black', 'blanched', 'blue', 'blush', 'brown', 'burlywood',
    'burnished', 'chartreuse', 'chiffon', 'chocolate', 'coral', 'cornflower', 'cornsilk', 'cream', 'cyan', 'dark', 'deep', 'dim',
    'dodger', 'drab', 'firebrick', 'floral', 'forest', 'frosted', 'gainsboro', 'ghost', 'goldenrod', 'green', 'grey', 'honeydew',
    'hot', 'indian', 'ivory', 'khaki', 'lace', 'lavender', 'lawn', 'lemon', 'light', 'lime', 'linen', 'magenta', 'maroon',
    'medium', 'metallic', 'midnight', 'mint', 'misty', 'moccasin', 'navajo', 'navy', 'olive', 'orange', 'orchid', 'pale',
    'papaya', 'peach', 'peru', 'pink', 'plum', 'powder', 'puff', 'purple', 'red', 'rose', 'rosy', 'royal', 'saddle', 'salmon',
    'sandy', 'seashell', 'sienna', 'sky', 'slate', 'smoke', 'snow', 'spring', 'steel', 'tan', 'thistle', 'tomato', 'turquoise',
    'violet', 'wheat', 'white', 'yellow'
]);

CREATE TABLE customer AS
SELECT
    CAST(key AS INTEGER) AS c_custkey,
    format('Customer#{:09d}', key) AS c_name,
    address(key, 'c_address') AS c_address,
    city_name(city) AS c_city,
    nation(city) AS c_nation,
    region(city) AS c_region,
    phone(key, 'c_phone', city) AS c_phone,
    one_of(key, 'c_mktsegment', ['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY']) AS c_mktsegment
FROM (SELECT range AS key, spread(range, 'c_city', 250) AS city FROM range(1, customers() + 1));

CREATE TABLE supplier AS
SELECT
    CAST(key AS INTEGER) AS s_suppkey,
    format('Supplier#{:09d}', key) AS s_name,
    address(key, 's_address') AS s_address,
    city_name(city) AS s_city,
    nation(city) AS s_nation,
    region(city) AS s_region,
    phone(key, 's_phone', city) AS s_phone
FROM (SELECT range AS key, spread(range, 's_city', 250) AS city FROM range(1, suppliers() + 1));

CREATE TABLE part AS
SELECT
    CAST(key AS INTEGER) AS p_partkey,
    color(key, 'p_name') || ' ' || color(key, 'p_color') AS p_name,
    'MFGR#' || (1 + brand // 200) AS p_mfgr,
    p_mfgr || (1 + brand // 40 % 5) AS p_category,
    p_category || format('{:02d}', 1 + brand % 40) AS p_brand1,
    color(key, 'p_color') AS p_color,
    one_of(key, 'p_type1', ['STANDARD', 'SMALL', 'MEDIUM', 'LARGE', 'ECONOMY', 'PROMO'])
        || one_of(key, 'p_type2', [' ANODIZED', ' BURNISHED', ' PLATED', ' POLISHED', ' BRUSHED'])
        || one_of(key, 'p_type3', [' TIN', ' NICKEL', ' BRASS', ' STEEL', ' COPPER']) AS p_type,
    1 + pick(key, 'p_size', 50) AS p_size,
    one_of(key, 'p_container1', ['SM', 'LG', 'MED', 'JUMBO', 'WRAP'])
        || one_of(key, 'p_container2', [' CASE', ' BOX', ' BAG', ' JAR', ' PKG', ' PACK', ' CAN', ' DRUM']) AS p_container
FROM (SELECT range AS key, spread(range, 'p_brand1', 1000) AS brand FROM range(1, parts() + 1));

-- Seven years have 2,557 days. The specification counts 2,556, and its generator ends a day early.
CREATE TABLE dates AS
SELECT
    CAST(strftime(day, '%Y%m%d') AS INTEGER) AS d_datekey,
    strftime(day, '%B %-d, %Y') AS d_date,
    strftime(day, '%A') AS d_dayofweek,
    strftime(day, '%B') AS d_month,
    CAST(year(day) AS INTEGER) AS d_year,
    CAST(strftime(day, '%Y%m') AS INTEGER) AS d_yearmonthnum,
    strftime(day, '%b%Y') AS d_yearmonth,
    CAST(1 + dayofweek(day) AS INTEGER) AS d_daynuminweek,
    CAST(day(day) AS INTEGER) AS d_daynuminmonth,
    CAST(dayofyear(day) AS INTEGER) AS d_daynuminyear,
    CAST(month(day) AS INTEGER) AS d_monthnuminyear,
    CAST(1 + (dayofyear(day) - 1) // 7 AS INTEGER) AS d_weeknuminyear,
    CASE
        WHEN month(day) <= 3 THEN 'Winter'
        WHEN month(day) = 4 THEN 'Spring'
        WHEN month(day) <= 8 THEN 'Summer'
        WHEN month(day) <= 10 THEN 'Fall'
        ELSE 'Christmas'
    END AS d_sellingseason,
    CAST(dayofweek(day) = 6 AS SMALLINT) AS d_lastdayinweekfl,
    CAST(day = last_day(day) AS SMALLINT) AS d_lastdayinmonthfl,
    CAST(strftime(day, '%m%d') IN ('0101', '0501', '0704', '1111', '1225') AS SMALLINT) AS d_holidayfl,
    CAST(dayofweek(day) BETWEEN 1 AND 5 AS SMALLINT) AS d_weekdayfl
FROM (SELECT DATE '1992-01-01' + CAST(range AS INTEGER) AS day FROM range(2556));

-- An order has one to seven lines, four on average. Orders come in from 1992-01-01 to 1998-08-02: 2,406 days.
CREATE TABLE lineorder AS
WITH
lines AS (
    SELECT
        number,
        unnest(range(1, 2 + pick(number, 'lines', 7))) AS line,
        number * 8 + line AS key,
        DATE '1992-01-01' + pick(number, 'lo_orderdate', 2406) AS day
    FROM (SELECT range AS number FROM range(1, orders() + 1))
),
chosen AS (
    SELECT
        *,
        1 + pick(key, 'lo_partkey', parts()) AS part,
        1 + pick(key, 'lo_quantity', 50) AS quantity,
        pick(key, 'lo_discount', 11) AS discount,
        pick(key, 'lo_tax', 9) AS tax,
        price(part) AS price,
        quantity * price AS extended_price,
        CAST(CAST(extended_price AS BIGINT) * (100 - discount) // 100 AS INTEGER) AS revenue
    FROM lines
),
totals AS (
    SELECT number, CAST(sum(CAST(revenue AS BIGINT) * (100 + tax) // 100) AS INTEGER) AS total
    FROM chosen
    GROUP BY number
)
SELECT
    number // 8 * 32 + number % 8 AS lo_orderkey,  -- sparse: 8 of 32 keys are used
    CAST(line AS INTEGER) AS lo_linenumber,
    1 + pick(number, 'lo_custkey', customers()) AS lo_custkey,
    part AS lo_partkey,
    1 + pick(key, 'lo_suppkey', suppliers()) AS lo_suppkey,
    CAST(year(day) * 10000 + month(day) * 100 + day(day) AS INTEGER) AS lo_orderdate,
    one_of(number, 'lo_orderpriority', ['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW']) AS lo_orderpriority,
    '0' AS lo_shippriority,
    quantity AS lo_quantity,
    extended_price AS lo_extendedprice,
    total AS lo_ordtotalprice,
    discount AS lo_discount,
    revenue AS lo_revenue,
    6 * price // 10 AS lo_supplycost,
    tax AS lo_tax,
    CAST(strftime(day + 30 + pick(key, 'lo_commitdate', 61), '%Y%m%d') AS INTEGER) AS lo_commitdate,
    one_of(key, 'lo_shipmode', ['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB']) AS lo_shipmode
FROM chosen JOIN totals USING (number)
ORDER BY number, line;

DROP MACRO pick;
DROP MACRO one_of;
DROP MACRO spread;
DROP MACRO customers;
DROP MACRO suppliers;
DROP MACRO parts;
DROP MACRO orders;
DROP MACRO price;
DROP MACRO nation;
DROP MACRO region;
DROP MACRO city_name;
DROP MACRO phone;
DROP MACRO address;
DROP MACRO color;
