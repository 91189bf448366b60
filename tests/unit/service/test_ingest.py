from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.fakes.engine import FakeEngine, FakeSession

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import DataError, LimitError, QueryCanceledError, SqeError, UnsupportedError, UsageError
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec, WarehouseCatalog
from sqe.service.ingest import IfExists, IfMissing, Target, ingest
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession

NAME = ("iceberg", "default", "t")
APPEND = Target(NAME, IfMissing.FAIL, IfExists.APPEND)
SCHEMA = pa.schema([("id", pa.int64())])


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def service(engine: FakeEngine) -> Iterator[QueryService]:
    service = QueryService(engine, LimitsConfig())
    yield service
    service.drain(0)


@pytest.fixture
def session(service: QueryService) -> GatewaySession:
    return service.open_session(
        Principal("ann", "test"), SessionSpec((WarehouseCatalog("iceberg", None),)), front_end="flight"
    )


def batches(count: int, rows: int = 100_000) -> Iterator[pa.RecordBatch]:
    for number in range(count):
        yield pa.record_batch([pa.array(range(number * rows, (number + 1) * rows))], schema=SCHEMA)


def write(
    service: QueryService,
    session: GatewaySession,
    directory: Path,
    rows: Iterator[pa.RecordBatch],
    *,
    schema: pa.Schema = SCHEMA,
    limit: int = 2**30,
    gone: bool = False,
) -> int:
    return ingest(service, session, APPEND, schema, rows, directory=directory, limit=limit, gone=lambda: gone)


@pytest.mark.parametrize(
    ("missing", "exists", "statements"),
    [
        (IfMissing.CREATE, IfExists.FAIL, ["CREATE TABLE `a`.`t` AS SELECT * FROM `v`"]),
        (IfMissing.CREATE, IfExists.REPLACE, ["CREATE OR REPLACE TABLE `a`.`t` AS SELECT * FROM `v`"]),
        (IfMissing.FAIL, IfExists.REPLACE, ["REPLACE TABLE `a`.`t` AS SELECT * FROM `v`"]),
        (IfMissing.FAIL, IfExists.APPEND, ["INSERT INTO `a`.`t` BY NAME SELECT * FROM `v`"]),
        (
            IfMissing.CREATE,
            IfExists.APPEND,
            [
                "CREATE TABLE IF NOT EXISTS `a`.`t` AS SELECT * FROM `v` LIMIT 0",
                "INSERT INTO `a`.`t` BY NAME SELECT * FROM `v`",
            ],
        ),
    ],
)
def test_each_wish_has_its_statements(missing: IfMissing, exists: IfExists, statements: list[str]) -> None:
    assert list(Target(("a", "t"), missing, exists).statements("v")) == statements


def test_a_wish_that_nothing_can_fulfil_is_refused() -> None:
    with pytest.raises(UsageError):
        Target(("t",), IfMissing.FAIL, IfExists.FAIL).statements("v")


def test_a_few_rows_travel_with_the_plan(
    service: QueryService, session: GatewaySession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[pa.Table] = []
    register = FakeSession.register_rows

    def register_rows(fake: FakeSession, name: str, tag: str, rows: pa.Table) -> None:
        seen.append(rows)
        register(fake, name, tag, rows)

    monkeypatch.setattr(FakeSession, "register_rows", register_rows)
    assert write(service, session, tmp_path, batches(2, 3)) == 6
    assert seen[0].column("id").to_pylist() == list(range(6))
    assert list(tmp_path.iterdir()) == []


def test_more_are_written_to_files_first(
    service: QueryService, session: GatewaySession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[int]] = []

    def register_uploaded_files(fake: FakeSession, name: str, tag: str, files: Sequence[str]) -> None:
        seen.append([pq.read_metadata(path).num_rows for path in files])

    monkeypatch.setattr(FakeSession, "register_uploaded_files", register_uploaded_files)
    assert write(service, session, tmp_path, batches(20)) == 2_000_000
    [files] = seen
    assert sum(files) == 2_000_000
    assert len(files) > 1
    assert list(tmp_path.iterdir()) == []


def test_too_much_is_refused_and_nothing_is_left(
    engine: FakeEngine, service: QueryService, session: GatewaySession, tmp_path: Path
) -> None:
    with pytest.raises(LimitError, match=r"limits\.result_spill"):
        write(service, session, tmp_path, batches(50), limit=1_000_000)
    assert engine.sessions[0].started == []
    assert list(tmp_path.iterdir()) == []


def test_a_client_that_goes_away_has_written_nothing(
    engine: FakeEngine, service: QueryService, session: GatewaySession, tmp_path: Path
) -> None:
    with pytest.raises(QueryCanceledError):
        write(service, session, tmp_path, batches(1), gone=True)
    assert engine.sessions[0].started == []


def test_an_upload_that_breaks_has_written_nothing(
    engine: FakeEngine, service: QueryService, session: GatewaySession, tmp_path: Path
) -> None:
    def broken() -> Iterator[pa.RecordBatch]:
        yield from batches(1)
        raise UsageError("cut off")

    with pytest.raises(UsageError):
        write(service, session, tmp_path, broken())
    assert engine.sessions[0].started == []
    assert list(tmp_path.iterdir()) == []


def test_the_engine_s_error_is_raised_and_its_view_dropped(
    engine: FakeEngine, service: QueryService, session: GatewaySession, tmp_path: Path
) -> None:
    engine.failure = SqeError("no such table")
    target = Target(("fake('fail')",), IfMissing.FAIL, IfExists.APPEND)
    with pytest.raises(SqeError, match="no such table"):
        ingest(
            service, session, target, SCHEMA, batches(1, 2), directory=tmp_path, limit=1, gone=lambda: False
        )
    assert engine.sessions[0].views == {}


@pytest.mark.parametrize("kind", [pa.duration("us"), pa.time64("us"), pa.month_day_nano_interval()], ids=str)
def test_what_no_table_can_hold_is_refused(
    service: QueryService, session: GatewaySession, tmp_path: Path, kind: pa.DataType
) -> None:
    with pytest.raises(UnsupportedError, match="'x'"):
        write(service, session, tmp_path, iter(()), schema=pa.schema([("x", kind)]))


def test_nanoseconds_that_would_be_lost_are_refused(
    service: QueryService, session: GatewaySession, tmp_path: Path
) -> None:
    schema = pa.schema([("at", pa.timestamp("ns"))])
    rows = pa.record_batch([pa.array(range(1_000_000), pa.timestamp("ns"))], schema=schema)
    with pytest.raises(DataError):
        write(service, session, tmp_path, iter([rows]), schema=schema)


def test_dictionaries_are_written_as_their_values(
    service: QueryService, session: GatewaySession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[pa.Schema] = []
    monkeypatch.setattr(
        FakeSession,
        "register_uploaded_files",
        lambda fake, name, tag, files: seen.append(pq.read_schema(files[0])),
    )
    column = pa.array([f"value {number}" for number in range(500_000)]).dictionary_encode()
    rows = pa.record_batch([column], names=["x"])
    assert write(service, session, tmp_path, iter([rows]), schema=rows.schema) == 500_000
    assert seen[0].field("x").type == pa.string()
