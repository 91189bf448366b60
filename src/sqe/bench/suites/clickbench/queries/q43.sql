SELECT date_trunc('minute', EventTime) AS M, COUNT(*) AS PageViews
FROM hits
WHERE CounterID = 62
    AND EventDate >= DATE '2013-07-14'
    AND EventDate <= DATE '2013-07-15'
    AND IsRefresh = 0
    AND DontCountHits = 0
GROUP BY date_trunc('minute', EventTime)
ORDER BY date_trunc('minute', EventTime)
LIMIT 10 OFFSET 1000;
