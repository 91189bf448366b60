from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sqe.config.load import load
from sqe.engine.control import NoControl
from sqe.engine.endpoint import Endpoint
from sqe.engine.interface import NO_VIEWS
from sqe.engine.sessions import EngineSessions, SparkEngineSession, session_settings
from sqe.engine.source import RemoteEngine
from sqe.errors import AuthenticationError, ConfigError, EngineLostError, EngineStartError, SessionError
from sqe.model.gateway_principal import GATEWAY
from sqe.model.identity import Principal
from sqe.model.query import Progress
from sqe.model.session import RestCatalog, SessionSpec, WarehouseCatalog

CATALOGS = (WarehouseCatalog("lake", Path("lake")), WarehouseCatalog("Other", Path("other")))
PATHS = {"lake": Path("lake"), "Other": Path("other")}


PROOF = "proof"
REST = RestCatalog("rest", "http://127.0.0.1:1", namespace="sales")
ALICE = Principal("alice", "a test", login="l1")


class OwnEngine(RemoteEngine):
    own = True

    def __init__(self, *, own: bool = True) -> None:
        self.own = own
        self.catalog_class = "org.apache.iceberg.spark.SparkCatalog"
        self.asks_gateway = True
        self.at = Endpoint("sc://localhost:1", None)

    def endpoint(self, given_up: Callable[[], bool]) -> Endpoint:
        return self.at


def settings(spec: SessionSpec) -> dict[str, str]:
    return session_settings(spec, PATHS, OwnEngine())


def test_a_session_starts_in_its_first_catalog() -> None:
    made = settings(SessionSpec(CATALOGS))
    assert made["spark.sql.defaultCatalog"] == "lake"
    assert made["spark.sql.catalog.lake.default-namespace"] == "default"
    assert "spark.sql.session.timeZone" not in made


def test_the_gateways_own_catalog_is_not_sparks() -> None:
    made = settings(SessionSpec(CATALOGS, catalog="System", namespace="runtime"))
    assert made["spark.sql.defaultCatalog"] == CATALOGS[0].name
    assert made[f"spark.sql.catalog.{CATALOGS[0].name}.default-namespace"] == "default"


@pytest.mark.parametrize("name", ["Other", "other", "OTHER"])
def test_a_session_may_start_elsewhere(name: str) -> None:
    made = settings(SessionSpec(CATALOGS, catalog=name, namespace="a.b", time_zone="Asia/Tokyo"))
    assert made["spark.sql.defaultCatalog"] == "Other"
    assert made["spark.sql.catalog.Other.default-namespace"] == "a.b"
    assert made["spark.sql.catalog.lake.default-namespace"] == "default"
    assert made["spark.sql.session.timeZone"] == "Asia/Tokyo"


def test_a_catalog_that_is_not_there_is_left_to_spark() -> None:
    assert settings(SessionSpec(CATALOGS, catalog="nowhere"))["spark.sql.defaultCatalog"] == "nowhere"


def test_no_catalogs_no_current_one() -> None:
    assert session_settings(SessionSpec(()), {}, OwnEngine()) == {}


def test_a_stock_server_gets_no_class_of_ours() -> None:
    config = load(None, {"SQE_ENGINE__URL": "sc://localhost:1"})
    made = session_settings(SessionSpec(CATALOGS), PATHS, RemoteEngine(config))
    assert not [value for value in made.values() if "sqe.spark" in value]
    assert [
        key
        for key, value in settings(SessionSpec(CATALOGS)).items()
        if "sqe.spark.writes.ChangedRows" in value
    ]


def test_a_rest_catalog_is_a_name_and_where_it_starts() -> None:
    made = session_settings(SessionSpec((REST, *CATALOGS)), PATHS, OwnEngine())
    assert made["spark.sql.defaultCatalog"] == "rest"
    assert made["spark.sql.catalog.rest.default-namespace"] == "sales"
    assert not [value for value in made.values() if REST.uri in value]
    made = session_settings(SessionSpec((*CATALOGS, REST), catalog="Rest", namespace="x"), PATHS, OwnEngine())
    assert made["spark.sql.defaultCatalog"] == "rest"
    assert made["spark.sql.catalog.rest.default-namespace"] == "x"


class SparkFake:
    """What `connect.ConnectSession` is to a session; writes down what happens in which order."""

    def __init__(self, events: list[str], server_id: str) -> None:
        self._events = events
        self._id = server_id
        self.lost = False
        self.condition: str | None = "SQE_UNGUARDED"

    @property
    def server_id(self) -> str:
        assert "set_conf" in self._events
        return self._id

    def set_conf(self, pairs: Mapping[str, str]) -> None:
        self._events.append("set_conf")

    def tag_thread(self, tag: str) -> None: ...

    def read_unguarded(self) -> str | None:
        self._events.append(PROOF)
        return self.condition

    def stream(
        self,
        sql: str,
        on_progress: Callable[[Progress], None],
        parameters: Sequence[pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
    ) -> Iterator[pa.Schema]:
        self._events.append(sql)
        if self.lost:
            raise EngineLostError("It is gone.")
        yield pa.schema([])

    def release_session(self) -> None:
        self._events.append("release")

    def close(self) -> None: ...


class Recorder(NoControl):
    def __init__(self, events: list[str], refuses: Exception | None = None) -> None:
        self._events = events
        self._refuses = refuses

    def bind(self, session: str, principal: Principal, catalogs: Sequence[RestCatalog]) -> None:
        self._events.append(f"bind {session} {principal.user} {[catalog.name for catalog in catalogs]}")
        if self._refuses is not None:
            raise self._refuses

    def unbind(self, session: str) -> None:
        self._events.append(f"unbind {session}")


class Sessions(EngineSessions):
    """Whose Spark sessions are fakes; the last one is `spark`."""

    def __init__(
        self,
        events: list[str],
        refuses: Exception | None = None,
        *,
        guarded: bool = False,
        own: bool = True,
        condition: str | None = "SQE_UNGUARDED",
    ) -> None:
        self.engine = OwnEngine(own=own)
        super().__init__(self.engine, Path("scratch"), Recorder(events, refuses), guarded=guarded)
        self._events = events
        self._made = 0
        self._condition = condition

    def take(self, endpoint: Endpoint, user: str) -> Any:
        self._made += 1
        self.spark = SparkFake(self._events, f"uuid{self._made}")
        self.spark.condition = self._condition
        return self.spark


def ready(sessions: Sessions, *catalogs: RestCatalog) -> SparkEngineSession:
    session = sessions.open(SessionSpec(tuple(catalogs)), ALICE)
    session.ready(lambda: False)
    return session


def test_a_session_is_bound_to_its_person_before_it_is_used_and_until_it_is_released() -> None:
    events: list[str] = []
    session = ready(Sessions(events), REST)
    session.ready(lambda: False)  # the same engine: nothing to do
    list(session.stream("SELECT 1", "q1", lambda progress: None))
    session.close()
    session.close()
    assert events == ["set_conf", "bind uuid1 alice ['rest']", "SELECT 1", "unbind uuid1", "release"]


def test_a_session_without_such_catalogs_is_not_bound() -> None:
    events: list[str] = []
    ready(Sessions(events)).close()
    assert events == ["set_conf", "release"]


def test_a_guarded_engine_knows_whose_every_session_is() -> None:
    events: list[str] = []
    ready(Sessions(events, guarded=True)).close()
    assert events == ["set_conf", "bind uuid1 alice []", "unbind uuid1", "release"]


@pytest.mark.parametrize("principal", [ALICE, Principal("alice", GATEWAY)])
def test_a_new_warehouse_of_a_guarded_engine_is_made_by_the_gateway_itself(
    tmp_path: Path, principal: Principal
) -> None:
    events: list[str] = []
    sessions = Sessions(events, guarded=True)
    session = sessions.open(SessionSpec((WarehouseCatalog("lake", tmp_path / "lake"),)), principal)
    session.ready(lambda: False)
    made = "CREATE NAMESPACE IF NOT EXISTS `lake`.`default`"
    assert events == [
        *("set_conf", "bind uuid1 alice []"),
        *("set_conf", f"bind uuid2 {GATEWAY} []", made, "unbind uuid2", "release"),
    ]
    again = sessions.open(SessionSpec((WarehouseCatalog("lake", tmp_path / "lake"),)), ALICE)
    again.ready(lambda: False)
    assert events.count(made) == 1


def test_a_new_warehouse_of_an_engine_without_a_guard_is_made_by_who_comes_first(tmp_path: Path) -> None:
    events: list[str] = []
    session = Sessions(events).open(SessionSpec((WarehouseCatalog("lake", tmp_path / "lake"),)), ALICE)
    session.ready(lambda: False)
    assert events == ["set_conf", "CREATE NAMESPACE IF NOT EXISTS `lake`.`default`"]


def test_each_session_on_somebody_elses_engine_is_put_to_the_proof() -> None:
    events: list[str] = []
    sessions = Sessions(events, guarded=True, own=False)
    ready(sessions)
    ready(sessions)
    assert events.count(PROOF) == 2
    assert events.index(PROOF) < events.index("bind uuid1 alice []")


@pytest.mark.parametrize("condition", [None, "SQE_ACCESS_DENIED", "UNRESOLVABLE_TABLE_VALUED_FUNCTION"])
def test_a_session_without_a_guard_is_not_used(condition: str | None) -> None:
    events: list[str] = []
    with pytest.raises(EngineStartError, match="The guard is not loaded"):
        ready(Sessions(events, guarded=True, own=False, condition=condition))
    assert events == ["set_conf", PROOF, "release"]


def test_an_own_engine_has_proved_itself_when_it_started() -> None:
    events: list[str] = []
    ready(Sessions(events, guarded=True, condition=None))
    assert PROOF not in events


def test_a_lost_engine_unbinds_and_the_next_session_is_bound_anew() -> None:
    events: list[str] = []
    sessions = Sessions(events)
    session = ready(sessions, REST)
    sessions.spark.lost = True
    with pytest.raises(EngineLostError):
        list(session.stream("SELECT 1", "q1", lambda progress: None))
    assert events[-1] == "unbind uuid1"
    session.ready(lambda: False)
    assert events[-1] == "bind uuid2 alice ['rest']"


def test_an_engine_that_was_started_again_unbinds_too() -> None:
    events: list[str] = []
    sessions = Sessions(events)
    session = ready(sessions, REST)
    sessions.engine.at = Endpoint("sc://localhost:2", None)
    session.ready(lambda: False)
    assert events[2:] == ["unbind uuid1", "set_conf", "bind uuid2 alice ['rest']"]


def test_a_login_that_has_ended_leaves_no_session_behind() -> None:
    events: list[str] = []
    with pytest.raises(AuthenticationError):
        ready(Sessions(events, AuthenticationError("It has ended.")), REST)
    assert events[1:] == ["bind uuid1 alice ['rest']", "unbind uuid1", "release"]


REMOTE = {"engine.url": "sc://localhost:1"}


def test_an_engine_elsewhere_has_rest_catalogs_only_with_a_secret() -> None:
    with pytest.raises(ConfigError, match="lake"):
        RemoteEngine(load(None, {}, REMOTE | {"catalogs.lake.uri": "http://127.0.0.1:1"}))
    without = EngineSessions(RemoteEngine(load(None, {}, REMOTE)), Path("scratch"))
    with pytest.raises(ConfigError, match="this engine does not have"):
        without.open(SessionSpec((REST,)), ALICE)
    knows = RemoteEngine(load(None, {}, REMOTE | {"engine.control_secret": "x" * 32}))
    EngineSessions(knows, Path("scratch")).open(SessionSpec((REST,)), ALICE)
    made = session_settings(SessionSpec((REST,)), {}, knows)
    assert made["spark.sql.catalog.rest"] == "sqe.spark.catalog.SqeCatalog"


def test_an_engine_elsewhere_guards_only_with_a_secret() -> None:
    guarded = REMOTE | {"policy.engines": ["grants"]}
    with pytest.raises(ConfigError, match=r"cannot ask policy\.engines for decisions"):
        RemoteEngine(load(None, {}, guarded))
    knows = RemoteEngine(load(None, {}, guarded | {"engine.control_secret": "x" * 32}))
    made = session_settings(SessionSpec(CATALOGS), PATHS, knows)
    assert made["spark.sql.catalog.lake"] == "sqe.spark.catalog.SqeCatalog"


def test_the_session_in_reserve_waits_for_its_user(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def new(endpoint: Endpoint, user: str) -> Any:
        made.append(SparkFake([], f"{user} {endpoint.url}"))
        return made[-1]

    monkeypatch.setattr("sqe.engine.sessions._new", new)
    engine = OwnEngine()
    sessions = EngineSessions(engine, Path("scratch"))
    sessions.keep_reserve("ann")
    sessions.keep_reserve("ann")
    assert len(made) == 1
    assert sessions.take(engine.at, "bob") is made[1]
    assert sessions.take(engine.at, "ann") is made[0]  # bob's did not cost her hers
    assert sessions.take(engine.at, "ann") is made[2]
    sessions.keep_reserve("ann")
    engine.at = Endpoint("sc://localhost:2", None)
    sessions.keep_reserve("ann")
    assert sessions.take(engine.at, "ann") is made[4]


def test_a_statement_whose_session_another_one_has_lost_fails_as_lost_and_the_next_is_at_home() -> None:
    events: list[str] = []
    sessions = Sessions(events)
    session = ready(sessions)
    sessions.spark.lost = True
    with pytest.raises(EngineLostError):
        list(session.stream("SELECT 1", "q1", lambda progress: None))
    with pytest.raises(
        EngineLostError, match="before the statement began"
    ):  # it was ready before that happened
        list(session.stream("SELECT 2", "q2", lambda progress: None))
    session.drop_view("v", "q1")  # as is done after an error, whose place nothing takes
    session.ready(lambda: False)
    list(session.stream("SELECT 3", "q3", lambda progress: None))
    assert events == ["set_conf", "SELECT 1", "set_conf", "SELECT 3"]


def test_a_closed_session_says_so() -> None:
    session = ready(Sessions([]))
    session.close()
    with pytest.raises(SessionError, match="was closed"):
        session.describe("SELECT 1", "q1")
