-- The table of ClickBench: page views of web sites in July 2013, 1,000,000 rows for each unit of scale, at least 1,000. Every
-- value is a function of the row's number, the visitor, the site or the page: hash(number, 'name of the choice') chooses.
-- Visitors, sites, pages and search phrases are ranks that unit() to the third or fourth power makes skewed.

CREATE TEMP MACRO rows_in_all() AS greatest(1000, CAST(round(1000000 * getvariable('scale')) AS BIGINT));
CREATE TEMP MACRO pick(key, choice, n) AS CAST(hash(key, choice) % CAST(n AS UBIGINT) AS INTEGER);
CREATE TEMP MACRO flag(key, choice, percent) AS CAST(pick(key, choice, 100) < percent AS SMALLINT);
CREATE TEMP MACRO one_of(key, choice, list) AS list[1 + pick(key, choice, len(list))];
CREATE TEMP MACRO unit(key, choice) AS CAST(hash(key, choice) >> 11 AS DOUBLE) / 9007199254740992;
CREATE TEMP MACRO positive(key, choice) AS CAST(hash(key, choice) >> 1 AS BIGINT);
CREATE TEMP MACRO third(x, n) AS CAST(floor(x * x * x * n) AS BIGINT);
CREATE TEMP MACRO fourth(x, n) AS CAST(floor(x * x * x * x * n) AS BIGINT);
CREATE TEMP MACRO word(key, choice) AS one_of(key, choice, [
    'weather', 'map', 'news', 'cheap', 'tickets', 'buy', 'house', 'garden', 'music', 'video', 'games', 'online', 'free',
    'school', 'recipe', 'car', 'parts', 'phone', 'review', 'price', 'hotel', 'train', 'shoes', 'photo', 'forum', 'work',
    'погода', 'карта', 'новости', 'купить', 'билеты', 'дом', 'сад', 'музыка', 'видео', 'игры', 'онлайн', 'работа',
    'москва', 'рецепт', 'авто', 'телефон', 'отзывы', 'цена', 'отель', 'поезд', 'фото', 'форум'
]);
CREATE TEMP MACRO section(key) AS one_of(key, 'section', ['news', 'items', 'forum', 'photo', 'users', 'search', 'articles']);
-- Two pages of the first site have the hashes that the queries ask for: its front page and its catalog.
CREATE TEMP MACRO host(site) AS
    CASE WHEN site % 3 = 1 THEN 'www.' ELSE '' END || 'site' || (62 + 41 * site) || '.example';
CREATE TEMP MACRO url_of(site, page) AS CASE
    WHEN page = 0 THEN 'http://' || host(site) || '/'
    WHEN page = 1 THEN 'http://' || host(site) || '/catalog/'
    WHEN pick(site * 1000003 + page, 'url', 200) = 0 THEN 'http://www.google.com/search?q=' || word(page, 'url') || '&start=' || page
    WHEN pick(site * 1000003 + page, 'url', 200) < 3
        THEN 'http://' || host(site) || '/' || section(page) || '/' || page || '?utm_source=google'
    WHEN pick(site * 1000003 + page, 'url', 200) < 40
        THEN 'https://' || host(site) || '/' || section(page) || '/view.html?id=' || page || '&sort=' || word(page, 'url')
    ELSE 'http://' || host(site) || '/' || section(page) || '/' || word(page, 'url') || '-' || page || '.html'
END;
CREATE TEMP MACRO hash_of(url) AS CASE url
    WHEN url_of(0, 0) THEN 2868770270353813622
    WHEN url_of(0, 1) THEN 3594120000172545465
    ELSE positive(url, 'url hash')
END;

CREATE TABLE hits AS
WITH
moments AS (
    -- Rows are in the order of their time. The time of day advances faster by night, so that days have more page views.
    SELECT
        range AS i,
        CAST(range * 31 // rows_in_all() AS INTEGER) AS day,
        CAST(range * 31 % rows_in_all() AS DOUBLE) / rows_in_all() AS x,
        1372636800 + day * 86400 + CAST(floor(86400 * (x * (1.5 + x * (x - 1.5)))) AS BIGINT) AS seconds
    FROM range(rows_in_all())
),
chosen AS (
    SELECT
        *,
        third(unit(i, 'user'), greatest(200, rows_in_all() * 18 // 100)) AS user,
        CASE
            WHEN pick(i, 'site', 100) < 24 THEN 0
            WHEN pick(i, 'site', 100) < 36 THEN 1
            ELSE 2 + third(unit(i, 'counter'), 6500)
        END AS site,
        CASE
            WHEN pick(i, 'front page', 100) < 20 THEN 0
            WHEN pick(i, 'front page', 100) < 28 THEN 1
            ELSE 2 + fourth(unit(i, 'page'), greatest(1000, rows_in_all() // 4))
        END AS page,
        CASE
            WHEN pick(i, 'referer page', 100) < 15 THEN 0
            WHEN pick(i, 'referer page', 100) < 45 THEN 1
            ELSE 2 + fourth(unit(i, 'referer page'), greatest(1000, rows_in_all() // 4))
        END AS referer_page,
        CAST(CASE
            WHEN pick(i, 'source', 100) < 50 THEN -1  -- a page of the same site
            WHEN pick(i, 'source', 100) < 62 THEN 0  -- no referer
            WHEN pick(i, 'source', 100) < 76 THEN 1  -- another site
            WHEN pick(i, 'source', 100) < 90 THEN 2  -- a search engine
            WHEN pick(i, 'source', 100) < 93 THEN 3  -- an advertisement
            WHEN pick(i, 'source', 100) < 98 THEN 6
            ELSE 4 + pick(i, 'other source', 2)
        END AS SMALLINT) AS source,
        CASE WHEN source = 2 AND pick(i, 'phrase given', 100) < 95
            THEN third(unit(i, 'phrase'), greatest(300, rows_in_all() * 6 // 100))
        END AS phrase
    FROM moments
),
texts AS (
    SELECT
        *,
        url_of(site, page) AS url,
        CASE
            WHEN phrase IS NULL THEN ''
            WHEN phrase % 3 = 0 THEN word(phrase, 'phrase 1') || ' ' || word(phrase, 'phrase 2')
            WHEN phrase % 3 = 1
                THEN word(phrase, 'phrase 1') || ' ' || word(phrase, 'phrase 2') || ' ' || word(phrase, 'phrase 3')
            ELSE word(phrase, 'phrase 1') || ' ' || word(phrase, 'phrase 2') || ' ' || phrase
        END AS search_phrase,
        CASE WHEN source <> 2 THEN 0 ELSE one_of(i, 'engine', [2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 4]) END AS engine,
        CASE source
            WHEN -1 THEN url_of(site, referer_page)
            WHEN 0 THEN ''
            WHEN 2 THEN
                CASE engine
                    WHEN 2 THEN 'http://search.example/?text='
                    WHEN 3 THEN 'https://www.google.com/search?q='
                    ELSE 'http://www.find.example/?query='
                END || replace(search_phrase, ' ', '+')
            WHEN 3 THEN 'http://ads' || pick(i, 'ads', 9) || '.example/click?' || pick(i, 'click', 100000)
            ELSE url_of(third(unit(i, 'other site'), 6500), referer_page)
        END AS referer,
        flag(user, 'mobile', 9) AS mobile,
        one_of(user, 'width', [1366, 1366, 1366, 1920, 1920, 1280, 1280, 1024, 1600, 1440, 1680]) AS desktop_width,
        CASE WHEN mobile = 1 THEN one_of(user, 'width', [320, 480, 720, 768]) ELSE desktop_width END AS width,
        CASE WHEN mobile = 1 THEN width * 3 // 2 ELSE width * 9 // 16 END AS height,
        one_of(user, 'zone', [240, 240, 240, 240, 240, 180, 120, 300, 360, 420]) AS zone
    FROM chosen
)
SELECT
    positive(i, 'WatchID') AS "WatchID",
    1 - flag(user, 'JavaEnable', 30) AS "JavaEnable",
    CASE pick(site * 1000003 + page, 'title', 100)
        WHEN 0 THEN word(page, 'title 1') || ' - Google'
        WHEN 1 THEN 'Google ' || word(page, 'title 1') || ' ' || page
        WHEN 2 THEN ''
        ELSE word(page, 'title 1') || ' ' || word(page, 'title 2') || ' ' || page || ' | site ' || site
    END AS "Title",
    1::SMALLINT AS "GoodEvent",
    make_timestamp(seconds * 1000000) AS "EventTime",
    DATE '2013-07-01' + day AS "EventDate",
    CAST(62 + 41 * site AS INTEGER) AS "CounterID",
    CAST(hash(user, 'ClientIP') >> 33 AS INTEGER) - 1073741824 AS "ClientIP",
    CAST(CASE WHEN pick(user, 'home', 100) < 30 THEN 229 ELSE 1 + third(unit(user, 'RegionID'), 9000) END AS INTEGER) AS "RegionID",
    CASE user WHEN 10 THEN 435090932899640449 ELSE positive(user, 'UserID') END AS "UserID",
    flag(site, 'CounterClass', 10) AS "CounterClass",
    CAST(CASE WHEN mobile = 1 THEN 90 + pick(user, 'OS', 5) ELSE one_of(user, 'OS', [44, 44, 44, 44, 2, 2, 3, 47]) END AS SMALLINT) AS "OS",
    CAST(CASE WHEN mobile = 1 THEN 50 + pick(user, 'agent', 6) ELSE 1 + pick(user, 'agent', 9) END AS SMALLINT) AS "UserAgent",
    url AS "URL",
    referer AS "Referer",
    flag(i, 'IsRefresh', 12) AS "IsRefresh",
    CAST(CASE WHEN referer = '' THEN 0 ELSE pick(referer, 'category', 12) * 1000 END AS SMALLINT) AS "RefererCategoryID",
    CASE WHEN referer = '' THEN 0 ELSE pick(referer, 'region', 300) END AS "RefererRegionID",
    CAST(pick(site, 'category', 12) * 1000 AS SMALLINT) AS "URLCategoryID",
    pick(site, 'region', 300) AS "URLRegionID",
    CAST(width AS SMALLINT) AS "ResolutionWidth",
    CAST(height AS SMALLINT) AS "ResolutionHeight",
    one_of(user, 'depth', [24, 24, 24, 32, 16])::SMALLINT AS "ResolutionDepth",
    CAST(CASE WHEN mobile = 1 THEN 0 ELSE 9 + pick(user, 'flash', 3) END AS SMALLINT) AS "FlashMajor",
    CAST(CASE WHEN mobile = 1 THEN 0 ELSE pick(user, 'flash minor', 8) END AS SMALLINT) AS "FlashMinor",
    CASE WHEN mobile = 1 THEN '' ELSE CAST(pick(user, 'flash minor 2', 700) AS VARCHAR) END AS "FlashMinor2",
    CAST(pick(user, 'net', 5) AS SMALLINT) AS "NetMajor",
    CAST(pick(user, 'net minor', 2) AS SMALLINT) AS "NetMinor",
    CAST(1 + pick(user, 'agent major', 30) AS SMALLINT) AS "UserAgentMajor",
    one_of(user, 'agent minor', ['0', '0', '0', '1', '5', 'D', 'L3', '16']) AS "UserAgentMinor",
    1::SMALLINT AS "CookieEnable",
    1::SMALLINT AS "JavascriptEnable",
    mobile AS "IsMobile",
    CAST(CASE WHEN mobile = 1 THEN 1 + third(unit(user, 'model'), 20) // 2 ELSE 0 END AS SMALLINT) AS "MobilePhone",
    CASE WHEN mobile = 1 THEN [
        'iPad', 'iPhone', 'A500', 'N8-00', 'ONE TOUCH 6030A', 'GT-P7300B', '3110000', 'GT-I9500', 'eagle75', 'GT-N8000',
        'Desire', 'Lumia 920', 'X10', 'XT910', 'K-Touch', 'C5-03', 'Asha 311', 'Wave', 'Optimus', ''
    ][1 + third(unit(user, 'model'), 20)] ELSE '' END AS "MobilePhoneModel",
    '' AS "Params",
    1 + pick(user, 'IPNetworkID', 4000000) AS "IPNetworkID",
    source AS "TraficSourceID",
    CAST(engine AS SMALLINT) AS "SearchEngineID",
    search_phrase AS "SearchPhrase",
    CAST(CASE WHEN source = 3 AND pick(i, 'adv', 100) < 21
        THEN one_of(i, 'AdvEngineID', [2, 2, 2, 2, 2, 2, 27, 27, 13, 13, 45, 44, 3, 62, 52, 50, 28, 53])
        ELSE 0
    END AS SMALLINT) AS "AdvEngineID",
    flag(i, 'IsArtifical', 1) AS "IsArtifical",
    CAST(CASE WHEN pick(i, 'full width', 100) < 60 THEN width - pick(i, 'window width', 40)
        ELSE 200 + pick(i, 'window width', width - 199) END AS SMALLINT) AS "WindowClientWidth",
    CAST(CASE WHEN pick(i, 'full height', 100) < 60 THEN height - 80 - pick(i, 'window height', 60)
        ELSE 100 + pick(i, 'window height', height - 99) END AS SMALLINT) AS "WindowClientHeight",
    CAST(zone AS SMALLINT) AS "ClientTimeZone",
    make_timestamp((seconds + pick(i, 'skew', 120) - 60) * 1000000) AS "ClientEventTime",
    CAST(CASE WHEN pick(user, 'silverlight', 4) = 0 THEN 5 ELSE 0 END AS SMALLINT) AS "SilverlightVersion1",
    CAST(CASE WHEN pick(user, 'silverlight', 4) = 0 THEN 1 ELSE 0 END AS SMALLINT) AS "SilverlightVersion2",
    CASE WHEN pick(user, 'silverlight', 4) = 0 THEN 20125 + pick(user, 'silverlight 3', 400) ELSE 0 END AS "SilverlightVersion3",
    0::SMALLINT AS "SilverlightVersion4",
    one_of(site, 'charset', ['utf-8', 'utf-8', 'windows-1251', 'windows']) AS "PageCharset",
    one_of(i, 'CodeVersion', [1, 291, 361, 1601, 1601, 1601]) AS "CodeVersion",
    flag(i, 'IsLink', 6) AS "IsLink",
    flag(i, 'IsDownload', 1) AS "IsDownload",
    flag(i, 'IsNotBounce', 25) AS "IsNotBounce",
    CASE WHEN pick(user, 'unique', 3) = 0 THEN 0 ELSE positive(user, 'FUniqID') END AS "FUniqID",
    CASE WHEN pick(i, 'original', 25) = 0 THEN url ELSE '' END AS "OriginalURL",
    CAST(hash(i, 'HID') >> 34 AS INTEGER) AS "HID",
    0::SMALLINT AS "IsOldCounter",
    flag(i, 'IsEvent', 3) AS "IsEvent",
    flag(i, 'IsParameter', 2) AS "IsParameter",
    flag(i, 'DontCountHits', 5) AS "DontCountHits",
    flag(i, 'WithHash', 4) AS "WithHash",
    one_of(i, 'HitColor', ['5', '5', '5', '5', '5', 'D', 'E', 'T', 'g', '1']) AS "HitColor",
    make_timestamp((seconds + zone * 60) * 1000000) AS "LocalEventTime",
    one_of(user, 'Age', [0, 0, 0, 16, 22, 26, 31, 39, 50])::SMALLINT AS "Age",
    CAST(pick(user, 'Sex', 3) AS SMALLINT) AS "Sex",
    CAST(pick(user, 'Income', 4) AS SMALLINT) AS "Income",
    CAST(CASE WHEN pick(user, 'interested', 3) = 0 THEN pick(user, 'Interests', 32768) ELSE 0 END AS SMALLINT) AS "Interests",
    CAST(CASE WHEN pick(user, 'robot', 50) = 0 THEN pick(user, 'Robotness', 80) ELSE 0 END AS SMALLINT) AS "Robotness",
    CAST(hash(user, 'RemoteIP') >> 33 AS INTEGER) - 1073741824 AS "RemoteIP",
    CASE WHEN pick(i, 'named', 3) = 0 THEN pick(i, 'WindowName', 30000) ELSE -1 END AS "WindowName",
    CASE WHEN pick(i, 'opened', 4) = 0 THEN pick(i, 'OpenerName', 30000) ELSE -1 END AS "OpenerName",
    CAST(third(unit(i, 'HistoryLength'), 50) AS SMALLINT) AS "HistoryLength",
    one_of(user, 'language', ['ru', 'ru', 'ru', 'ru', 'en', 'uk', 'be', 'kk', 'tr']) AS "BrowserLanguage",
    one_of(user, 'country', ['RU', 'RU', 'RU', 'RU', 'US', 'UA', 'BY', 'KZ', 'TR']) AS "BrowserCountry",
    CASE WHEN pick(i, 'social', 500) = 0 THEN 'social.example' ELSE '' END AS "SocialNetwork",
    CASE WHEN pick(i, 'social', 500) = 0 THEN 'like' ELSE '' END AS "SocialAction",
    CAST(CASE WHEN pick(i, 'HTTPError', 300) = 0 THEN 404 ELSE 0 END AS SMALLINT) AS "HTTPError",
    CASE WHEN pick(i, 'timed', 3) = 0 THEN CAST(third(unit(i, 'SendTiming'), 30000) AS INTEGER) ELSE -1 END AS "SendTiming",
    CASE WHEN pick(i, 'timed', 3) = 0 THEN CAST(third(unit(i, 'DNSTiming'), 2000) AS INTEGER) ELSE -1 END AS "DNSTiming",
    CASE WHEN pick(i, 'timed', 3) = 0 THEN CAST(third(unit(i, 'ConnectTiming'), 3000) AS INTEGER) ELSE -1 END AS "ConnectTiming",
    CASE WHEN pick(i, 'timed', 3) = 0 THEN CAST(third(unit(i, 'start'), 5000) AS INTEGER) ELSE -1 END AS "ResponseStartTiming",
    CASE WHEN pick(i, 'timed', 3) = 0 THEN CAST(third(unit(i, 'end'), 9000) AS INTEGER) ELSE -1 END AS "ResponseEndTiming",
    CASE WHEN pick(i, 'timed', 3) = 0 THEN CAST(third(unit(i, 'FetchTiming'), 9000) AS INTEGER) ELSE -1 END AS "FetchTiming",
    CAST(CASE WHEN source = 6 THEN pick(i, 'network', 5) ELSE 0 END AS SMALLINT) AS "SocialSourceNetworkID",
    CASE WHEN source = 6 AND pick(i, 'network', 5) > 0 THEN referer ELSE '' END AS "SocialSourcePage",
    CASE WHEN pick(i, 'order', 400) = 0 THEN CAST(1 + third(unit(i, 'price'), 1000000) AS BIGINT) ELSE 0 END AS "ParamPrice",
    CASE WHEN pick(i, 'order', 400) = 0 THEN 'order-' || i ELSE '' END AS "ParamOrderID",
    CASE WHEN pick(i, 'order', 400) = 0 THEN 'RUB' ELSE '' END AS "ParamCurrency",
    CAST(CASE WHEN pick(i, 'order', 400) = 0 THEN 643 ELSE 0 END AS SMALLINT) AS "ParamCurrencyID",
    CASE WHEN source = 3 THEN 'ads.example' ELSE '' END AS "OpenstatServiceName",
    CASE WHEN source = 3 THEN CAST(pick(i, 'campaign', 3000) AS VARCHAR) ELSE '' END AS "OpenstatCampaignID",
    CASE WHEN source = 3 THEN CAST(pick(i, 'ad', 90000) AS VARCHAR) ELSE '' END AS "OpenstatAdID",
    CASE WHEN source = 3 THEN one_of(i, 'place', ['premium', 'guarantee', 'other']) ELSE '' END AS "OpenstatSourceID",
    CASE WHEN source = 3 THEN one_of(i, 'utm', ['ads', 'market', 'google', 'mail']) ELSE '' END AS "UTMSource",
    CASE WHEN source = 3 THEN one_of(i, 'medium', ['cpc', 'cpm', 'banner']) ELSE '' END AS "UTMMedium",
    CASE WHEN source = 3 THEN 'campaign_' || pick(i, 'campaign', 3000) ELSE '' END AS "UTMCampaign",
    CASE WHEN source = 3 THEN CAST(pick(i, 'ad', 90000) AS VARCHAR) ELSE '' END AS "UTMContent",
    CASE WHEN source = 3 THEN word(i, 'term') ELSE '' END AS "UTMTerm",
    CASE WHEN pick(i, 'FromTag', 200) = 0 THEN word(i, 'tag') ELSE '' END AS "FromTag",
    CAST(source = 3 AND pick(i, 'adv', 100) >= 90 AS SMALLINT) AS "HasGCLID",
    hash_of(referer) AS "RefererHash",
    hash_of(url) AS "URLHash",
    CASE WHEN pick(i, 'CLID', 300) = 0 THEN 1 + pick(i, 'client', 90000) ELSE 0 END AS "CLID"
FROM texts;

DROP MACRO rows_in_all;
DROP MACRO pick;
DROP MACRO flag;
DROP MACRO one_of;
DROP MACRO unit;
DROP MACRO positive;
DROP MACRO third;
DROP MACRO fourth;
DROP MACRO word;
DROP MACRO section;
DROP MACRO host;
DROP MACRO url_of;
DROP MACRO hash_of;
