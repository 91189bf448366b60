-- hits has 1,000,000 rows by scale, at least 1,000
SELECT count(*) = greatest(1000, round(1000000 * getvariable('scale'))) FROM hits;

-- hits has 105 columns: 48 SMALLINT, 19 INTEGER, 6 BIGINT, 28 VARCHAR, 3 TIMESTAMP and a DATE
SELECT
    count(*) = 105
    AND count(*) FILTER (data_type = 'SMALLINT') = 48
    AND count(*) FILTER (data_type = 'INTEGER') = 19
    AND count(*) FILTER (data_type = 'BIGINT') = 6
    AND count(*) FILTER (data_type = 'VARCHAR') = 28
    AND count(*) FILTER (data_type = 'TIMESTAMP') = 3
    AND count(*) FILTER (data_type = 'DATE') = 1
FROM (DESCRIBE hits) AS columns(name, data_type, nullable, key, preset, extra);

-- no column has NULL
SELECT bool_and(null_percentage = 0) FROM (SUMMARIZE hits);

-- the events are those of July 2013, on every day, and the date is that of the time
SELECT
    min("EventDate") = DATE '2013-07-01' AND max("EventDate") = DATE '2013-07-31' AND count(DISTINCT "EventDate") = 31
    AND bool_and("EventDate" = CAST("EventTime" AS DATE))
FROM hits;

-- WatchID tells the rows apart
SELECT count(DISTINCT "WatchID") = count(*) FROM hits;

-- a visitor has one address, region, screen and phone
SELECT count(*) = count(DISTINCT "UserID")
FROM (
    SELECT DISTINCT "UserID", "ClientIP", "RegionID", "ResolutionWidth", "ResolutionHeight", "MobilePhone", "MobilePhoneModel"
    FROM hits
);

-- visitors are skewed: the first tenth of them has more than a quarter of the rows
SELECT sum(views) FILTER (place <= visitors / 10) > sum(views) / 4
FROM (
    SELECT count(*) AS views, row_number() OVER (ORDER BY count(*) DESC) AS place, count(*) OVER () AS visitors
    FROM hits
    GROUP BY "UserID"
);

-- the visitor that a query asks for is there
SELECT count(*) > 0 FROM hits WHERE "UserID" = 435090932899640449;

-- counter 62 has the most rows, about 24 in 100
SELECT abs(count(*) FILTER ("CounterID" = 62) / count(*) - 0.24) < 0.05 AND mode("CounterID") = 62 FROM hits;

-- most rows have no search phrase, and those with one come from a search engine
SELECT
    avg(CAST("SearchPhrase" <> '' AS INTEGER)) BETWEEN 0.08 AND 0.18
    AND bool_and("SearchPhrase" = '' OR ("SearchEngineID" > 0 AND "TraficSourceID" = 2 AND "Referer" <> ''))
FROM hits;

-- most rows have no advertising engine
SELECT avg(CAST("AdvEngineID" <> 0 AS INTEGER)) BETWEEN 0.001 AND 0.02 FROM hits;

-- the traffic sources are -1 to 6, the ones that a query asks for among them
SELECT min("TraficSourceID") = -1 AND max("TraficSourceID") = 6 FROM hits;

-- few rows are refreshes, links, downloads or not to be counted
SELECT
    avg("IsRefresh") BETWEEN 0.05 AND 0.2 AND avg("IsLink") BETWEEN 0.02 AND 0.12
    AND avg("IsDownload") < 0.05 AND avg("DontCountHits") BETWEEN 0.01 AND 0.12
    AND max("IsRefresh") = 1 AND max("IsLink") = 1 AND max("DontCountHits") = 1
FROM hits;

-- few URLs and titles have google in them
SELECT
    avg(CAST("URL" LIKE '%google%' AS INTEGER)) BETWEEN 0.001 AND 0.05
    AND avg(CAST("Title" LIKE '%Google%' AS INTEGER)) BETWEEN 0.001 AND 0.05
FROM hits;

-- URLHash and RefererHash are the same function, and tell URLs apart
SELECT count(*) = count(DISTINCT url) AND count(*) = count(DISTINCT hash)
FROM (SELECT "URL" AS url, "URLHash" AS hash FROM hits UNION SELECT "Referer", "RefererHash" FROM hits);

-- the hashes that queries ask for are those of two pages of counter 62
SELECT
    count(DISTINCT "URL") FILTER ("CounterID" = 62 AND "URLHash" = 2868770270353813622) = 1
    AND count(DISTINCT "Referer") FILTER ("CounterID" = 62 AND "RefererHash" = 3594120000172545465) = 1
FROM hits;

-- windows fit into their screens
SELECT bool_and(
    "WindowClientWidth" BETWEEN 100 AND "ResolutionWidth" AND "WindowClientHeight" BETWEEN 100 AND "ResolutionHeight"
)
FROM hits;

-- only mobile visitors have a phone
SELECT bool_and(("MobilePhone" > 0) = ("IsMobile" = 1)) AND bool_and("IsMobile" = 1 OR "MobilePhoneModel" = '') FROM hits;
