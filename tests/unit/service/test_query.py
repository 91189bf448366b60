from __future__ import annotations

import pytest
from tests.fakes.engine import FakeEngine

from sqe.config.sections.limits import LimitsConfig
from sqe.engine.spark_errors import translate
from sqe.errors import CastError, SqeError
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec
from sqe.service.service import QueryService

VALUE = "078-05-1120"


def quoting() -> SqeError:
    """Return an error of Spark's that quotes a value."""
    message = f"[CAST_INVALID_INPUT] The value '{VALUE}'"
    return translate("CAST_INVALID_INPUT", "22018", message, (), (), "SELECT 1")


class Watch:
    """Which of the queries touch what is protected: all, or none."""

    def __init__(self, touched: bool) -> None:
        self.answer = touched
        self.events: list[str] = []

    def begin(self, query: str) -> None:
        self.events.append(f"begin {query}")

    def uses_protected_table(self, query: str) -> bool:
        self.events.append(f"touched {query}")
        return self.answer

    def end(self, query: str) -> None:
        self.events.append(f"end {query}")


@pytest.mark.parametrize("touched", [True, False])
def test_the_errors_of_queries_that_touched_something_are_redacted(touched: bool) -> None:
    engine, watch = FakeEngine(), Watch(touched)
    engine.failure = quoting()
    service = QueryService(engine, LimitsConfig(), watch=watch)
    session = service.open_session(Principal("ann", "a test"), SessionSpec(()))
    query = service.submit(session, service.read(session, "fail"))
    assert service.wait(session, query, 20)
    error = service.poll(session, query).error
    assert isinstance(error, CastError)
    assert (VALUE in error.message) is not touched
    assert error.query_id == query
    assert watch.events == [f"begin {query}", f"touched {query}", f"end {query}"]
    service.drain(0)


@pytest.mark.parametrize("watched", [True, False])
def test_no_log_has_values_where_there_are_policies(watched: bool, caplog: pytest.LogCaptureFixture) -> None:
    engine = FakeEngine()
    engine.failure = quoting()
    for touched in (True, False):
        service = QueryService(engine, LimitsConfig(), watch=Watch(touched) if watched else None)
        session = service.open_session(Principal("ann", "a test"), SessionSpec(()))
        with caplog.at_level("DEBUG"):
            assert service.wait(session, service.submit(session, service.read(session, "fail")), 20)
        service.drain(0)
    assert caplog.text.count("CAST_INVALID_INPUT") == 2
    assert (VALUE in caplog.text) is not watched


def test_what_is_only_described_is_always_redacted_where_there_are_policies() -> None:
    class Failing(FakeEngine):
        def open(self, spec: SessionSpec, principal: Principal):  # type: ignore[no-untyped-def]
            session = super().open(spec, principal)

            def describe(*_: object) -> None:
                raise quoting()

            session.describe = describe  # type: ignore[assignment,method-assign]
            return session

    for watch in (Watch(False), None):
        service = QueryService(Failing(), LimitsConfig(), watch=watch)
        session = service.open_session(Principal("ann", "a test"), SessionSpec(()))
        with pytest.raises(CastError) as caught:
            service.describe(session, service.read(session, "SELECT 1"))
        assert (VALUE in caught.value.message) is (watch is None)
        service.drain(0)
