-- any rows: the published query has LIMIT without ORDER BY
SELECT UserID, SearchPhrase, COUNT(*)
FROM hits
GROUP BY UserID, SearchPhrase
LIMIT 10;
