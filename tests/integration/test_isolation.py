"""Two users of one server, at both front ends: data, settings, caches and queries of one are hidden from the other.

Each test has its control: whoever something belongs to does see it, and an engine of one's own allows what a shared one
refuses.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest
from pyarrow import flight
from testing.certificates import own_certificates
from testing.command import ENDLESS, Sqe, until
from testing.server import RunningServer, running_server
from tests.conformance.clients.base import Client, Connection, Failed, FrontEnds, Setup, User
from tests.conformance.clients.flight_raw import FlightRaw, FlightRawConnection
from tests.conformance.clients.threads import Threaded
from tests.conformance.clients.trino_python import TrinoPython

from sqe.frontends.flight.proto import Flight_pb2, FlightSql_pb2

pytestmark = [
    pytest.mark.engine,
    # trino-python-client leaves the sockets of its connections to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

ALICE, BOB = User("alice", "a secret"), User("bob", "another")
CLIENTS: tuple[type[Client], ...] = (FlightRaw, TrinoPython)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    directory = tmp_path_factory.mktemp("warehouses")
    with (
        own_certificates(),
        running_server(
            users={user.name: user.password for user in (ALICE, BOB)},
            tls=True,
            catalogs={"iceberg": directory / "one", "lake": directory / "two"},
        ) as server,
    ):
        server.wait_until_ready()
        yield server


@dataclass(frozen=True)
class Pair:
    """The two of them at one front end, speaking Spark's SQL."""

    alice: Connection
    bob: Connection
    front_end: str  # goes into names, as both front ends have the same tables


@pytest.fixture(scope="module", params=CLIENTS, ids=lambda kind: str(kind.name))
def pair(request: pytest.FixtureRequest, server: RunningServer) -> Iterator[Pair]:
    client: Client = request.param(_front_ends(server))
    spark = {"dialect": "spark"}
    with (
        client.connect(Setup(ALICE, properties=spark)) as alice,
        client.connect(Setup(BOB, properties=spark)) as bob,
    ):
        yield Pair(alice, bob, client.name)


def _front_ends(server: RunningServer) -> FrontEnds:
    assert server.ca is not None
    return FrontEnds(server.flight, server.trino, server.ca)


def _one(connection: Connection, sql: str) -> object:
    [[value]] = connection.query(sql).rows
    return value


def _refused(connection: Connection, sql: str) -> str:
    """The message of the access error that a statement ends with."""
    with pytest.raises(Failed) as caught:
        connection.query(sql)
    assert caught.value.name in ("ACCESS_DENIED", "PERMISSION_DENIED"), caught.value
    assert "is not allowed on this server" in caught.value.message
    return caught.value.message


def _fails(connection: Connection, sql: str, words: str) -> None:
    with pytest.raises(Failed, match=words):
        connection.query(sql)


# What belongs to a session.


def test_a_temporary_view_is_its_maker_s(pair: Pair) -> None:
    pair.alice.update("CREATE OR REPLACE TEMPORARY VIEW mine AS SELECT 'of alice' AS x")
    assert _one(pair.alice, "SELECT x FROM mine") == "of alice"
    _fails(pair.bob, "SELECT x FROM mine", "cannot be found")
    pair.bob.update("CREATE OR REPLACE TEMPORARY VIEW mine AS SELECT 'of bob' AS x")
    assert _one(pair.bob, "SELECT x FROM mine") == "of bob"
    assert _one(pair.alice, "SELECT x FROM mine") == "of alice"
    pair.bob.update("DROP VIEW mine")
    assert _one(pair.alice, "SELECT x FROM mine") == "of alice"


def test_a_variable_is_its_maker_s(pair: Pair) -> None:
    pair.alice.update("DECLARE OR REPLACE VARIABLE secret INT DEFAULT 42")
    assert _one(pair.alice, "SELECT secret") == 42
    _fails(pair.bob, "SELECT secret", "cannot be resolved")


def test_a_function_is_its_maker_s(pair: Pair) -> None:
    pair.alice.update("CREATE OR REPLACE TEMPORARY FUNCTION answer() RETURNS INT RETURN 42")
    assert _one(pair.alice, "SELECT answer()") == 42
    _fails(pair.bob, "SELECT answer()", "(?i)cannot resolve")
    pair.alice.update(
        "CREATE OR REPLACE TEMPORARY FUNCTION more(x INT, y INT DEFAULT 2) RETURNS INT RETURN x + y"
    )
    assert _one(pair.alice, "SELECT more(40)") == 42


def test_settings_are_their_session_s(pair: Pair) -> None:
    asked = "SET spark.sql.shuffle.partitions"
    before = pair.bob.query(asked).rows
    pair.alice.update(f"{asked} = 77")
    assert pair.alice.query(asked).rows == [("spark.sql.shuffle.partitions", "77")]
    assert pair.bob.query(asked).rows == before
    pair.alice.update("RESET spark.sql.shuffle.partitions")
    assert pair.alice.query(asked).rows == before


def test_the_time_zone_is_its_session_s(pair: Pair) -> None:
    before = _one(pair.bob, "SELECT current_timezone()")
    pair.alice.update("SET spark.sql.session.timeZone = Pacific/Auckland")
    assert _one(pair.alice, "SELECT current_timezone()") == "Pacific/Auckland"
    assert _one(pair.bob, "SELECT current_timezone()") == before != "Pacific/Auckland"


@pytest.mark.parametrize("kind", CLIENTS, ids=lambda kind: kind.name)
def test_where_one_stands_moves_nobody_else(server: RunningServer, kind: type[Client]) -> None:
    client = kind(_front_ends(server))
    with client.connect(Setup(ALICE)) as alice, client.connect(Setup(BOB)) as bob:
        assert _place(alice) == _place(bob) == ("iceberg", "default")
        alice.update("CREATE SCHEMA IF NOT EXISTS lake.away")
        alice.update("USE lake.away")
        assert _place(alice) == ("lake", "away")
        assert _place(bob) == ("iceberg", "default")
        alice.update("SET SESSION dialect = 'spark'")
        alice.update("SET TIME ZONE 'Asia/Tokyo'")
        # What Spark's own USE does is the session's as well.
        alice.update("SET CATALOG iceberg")
        assert _one(alice, "SELECT current_catalog()") == "iceberg"
        assert _place(bob) == ("iceberg", "default")
        assert _one(bob, "SELECT current_timezone()") != "Asia/Tokyo"


def _place(connection: Connection) -> tuple[object, object]:
    [row] = connection.query("SELECT current_catalog, current_schema").rows
    return row[0], row[1] or "default"


def test_both_see_the_catalogs_of_the_server_and_each_other_s_tables(pair: Pair) -> None:
    # Warehouses belong to the server: the control of the tests above, that the two are at the same place.
    pair.alice.update(f"CREATE TABLE lake.default.shared_{pair.front_end} AS SELECT 1 AS id")
    assert _one(pair.bob, f"SELECT id FROM lake.default.shared_{pair.front_end}") == 1


# What all sessions of an engine would share, and what would act as the server.

REFUSED = (
    # Settings: what a statement means, what it can reach, who it acts as.
    "SET",
    "SET -v",
    "SET spark.sql.ansi.enabled = false",
    "SET spark.sql.ansi.enabled",
    "SET spark.sql.catalog.iceberg.uri",
    "SET spark.sql.catalog.other = org.apache.iceberg.spark.SparkCatalog",
    "SET spark.sql.catalog.iceberg.warehouse = /elsewhere",
    "SET spark.sql.variable.substitute = true",
    "SET spark.sql.runSQLOnFiles = true",
    "SET spark.sql.scripting.enabled = true",
    "SET spark.sql.optimizer.excludedRules = x",
    "SET spark.sql.analyzer.singlePassResolver.enabled = true",
    "SET spark.connect.authenticate.token",
    "RESET",
    "RESET spark.sql.ansi.enabled",
    # The cache: found by the plan, whoever made it.
    "CACHE TABLE t",
    "CACHE LAZY TABLE c AS SELECT * FROM t",
    "CACHE TABLE IDENTIFIER('t')",
    "CACHE TABLE IDENTIFIER(lower('T'))",
    "UNCACHE TABLE IF EXISTS t",
    "CLEAR CACHE",
    "REFRESH '/nowhere'",
    "CREATE GLOBAL TEMPORARY VIEW g AS SELECT 1",
    # Artifacts.
    "ADD JAR '/nowhere/x.jar'",
    "ADD FILE '/etc/hostname'",
    "ADD ARCHIVE '/nowhere/x.zip'",
    "LIST JARS",
    "LIST FILES",
    "LIST ARCHIVES",
    # Code.
    "CREATE FUNCTION f AS 'java.lang.String'",
    "CREATE FUNCTION f AS 'java.lang.String' USING JAR '/nowhere/x.jar'",
    "CREATE TEMPORARY FUNCTION f AS 'java.lang.String'",
    "SELECT java_method('java.lang.System', 'getenv', 'HOME')",
    "SELECT reflect('java.lang.System', 'getenv', 'HOME')",
    "SELECT try_reflect('java.lang.System', 'getenv', 'HOME')",
    "SELECT `Java_Method`('java.lang.System', 'getenv', 'HOME')",
    "SELECT IDENTIFIER('java_' || 'method')('java.lang.System', 'getenv', 'HOME')",
    "SELECT * FROM VALUES (java_method('java.lang.System', 'getenv', 'HOME'))",
    "SELECT * FROM IDENTIFIER(java_method('java.lang.System', 'getenv', 'HOME'))",
    "SELECT * FROM t WHERE EXISTS (SELECT java_method('java.lang.System', 'getenv', 'HOME'))",
    "CREATE TEMPORARY VIEW v AS SELECT java_method('java.lang.System', 'getenv', 'HOME')",
    "CREATE TEMPORARY FUNCTION f() RETURNS STRING RETURN java_method('java.lang.System', 'getenv', 'HOME')",
    "CREATE TEMPORARY FUNCTION abs() RETURNS INT RETURN 1",
    "CREATE TEMPORARY FUNCTION sqe_changed_rows() RETURNS INT RETURN 1",
    "CREATE FUNCTION iceberg.default.f() RETURNS INT RETURN 1",
    "SELECT TRANSFORM(id) USING 'cat' AS (x) FROM t",
    "WITH c AS (SELECT TRANSFORM(id) USING 'cat' AS (x) FROM t) SELECT * FROM c",
    "CREATE VIEW iceberg.default.v AS SELECT TRANSFORM(id) USING 'cat' AS (x) FROM t",
    # Files in the place of tables.
    "INSERT OVERWRITE DIRECTORY '/nowhere/x' USING csv SELECT 1",
    "INSERT OVERWRITE LOCAL DIRECTORY '/nowhere/x' STORED AS PARQUET SELECT 1",
    "LOAD DATA INPATH '/etc/hostname' INTO TABLE t",
    "CREATE TEMPORARY VIEW v USING text OPTIONS (path '/etc/hostname')",
    "CREATE TABLE spark_catalog.default.x USING text OPTIONS (path '/etc/hostname')",
    "CREATE TABLE spark_catalog.default.x USING parquet AS SELECT 1 AS id",
    "CREATE TABLE IDENTIFIER('spark_' || 'catalog.default.x') USING parquet AS SELECT 1 AS id",
    "CREATE VIEW spark_catalog.default.x AS SELECT 1",
    "CREATE SCHEMA SPARK_CATALOG.x",
    "CREATE FUNCTION spark_catalog.default.f() RETURNS INT RETURN 1",
    "DESCRIBE spark_catalog.default.x",
    "SET CATALOG spark_catalog",
    "SHOW TABLES IN spark_catalog.default",
    "SELECT input_file_name() FROM t",
    "SELECT * FROM t WHERE input_file_block_start() > 0",
    "SELECT from_avro(x'00', '\"int\"', map('avroSchemaUrl', '/etc/hostname'))",
    "SELECT to_protobuf(struct(1), 'm', '/etc/hostname')",
    "SELECT from_xml('<a/>', 'a INT', map('rowValidationXSDPath', '/etc/hostname'))",
    "SELECT * FROM python_worker_logs()",
    "CALL iceberg.system.add_files('default.t', '`csv`.`/etc`')",
    "CALL iceberg.system.register_table('default.other', '/nowhere/metadata.json')",
    "CALL iceberg.system.rewrite_table_path('default.t', '/nowhere', '/elsewhere')",
    "CALL IDENTIFIER('iceberg.system.' || 'add_files')('default.t', '`csv`.`/etc`')",
    "CALL iceberg.system.remove_orphan_files(table => 'default.t', location => '/nowhere')",
    # Places of files, and the class that chooses them.
    "CREATE TABLE placed (id INT) LOCATION '/nowhere/x'",
    "CREATE TABLE placed USING iceberg LOCATION '/nowhere/x' AS SELECT 1 AS id",
    "CREATE OR REPLACE TABLE placed (id INT) LOCATION '/nowhere/x'",
    "CREATE TABLE placed (id INT) TBLPROPERTIES ('write.data.path' = '/nowhere/x')",
    "CREATE TABLE placed (id INT) TBLPROPERTIES ('Write.Metadata.Path' = '/nowhere/x')",
    "CREATE TABLE placed (id INT) TBLPROPERTIES ('write.location-provider.impl' = 'java.lang.String')",
    "CREATE SCHEMA placed LOCATION '/nowhere/x'",
    "CREATE VIEW placed TBLPROPERTIES ('write.metadata.path' = '/nowhere/x') AS SELECT 1 AS id",
    "ALTER TABLE t SET LOCATION '/nowhere/x'",
    "ALTER TABLE t SET TBLPROPERTIES ('write.object-storage.path' = '/nowhere/x')",
    "ALTER SCHEMA default SET LOCATION '/nowhere/x'",
    # Statements in statements.
    "EXECUTE IMMEDIATE 'CACHE TABLE t'",
    "EXECUTE IMMEDIATE 'SET spark.sql.ansi.enabled = false'",
    "EXECUTE IMMEDIATE 'CALL iceberg.system.add_files(''default.t'', ''`csv`.`/etc`'')'",
)


@pytest.fixture(scope="module")
def with_table(pair: Pair) -> Pair:
    pair.alice.update("CREATE TABLE IF NOT EXISTS t (id BIGINT)")
    return pair


@pytest.mark.parametrize("sql", REFUSED)
def test_nobody_may(with_table: Pair, sql: str) -> None:
    _refused(with_table.bob, sql)


def test_what_was_refused_has_not_happened(with_table: Pair) -> None:
    """After all of the above, if it ran before; none of it has left a trace."""
    pair = with_table
    _fails(pair.bob, "SELECT CAST('x' AS INT)", "cannot be cast")  # ANSI is still on
    assert _one(pair.bob, "SELECT '${env:HOME}'") == "${env:HOME}"
    _fails(pair.bob, "SELECT * FROM text.`/etc/hostname`", "cannot be found")
    _fails(pair.bob, "BEGIN SELECT 1; SELECT 2; END", "mismatched input|(?i:script)")
    _fails(pair.bob, "USE spark_catalog.default", "Catalog 'spark_catalog' does not exist")
    assert {row[0] for row in pair.bob.query("SHOW CATALOGS").rows} <= {"iceberg", "lake", "spark_catalog"}
    assert "InMemory" not in str(_one(pair.alice, "EXPLAIN SELECT * FROM t"))


def test_an_explain_of_what_is_refused_shows_no_plan(with_table: Pair) -> None:
    text = str(with_table.bob.query("EXPLAIN CACHE TABLE t").rows)
    assert "is not allowed on this server" in text
    assert "CacheTable" not in text


ALLOWED = (
    "SET spark.sql.adaptive.enabled = true",
    "SET spark.sql.autoBroadcastJoinThreshold = -1",
    "REFRESH TABLE t",
    "SHOW FUNCTIONS LIKE 'abs'",
    "DESCRIBE FUNCTION java_method",
    "CALL iceberg.system.rewrite_data_files('default.t')",
    "SELECT spark_partition_id(), monotonically_increasing_id() FROM t",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n JOIN t ON id = i) SELECT * FROM n",
    "EXECUTE IMMEDIATE 'SELECT 1'",
    "EXPLAIN SELECT * FROM t",
    "SHOW TABLES",
    "CREATE OR REPLACE TEMPORARY VIEW v AS SELECT * FROM t",
    "DESCRIBE v",
)


@pytest.mark.parametrize("sql", ALLOWED)
def test_everybody_may(with_table: Pair, sql: str) -> None:
    run = with_table.bob.update if sql.startswith(("REFRESH", "CREATE")) else with_table.bob.query
    run(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SET spark.sql.ansi.enabled = false",
        "CACHE TABLE numbers AS SELECT 1 AS id",
        "CREATE GLOBAL TEMPORARY VIEW g AS SELECT 1",
        "SELECT java_method('java.lang.Math', 'abs', -1)",
        "SELECT TRANSFORM(1) USING 'cat' AS (x)",
        "CREATE TEMPORARY VIEW v USING text OPTIONS (path '/etc/hosts')",
        "CREATE SCHEMA spark_catalog.x",
        "LIST JARS",
    ],
)
def test_an_engine_of_one_s_own_is_not_locked(sqe: Sqe, sql: str) -> None:
    done = sqe.sql(sql)
    assert done.code == 0, done.err
    if sql.startswith("CREATE SCHEMA"):  # others use this engine after us
        assert sqe.sql("DROP SCHEMA spark_catalog.x").code == 0


# What runs, by its ids.


def _running(server: RunningServer) -> float:
    text = server.get(f"{server.metrics}/metrics")[1]
    return float(
        next(line.split()[1] for line in text.splitlines() if line.startswith("sqe_queries_running "))
    )


def _http(server: RunningServer, user: User) -> httpx.Client:
    return httpx.Client(
        base_url=server.trino,
        auth=(user.name, user.password),
        verify=ssl.create_default_context(cafile=str(server.ca)),
        headers={"X-Trino-User": user.name, "X-Trino-Session": "dialect=spark"},
        timeout=60,
    )


def test_a_query_at_the_trino_front_end_is_its_user_s(server: RunningServer) -> None:
    with _http(server, ALICE) as alice, _http(server, BOB) as bob:
        page = alice.post("/v1/statement", content=ENDLESS).json()
        until(lambda: _running(server) == 1, "the query runs")
        unknown = bob.get(page["nextUri"].replace(page["id"], "20200101_000000_00000_aaaaa"))
        for answer in (bob.get(page["nextUri"]), bob.delete(page["nextUri"])):
            # As if there were no such query at all.
            assert (answer.status_code, answer.text) == (404, unknown.text)
        for path in (f"/v1/query/{page['id']}", f"/ui/query.html?{page['id']}"):
            theirs, nothing = bob.get(path), bob.get(path.replace(page["id"], "20200101_000000_00000_aaaaa"))
            assert theirs.status_code == nothing.status_code
            assert ALICE.name not in theirs.text
        assert bob.delete(f"/v1/query/{page['id']}").status_code in (404, 405)
        assert _running(server) == 1
        assert alice.delete(page["nextUri"]).status_code == 204
        until(lambda: _running(server) == 0, "the query has ended")


def test_a_query_at_the_flight_front_end_is_its_user_s(server: RunningServer) -> None:
    client = FlightRaw(_front_ends(server))
    spark = {"dialect": "spark"}
    with (
        client.connect(Setup(ALICE, properties=spark)) as alice,
        client.connect(Setup(BOB, properties=spark)) as bob,
    ):
        assert isinstance(alice, FlightRawConnection)
        assert isinstance(bob, FlightRawConnection)
        info = alice.info(FlightSql_pb2.CommandStatementQuery(query=ENDLESS))
        reading = Threaded(lambda: alice.reader(info).read_all(), lambda: None)
        until(lambda: _running(server) == 1, "the query runs")
        request = Flight_pb2.CancelFlightInfoRequest()
        request.info.ParseFromString(info.serialize())
        body = request.SerializeToString()
        for attempt in (lambda: bob._act("CancelFlightInfo", body), lambda: bob.reader(info).read_all()):
            with pytest.raises(flight.FlightError, match="no such ticket"):
                attempt()
        assert _running(server) == 1
        alice._act("CancelFlightInfo", body)
        until(lambda: _running(server) == 0, "the query has ended")
        with pytest.raises(flight.FlightError, match=r"(?i)cancel"):
            reading.wait(60)


def test_nobody_lists_the_queries_of_others(server: RunningServer) -> None:
    asked = "SELECT query FROM system.runtime.queries WHERE query LIKE '%-marked'"
    for kind in CLIENTS:
        client = kind(_front_ends(server))
        with client.connect(Setup(ALICE)) as alice, client.connect(Setup(BOB)) as bob:
            mine, theirs = (
                f"SELECT 1 -- {client.name} of alice-marked",
                f"SELECT 1 -- {client.name} of bob-marked",
            )
            alice.query(mine)
            bob.query(theirs)
            for connection, own, foreign in ((alice, mine, theirs), (bob, theirs, mine)):
                rows = connection.query(asked).rows
                assert (own,) in rows
                assert (foreign,) not in rows


def test_a_prepared_statement_is_its_session_s(server: RunningServer) -> None:
    client = FlightRaw(_front_ends(server))
    with client.connect(Setup(ALICE)) as alice, client.connect(Setup(BOB)) as bob:
        assert isinstance(alice, FlightRawConnection)
        assert isinstance(bob, FlightRawConnection)
        with alice._prepare("SELECT 'of alice' AS x") as statement:
            command = FlightSql_pb2.CommandPreparedStatementQuery(
                prepared_statement_handle=statement.prepared_statement_handle
            )
            with pytest.raises(flight.FlightError, match="no such prepared statement"):
                bob.info(command)
            assert alice.reader(alice.info(command)).read_all().to_pylist() == [{"x": "of alice"}]


def test_a_session_is_closed_by_its_owner_only(server: RunningServer) -> None:
    client = FlightRaw(_front_ends(server))
    with client.connect(Setup(ALICE, properties={"dialect": "spark"})) as alice:
        alice.update("CREATE TEMPORARY VIEW kept AS SELECT 1 AS x")
        with client.connect(Setup(BOB)) as bob:
            bob.query("SELECT 1")
        # Bob's CloseSession is over; alice's session is as it was.
        assert _one(alice, "SELECT x FROM kept") == 1


# What the engine keeps on disk.


def test_a_session_leaves_no_directory(server: RunningServer) -> None:
    """Spark makes a directory of artifacts for a session that gets any; here there are none, for anybody."""
    scratch = [path for path in server.home.rglob("scratch") if path.is_dir()]
    assert scratch, "the engine has no scratch directory"
    kept = [path for where in scratch for path in where.rglob("*") if "artifacts" in path.parts]
    assert not [path for path in kept if path.is_file()]
