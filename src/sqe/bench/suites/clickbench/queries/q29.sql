SELECT regexp_replace(Referer, '^https?://(?:www[.])?([^/]+)/.*$', '$1') AS k, AVG(length(Referer)) AS l, COUNT(*) AS c, MIN(Referer)
FROM hits
WHERE Referer <> ''
GROUP BY regexp_replace(Referer, '^https?://(?:www[.])?([^/]+)/.*$', '$1')
HAVING COUNT(*) > 100000
ORDER BY l DESC
LIMIT 25;
