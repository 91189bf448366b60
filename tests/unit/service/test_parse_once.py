"""Each text that enters the service is lexed and read once, whatever is done with it afterwards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.fakes.engine import FakeEngine

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import UsageError
from sqe.model.identity import Principal
from sqe.model.query import QueryId
from sqe.model.session import Dialect, SessionSpec, WarehouseCatalog
from sqe.service.client_statement import ClientContext, describe_statement, submit_statement
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession
from sqe.sql import lexer, session_statement, statement
from sqe.sql.classify import classify
from sqe.sql.policy import statement as policy_statement
from sqe.sql.trino import lexer as trino_lexer

PREPARED = "SELECT fake('rows 2') WHERE 1 = ?"
TEXTS = [
    (Dialect.TRINO, "SELECT fake('rows 2') FROM t WHERE a = 'it''s'"),
    (Dialect.TRINO, "INSERT INTO t SELECT * FROM u"),
    (Dialect.TRINO, "CREATE TABLE t (a bigint)"),
    (Dialect.TRINO, "SHOW TABLES FROM information_schema"),
    (Dialect.TRINO, "SELECT * FROM information_schema.tables"),
    (Dialect.TRINO, "SHOW SESSION"),
    (Dialect.TRINO, "SET SESSION dialect = 'spark'"),
    (Dialect.TRINO, "GRANT SELECT ON TABLE t TO USER ann"),
    (Dialect.SPARK, "SELECT fake('rows 2') FROM t WHERE a = 'it\\'s'"),
    (Dialect.SPARK, "SHOW GRANTS"),
    (Dialect.SPARK, "SET SESSION dialect = 'trino'"),
]


@dataclass
class Calls:
    """How often each text was lexed, and how often each reader was called."""

    lexed: Counter[tuple[Dialect, str]] = field(default_factory=Counter)
    readers: Counter[str] = field(default_factory=Counter)

    def check(self, dialect: Dialect, text: str) -> None:
        """Spark's lexer may read Trino's text as well: a translation that changed nothing is checked for Spark."""
        again = self.lexed[Dialect.SPARK, text] if dialect is Dialect.SPARK else 0
        assert self.lexed[Dialect.TRINO, text] + again == 1
        assert max(self.readers.values()) == 1


class CountingPattern:
    """Stands for a lexer's pattern, which is matched at offset 0 once for each time that a text is lexed."""

    def __init__(
        self, pattern: re.Pattern[str], dialect: Dialect, lexed: Counter[tuple[Dialect, str]]
    ) -> None:
        self._pattern = pattern
        self._dialect = dialect
        self._lexed = lexed

    def match(self, text: str, position: int) -> re.Match[str] | None:
        if position == 0:
            self._lexed[self._dialect, text] += 1
        return self._pattern.match(text, position)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    calls = Calls()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            calls.readers[name] += 1
            return function(*arguments)

        return call

    for module, dialect in ((lexer, Dialect.SPARK), (trino_lexer, Dialect.TRINO)):
        monkeypatch.setattr(module, "_TOKEN", CountingPattern(module._TOKEN, dialect, calls.lexed))
    monkeypatch.setattr(session_statement, "read", counted("session", session_statement.read))
    monkeypatch.setattr(policy_statement, "read", counted("policy", policy_statement.read))
    monkeypatch.setattr(statement, "classify", counted("classify", classify))
    return calls


@pytest.fixture
def service() -> Iterator[QueryService]:
    service = QueryService(FakeEngine(), LimitsConfig())
    yield service
    service.drain(0)


def open_session(service: QueryService, dialect: Dialect) -> GatewaySession:
    spec = SessionSpec((WarehouseCatalog("iceberg", None),), dialect=dialect)
    return service.open_session(Principal("ann", "test"), spec)


def finish(service: QueryService, session: GatewaySession, query_id: QueryId) -> None:
    assert service.wait(session, query_id, 10)
    service.queries("ann")
    service.poll(session, query_id)


@pytest.mark.parametrize(("dialect", "text"), TEXTS)
def test_a_text_that_a_network_client_sends(
    service: QueryService, calls: Calls, dialect: Dialect, text: str
) -> None:
    session = open_session(service, dialect)
    finish(service, session, submit_statement(service, session, text, ClientContext()).query_id)
    calls.check(dialect, text)


@pytest.mark.parametrize(("dialect", "text"), TEXTS)
def test_a_text_that_the_shell_sends(
    service: QueryService, calls: Calls, dialect: Dialect, text: str
) -> None:
    session = open_session(service, dialect)
    finish(service, session, service.submit(session, service.read(session, text)))
    calls.check(dialect, text)


@pytest.mark.parametrize(("dialect", "text"), TEXTS)
def test_a_text_that_is_described(service: QueryService, calls: Calls, dialect: Dialect, text: str) -> None:
    session = open_session(service, dialect)
    describe_statement(service, session, text, ClientContext())
    calls.check(dialect, text)


@pytest.mark.parametrize("text", ["SELECT ?", "SET SESSION colour = 'red'", "EXECUTE nobody"])
def test_a_text_that_is_refused(service: QueryService, calls: Calls, text: str) -> None:
    session = open_session(service, Dialect.TRINO)
    with pytest.raises(UsageError):
        submit_statement(service, session, text, ClientContext())
    calls.check(Dialect.TRINO, text)


def test_a_prepared_text_is_one_more(service: QueryService, calls: Calls) -> None:
    session = open_session(service, Dialect.TRINO)
    context = ClientContext(prepared={"p": PREPARED})
    finish(service, session, submit_statement(service, session, "EXECUTE p USING 1", context).query_id)
    assert calls.lexed[Dialect.TRINO, "EXECUTE p USING 1"] == calls.lexed[Dialect.TRINO, PREPARED] == 1
    assert calls.readers == {"session": 1, "policy": 1, "classify": 1}
