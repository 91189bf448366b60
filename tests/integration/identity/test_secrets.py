"""Tokens, keys, handles and the engine's secret appear in no answer, output, setting, process or file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.errors.exceptions.connect import SparkConnectException
from pyspark.sql.connect.client import SparkConnectClient
from testing.people import Refused, metric
from tests.support.identity_server import IdentityTestServer, lakes
from tests.support.lakes import Lake, fresh

pytestmark = pytest.mark.engine

HANDLE = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{64}")
CONNECT_TOKEN = b"SPARK_CONNECT_AUTHENTICATE_TOKEN="
EXPLAINED = ("", "EXTENDED", "FORMATTED", "COST", "CODEGEN")


@pytest.fixture(scope="module")
def busy(identity_server: IdentityTestServer, all_orders: Callable[[Lake], str]) -> IdentityTestServer:
    """The server after statements with every way to storage, right ones and wrong ones, at both front ends."""
    alice, bob = identity_server.person("alice"), identity_server.person("bob")
    for lake in lakes(identity_server.stack):
        orders = all_orders(lake)
        alice.flight(f"SELECT * FROM {orders}")
        alice.trino(f"SELECT city, count(*) FROM {orders} GROUP BY city")
        for mode in EXPLAINED:
            alice.flight(f"EXPLAIN {mode} SELECT city, sum(id) FROM {orders} GROUP BY city", dialect="spark")
        alice.trino(f"EXPLAIN SELECT * FROM {orders}")
        for view in ("DESCRIBE TABLE EXTENDED", "SHOW CREATE TABLE", "SHOW TBLPROPERTIES"):
            alice.flight(f"{view} {orders}", dialect="spark")
        copy = lake.table(f"alice.{fresh('secrets')}")
        alice.flight(f"CREATE TABLE {copy} AS SELECT * FROM {orders}")
        for person, wrong in (
            (bob, f"SELECT * FROM {orders}"),
            (alice, f"SELECT nothing FROM {orders}"),
            (alice, f"SELECT CAST(city AS INTEGER) FROM {orders}"),
            (alice, f"CREATE TABLE {copy} AS SELECT 1 AS id"),
        ):
            with pytest.raises(Refused):
                person.flight(wrong)
    for setting in (
        "SET",
        "SET -v",
        f"SET spark.sql.catalog.{lake.name}",
        f"SET spark.sql.catalog.{lake.name}.token",
    ):
        with pytest.raises(Refused):
            alice.flight(setting, dialect="spark")
    return identity_server


@pytest.fixture(scope="module")
def engine(busy: IdentityTestServer) -> int:
    return _engine(busy)


def _engine(identity_server: IdentityTestServer) -> int:
    """The engine's process."""
    found = [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if (said := _read(path))
        and f"{identity_server.server.home}/run/".encode() in said
        and b"engine.arguments" in said
    ]
    assert len(found) == 1
    return found[0]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has just gone
        return b""


def check(identity_server: IdentityTestServer, where: str, text: bytes) -> None:
    """That there is nothing in `text` that is a secret. What is found is named, and not repeated in a report."""
    for kind, values in identity_server.secrets().items():
        for value in map(str.encode, values):
            if value in text:
                pytest.fail(f"there is a {kind} in {where}", pytrace=False)
            # Where a token is cut, or split from its beginning, its end is as bad.
            if value[-60:] in text:
                pytest.fail(f"there is the end of a {kind} in {where}", pytrace=False)
    if HANDLE.search(text):
        pytest.fail(f"there is a handle in {where}", pytrace=False)


def test_every_kind_of_secret_was_there_to_be_found(busy: IdentityTestServer) -> None:
    assert all(busy.secrets().values())
    # Vended keys have gone to the local executor as well.
    assert metric(busy.server, "sqe_control_calls_total", kind="store_keys", result="given") >= 2
    assert len(busy.generated("session")) >= 2


def test_no_answer_and_no_error_has_any(busy: IdentityTestServer) -> None:
    assert len(busy.responses) > 50
    assert any("== Physical Plan ==" in answer for answer in busy.responses)
    for answer in busy.responses:
        check(busy, "an answer", answer.encode())


def test_no_output_of_the_server_has_any(busy: IdentityTestServer) -> None:
    assert any("alice: the session" in line for line in busy.server.log)
    check(busy, "what the server printed", "\n".join([*busy.server.output, *busy.server.log]).encode())


def test_sparks_settings_have_none(busy: IdentityTestServer, engine: int) -> None:
    """All settings of all sessions, by Connect's own call, with the engine's token: nobody else can even ask."""
    [token] = [
        variable.removeprefix(CONNECT_TOKEN).decode()
        for variable in Path(f"/proc/{engine}/environ").read_bytes().split(b"\0")
        if variable.startswith(CONNECT_TOKEN)
    ]
    settings = dict(_settings_of_sessions(busy, _connect_port(engine), token))
    of_people = [text for text in settings.values() if "spark.sql.catalog.nessie_vended" in text]
    assert of_people, "alice's session was not found"
    for session, text in settings.items():
        check(busy, f"the settings of the session {session}", text.encode())
        assert "http://" not in "".join(line for line in text.splitlines() if ".catalog." in line)


def _settings_of_sessions(
    identity_server: IdentityTestServer, port: int, token: str
) -> Iterator[tuple[str, str]]:
    from pyspark.sql.connect.proto import ConfigRequest

    for user in ("alice", "bob"):
        for session in identity_server.generated("session"):
            client = SparkConnectClient(
                f"sc://localhost:{port}/;token={token};user_id={user};session_id={session}"
            )
            operation = ConfigRequest.Operation(get_all=ConfigRequest.GetAll())
            try:
                pairs = client.config(operation).pairs
            except SparkConnectException as error:  # the session of another user, or one that is closed
                if "session" not in str(error).lower():
                    raise
                continue
            finally:
                client._channel.close()
            yield f"{user} {session}", "\n".join(f"{key}={value}" for key, value in pairs)


def _connect_port(engine: int) -> int:
    """Where the engine listens, as the kernel knows it."""
    sockets = {
        link.removeprefix("socket:[").removesuffix("]")
        for file in Path(f"/proc/{engine}/fd").iterdir()
        if (link := str(file.readlink())).startswith("socket:[")
    }
    ports = [
        int(fields[1].rpartition(":")[2], 16)
        for table in ("tcp", "tcp6")
        for line in Path(f"/proc/{engine}/net/{table}").read_text().splitlines()[1:]
        if (fields := line.split())[3] == "0A" and fields[9] in sockets
    ]
    for port in ports:
        if _speaks_grpc(port):
            return port
    pytest.fail(f"none of {ports} is Spark Connect's")


def _speaks_grpc(port: int) -> bool:
    import grpc

    with grpc.insecure_channel(f"localhost:{port}") as channel:
        try:
            grpc.channel_ready_future(channel).result(5)
        except grpc.FutureTimeoutError:
            return False
        return True


def test_no_process_shows_any(busy: IdentityTestServer, engine: int) -> None:
    gateway = busy.server.process.pid
    processes = {gateway, engine, *_children(gateway), *_children(engine)}
    assert any(b"sqe.executor.worker" in _read(Path(f"/proc/{process}/cmdline")) for process in processes)
    for process in processes:
        check(busy, f"the command line of {process}", _read(Path(f"/proc/{process}/cmdline")))
        # The engine is told in a variable who may talk to it. That is nobody's token, and lets one do nothing as a
        # person; only the account that runs the server can read it, or the engine's memory.
        shown = b"\0".join(
            variable
            for variable in _read(Path(f"/proc/{process}/environ")).split(b"\0")
            if not variable.startswith(CONNECT_TOKEN)
        )
        check(busy, f"the environment of {process}", shown)


def _children(process: int) -> Iterator[int]:
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, _read(task).split()):
            yield child
            yield from _children(child)


def test_no_file_has_any(busy: IdentityTestServer) -> None:
    home = busy.server.home
    # The server's own certificate is the test's, and `token` lets the shells of this account in: each is a secret by
    # its purpose, readable by its owner alone.
    meant = set(home.rglob("token"))
    assert {path.stat().st_mode & 0o777 for path in meant} == {0o600}
    looked_at = 0
    for path in home.rglob("*"):
        if path.is_file() and path not in meant:
            check(busy, str(path.relative_to(home)), _read(path))
            looked_at += 1
    assert looked_at > 5
    names = {path.name.partition("-")[0] for path in home.rglob("*.log")}
    assert "engine" in names
    assert list(home.rglob("executor.stderr"))


def test_no_event_log_is_written(busy: IdentityTestServer) -> None:
    assert not [path for path in busy.server.home.rglob("*") if "eventlog" in path.name.lower()]
