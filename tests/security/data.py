"""The tables of the corpus, and the rows that each user sees in them.

people   a filter (dept = 'eng'), every kind of mask, a restricted column; tag `old` and branch `side` have other rows
staff    a filter only, which no source can evaluate (RLIKE); deletes by position
team     a filter only, by who asks: current_user and is_member
parts    partitioned by a masked column; format version 3
sec2     in the schema deep.inner, whose parts a catalog may join; a filter and a mask
renamed  a masked column that had another name when the tag `old` was made
dropped  a column with a mask by its tag, which only the tag `old` has any more; hash masks on two equal columns
past     was partitioned by a column with a mask by its tag, which only the tag `old` has any more
expired  the same without a partition and without its history: only a data file still has the column
vault    nothing is allowed
ledger   may be read, and no more
open     everything is allowed

The schema `closed` is nobody's but bob's, `pub` is everybody's to make tables in, and the catalog `spare` has a table
of the same name as a protected one, which is not protected.
"""

from __future__ import annotations

import hashlib
import hmac

MASK_KEY = "a key for the tests of masks, 32+ characters"
SHARED_KEY = "of the corpus"

SECRETS = {"adm": "adm-pw", "bob": "bob-pw", "ann": "ann-pw", "eve": "eve-pw"}
GROUPS = {"ann": ("analysts",)}


def hashed(value: str, scope: str = f"name {SHARED_KEY}") -> str:
    """What `mask_hash` makes of a value; the key with a name, because nobody knows the UUID of a table beforehand."""
    derived = hmac.digest(MASK_KEY.encode(), scope.encode(), hashlib.sha256)
    return hmac.new(derived, value.encode(), hashlib.sha256).hexdigest()


_PEOPLE = """(id BIGINT, name STRING, dept STRING, salary INT, ssn STRING, email STRING, phone STRING, born DATE,
    addr STRUCT<street: STRING, city: STRING>, note STRING, kin STRING)"""


def _person(id_: int, name: str, dept: str, salary: int, born: str, street: str, city: str) -> str:
    return (
        f"({id_}, '{name}', '{dept}', {salary}, '111-22-333{id_}', '{name.lower()}@x.io', '+31-6{id_}{id_}', "
        f"DATE '{born}', named_struct('street', '{street}', 'city', '{city}'), 'note-{id_}', 'kin-{id_}')"
    )


_ROWS = ", ".join(
    (
        _person(1, "Abel", "eng", 10100, "1980-02-03", "Elm 1", "Delft"),
        _person(2, "Bess", "eng", 10200, "1990-05-06", "Oak 2", "Leiden"),
        _person(3, "Cyra", "hr", 10300, "1970-07-08", "Ash 3", "Gouda"),
        _person(4, "Dino", "hr", 10400, "1960-09-10", "Fir 4", "Breda"),
    )
)

SET_UP = (
    "CREATE SCHEMA lake.hr",
    "CREATE SCHEMA lake.pub",
    "CREATE SCHEMA lake.closed",
    "CREATE SCHEMA lake.deep",
    "CREATE SCHEMA lake.deep.inner",
    "CREATE SCHEMA spare.hr",
    f"CREATE TABLE lake.hr.people {_PEOPLE}",
    f"INSERT INTO lake.hr.people SELECT /*+ COALESCE(1) */ * FROM VALUES {_ROWS}, "
    + _person(5, "Eryx", "eng", 10500, "1985-01-02", "Yew 5", "Hoorn"),
    "ALTER TABLE lake.hr.people CREATE TAG old",
    "DELETE FROM lake.hr.people WHERE id = 5",
    "ALTER TABLE lake.hr.people CREATE BRANCH side",
    "INSERT INTO lake.hr.people.branch_side VALUES "
    + _person(6, "Fern", "hr", 10600, "1975-01-02", "Box 6", "Emmen")
    + ", "
    + _person(7, "Gaia", "eng", 10700, "1976-01-02", "Ivy 7", "Assen"),
    "CREATE TABLE spare.hr.people (id BIGINT, name STRING, dept STRING, ssn STRING, note STRING)",
    (
        "INSERT INTO spare.hr.people SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'Yara', 'hr', '999-1', 'spare-1'), "
        "(2, 'Zeno', 'eng', '999-2', 'spare-2')"
    ),
    (
        "CREATE TABLE lake.hr.staff (id BIGINT, name STRING, dept STRING, pay INT) TBLPROPERTIES "
        "('write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read', "
        "'write.merge.mode' = 'merge-on-read')"
    ),
    (
        "INSERT INTO lake.hr.staff SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'Hugo', 'eng', 20100), "
        "(2, 'Iris', 'eng', 20200), (3, 'Juno', 'hr', 20300), (4, 'Kira', 'hr', 20400), (5, 'Lara', 'eng', 20500)"
    ),
    "ALTER TABLE lake.hr.staff CREATE TAG old",
    "DELETE FROM lake.hr.staff WHERE id = 5",
    "CREATE TABLE lake.hr.team (id BIGINT, who STRING, grp STRING, what STRING)",
    (
        "INSERT INTO lake.hr.team SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'ann', 'x', 'what-1'), "
        "(2, 'bob', 'x', 'what-2'), (3, 'bob', 'analysts', 'what-3'), (4, 'eve', 'admins', 'what-4')"
    ),
    (
        "CREATE TABLE lake.hr.parts (id BIGINT, region STRING, amount INT) PARTITIONED BY (region) "
        "TBLPROPERTIES ('format-version' = '3')"
    ),
    (
        "INSERT INTO lake.hr.parts SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'north-1', 11), (2, 'north-1', 12), "
        "(3, 'south-2', 13)"
    ),
    "CALL lake.system.compute_table_stats('hr.parts')",
    "CREATE TABLE lake.hr.renamed (id BIGINT, code STRING)",
    "INSERT INTO lake.hr.renamed SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'code-1'), (2, 'code-2')",
    "ALTER TABLE lake.hr.renamed CREATE TAG old",
    "ALTER TABLE lake.hr.renamed RENAME COLUMN code TO secret",
    "CREATE TABLE lake.hr.dropped (id BIGINT, ssn STRING, code STRING, twin STRING)",
    (
        "INSERT INTO lake.hr.dropped SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'past-1', 'hash-1', 'hash-1'), "
        "(2, 'past-2', 'hash-2', 'hash-2')"
    ),
    "ALTER TABLE lake.hr.dropped SET TAGS (ssn = ('pii'))",
    "ALTER TABLE lake.hr.dropped CREATE TAG old",
    "ALTER TABLE lake.hr.dropped DROP COLUMN ssn",
    "ALTER TABLE lake.hr.dropped SET TAGS (id = ('other'))",
    "ALTER TABLE lake.hr.dropped UNSET TAGS (id)",
    "CREATE TABLE lake.hr.past (id BIGINT, ssn STRING, city STRING) PARTITIONED BY (ssn)",
    (
        "INSERT INTO lake.hr.past SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'gone-1', 'Delft'), "
        "(2, 'gone-2', 'Leiden')"
    ),
    "ALTER TABLE lake.hr.past SET TAGS (ssn = ('pii'))",
    "ALTER TABLE lake.hr.past CREATE TAG old",
    "ALTER TABLE lake.hr.past DROP PARTITION FIELD ssn",
    "ALTER TABLE lake.hr.past DROP COLUMN ssn",
    "CREATE TABLE lake.hr.expired (id BIGINT, ssn STRING, city STRING)",
    "INSERT INTO lake.hr.expired VALUES (1, 'left-1', 'Delft')",
    "ALTER TABLE lake.hr.expired SET TAGS (ssn = ('pii'))",
    "ALTER TABLE lake.hr.expired DROP COLUMN ssn",
    "INSERT INTO lake.hr.expired VALUES (2, 'Leiden')",
    (
        "CALL lake.system.expire_snapshots(table => 'hr.expired', older_than => TIMESTAMP '2999-01-01 00:00:00', "
        "retain_last => 1, clean_expired_metadata => true)"
    ),
    "ALTER TABLE lake.hr.expired SET TAGS (city = ('other'))",
    "CREATE TABLE lake.hr.vault (id BIGINT, secret STRING)",
    "INSERT INTO lake.hr.vault SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'vault-1'), (2, 'vault-2')",
    "CREATE TABLE lake.hr.ledger (id BIGINT, city STRING)",
    "INSERT INTO lake.hr.ledger SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'Delft'), (2, 'Leiden'), (3, 'Gouda')",
    "CREATE TABLE lake.hr.open (id BIGINT, word STRING)",
    "INSERT INTO lake.hr.open SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'one'), (2, 'two')",
    "CREATE VIEW lake.hr.v_people AS SELECT id, name, dept, salary, ssn FROM lake.hr.people",
    "CREATE VIEW lake.hr.v_nested AS SELECT name, ssn FROM lake.hr.v_people WHERE salary IS NULL OR salary > 10300",
    "CREATE VIEW lake.hr.v_star AS SELECT * FROM lake.hr.people",
    "CREATE VIEW lake.hr.v_vault AS SELECT id, secret FROM lake.hr.vault",
    "CREATE VIEW lake.hr.v_note AS SELECT id, note FROM lake.hr.people",
    "CREATE VIEW lake.hr.v_scalar AS SELECT id, (SELECT max(ssn) FROM lake.hr.people) AS top FROM lake.hr.ledger",
    (
        "CREATE VIEW lake.hr.v_exists AS SELECT id FROM lake.hr.ledger l WHERE EXISTS "
        "(SELECT 1 FROM lake.hr.people p WHERE p.id = l.id AND p.ssn LIKE '111%')"
    ),
    (
        "CREATE VIEW lake.hr.v_deep AS SELECT id FROM lake.hr.ledger WHERE id IN (SELECT id FROM lake.hr.people WHERE "
        "id <= (SELECT max(id) FROM lake.hr.people WHERE ssn LIKE '%3'))"
    ),
    "CREATE VIEW lake.hr.v_old AS SELECT id, ssn FROM lake.hr.people VERSION AS OF 'old'",
    "CREATE VIEW lake.hr.v_secret AS SELECT id, city FROM lake.hr.ledger",
    "CREATE VIEW lake.closed.v AS SELECT id, city FROM lake.hr.ledger",
    "CREATE TABLE lake.closed.t (id BIGINT, word STRING)",
    "INSERT INTO lake.closed.t VALUES (1, 'closed-1')",
    "CREATE TABLE lake.deep.inner.sec2 (id BIGINT, word STRING)",
    "INSERT INTO lake.deep.inner.sec2 SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'deep-1'), (2, 'deep-2')",
    "ALTER TABLE lake.deep.inner.sec2 CREATE BRANCH side",
)

# What ann sees of a row of people.
ANN_1 = (1, "Abel", "eng", None, "xxxxxxx3331", hashed("abel@x.io"), "hidden", "1980-01-01", (None, "Delft"))
ANN_2 = (2, "Bess", "eng", None, "xxxxxxx3332", hashed("bess@x.io"), "hidden", "1990-01-01", (None, "Leiden"))
BOB_1 = (
    *(1, "Abel", "eng", 10100, "111-22-3331", "abel@x.io", "+31-611", "1980-02-03"),
    *(("Elm 1", "Delft"), "note-1", "kin-1"),
)
BOB_2 = (
    *(2, "Bess", "eng", 10200, "111-22-3332", "bess@x.io", "+31-622", "1990-05-06"),
    *(("Oak 2", "Leiden"), "note-2", "kin-2"),
)
BOB_3 = (
    *(3, "Cyra", "hr", 10300, "111-22-3333", "cyra@x.io", "+31-633", "1970-07-08"),
    *(("Ash 3", "Gouda"), "note-3", "kin-3"),
)
BOB_4 = (
    *(4, "Dino", "hr", 10400, "111-22-3334", "dino@x.io", "+31-644", "1960-09-10"),
    *(("Fir 4", "Breda"), "note-4", "kin-4"),
)

CANARIES = (
    *(
        "Cyra",
        "Dino",
        "Fern",
        "111-22",
        "abel@",
        "bess@",
        "cyra@",
        "dino@",
        "eryx@",
        "+31-6",
        "note-",
        "kin-",
    ),
    *("1980-02-03", "1990-05-06", "1970-07-08", "1960-09-10", "Elm 1", "Oak 2", "Ash 3", "Fir 4", "Breda"),
    *("10100", "10200", "10300", "10400", "10500", "10600", "10700", "Juno", "Kira", "20300", "20400"),
    *("what-2", "what-4", "north-1", "south-2", "code-1", "code-2", "vault-1", "vault-2", "closed-1"),
    *("past-1", "past-2", "hash-1", "hash-2", "gone-1", "gone-2", "left-1"),
    *("deep-1", "deep-2"),
    # The policy's own words.
    *("dept = 'eng'", "dept='eng'", "rlike", "mask_", "sqe_hmac", "mask_constant", MASK_KEY),
)
"""What is stored and never shown to ann, in no row and in no error. Numbers and names are nowhere else."""
