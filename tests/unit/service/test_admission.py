"""Admission: slots and the queue are one collection, whatever is closed, canceled or forgotten meanwhile."""

from __future__ import annotations

import random
import threading

import pytest
from testing.command import until
from tests.fakes.engine import FakeEngine

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import QueryCanceledError, SessionError, SqeError, TooManyQueriesError
from sqe.model.identity import Principal
from sqe.model.query import QueryInfo
from sqe.model.session import Dialect, SessionSpec
from sqe.service.admission import Admission
from sqe.service.query import Query, Request
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession
from sqe.sql.statement import read

SPEC = SessionSpec(())
SECONDS = 120.0


def limits(**given: int) -> LimitsConfig:
    return LimitsConfig().model_copy(update=given)


def query(user: str, given: LimitsConfig) -> Query:
    principal = Principal(user, "test")
    session = GatewaySession(principal, SPEC, FakeEngine().open(SPEC, principal), "shell", None)
    return Query(session, Request(read("rows 1", Dialect.SPARK)), given, list, None)


def test_slots_go_to_the_oldest_and_no_user_has_more_than_its_share() -> None:
    given = limits(concurrent_queries=3, concurrent_queries_per_user=2)
    admission = Admission(given)
    queries = [query(user, given) for user in ("ann", "ann", "ann", "bob", "bob")]
    for each in queries:
        admission.add(each)
    assert admission.take_startable() == [queries[0], queries[1], queries[3]]
    assert (admission.running, admission.waiting) == (3, 2)
    admission.release(queries[0])
    assert admission.take_startable() == [queries[2]]


def test_a_full_queue_refuses_only_what_would_have_to_wait() -> None:
    given = limits(concurrent_queries=2, concurrent_queries_per_user=1, queued_queries=1)
    admission = Admission(given)
    for user in ("ann", "ann"):
        admission.add(query(user, given))
        admission.take_startable()
    with pytest.raises(TooManyQueriesError):
        admission.add(query("ann", given))
    admission.add(query("bob", given))
    assert len(admission.take_startable()) == 1


def test_a_query_that_is_forgotten_while_it_runs_keeps_its_slot_until_its_thread_is_done() -> None:
    given = limits(concurrent_queries=1)
    admission = Admission(given)
    first, second = query("ann", given), query("bob", given)
    admission.add(first)
    admission.take_startable()
    admission.forget(first)
    assert admission.find(first.id) is None
    assert admission.queries() == []
    assert admission.running == 1
    admission.add(second)
    assert admission.take_startable() == []
    admission.release(first)
    assert admission.take_startable() == [second]
    admission.release(first)  # again, and nothing happens
    assert admission.running == 1


def test_a_session_that_closes_while_its_querys_thread_ends_does_not_disturb_others() -> None:
    ending, go_on = threading.Event(), threading.Event()

    def on_end(info: QueryInfo) -> None:
        if info.user == "ann":
            ending.set()
            assert go_on.wait(SECONDS)  # the query is done, its thread is not

    service = QueryService(FakeEngine(), limits(concurrent_queries=2), on_end=on_end)
    try:
        ann = service.open_session(Principal("ann", "test"), SPEC)
        bob = service.open_session(Principal("bob", "test"), SPEC)
        service.submit(ann, service.read(ann, "rows 1"))
        assert ending.wait(SECONDS)
        service.close_session(ann)
        assert service.counts()["running"] == 1
        mine = service.submit(bob, service.read(bob, "rows 1"))
        assert service.wait(bob, mine, SECONDS)
        go_on.set()
        again = service.submit(bob, service.read(bob, "rows 1"))
        assert service.wait(bob, again, SECONDS)
    finally:
        go_on.set()
        service.drain(0)


def test_sessions_that_open_close_and_cancel_at_random_leave_no_slot_behind() -> None:
    service = QueryService(FakeEngine(), limits(concurrent_queries=3, concurrent_queries_per_user=2))
    unexpected: list[BaseException] = []

    def client(number: int) -> None:
        chance = random.Random(number)
        try:
            for _ in range(25):
                session = service.open_session(Principal(f"user-{number % 3}", "test"), SPEC)
                ids = [
                    service.submit(session, service.read(session, chance.choice(["rows 1", "wait", "fail"])))
                    for _ in range(chance.randrange(1, 4))
                ]
                if chance.random() < 0.5:
                    service.cancel(session, ids[0])
                service.close_session(session)
        except (QueryCanceledError, SessionError, TooManyQueriesError):
            pass
        except (SqeError, Exception) as error:  # noqa: BLE001 - whatever it is, the test is to name it
            unexpected.append(error)

    clients = [threading.Thread(target=client, args=(number,)) for number in range(6)]
    for each in clients:
        each.start()
    for each in clients:
        each.join(2 * SECONDS)
    service.drain(0)
    assert not any(each.is_alive() for each in clients)
    assert unexpected == []
    until(lambda: service.counts() == {"sessions": 0, "running": 0, "waiting": 0}, "no slot is left")


def test_the_counts_agree_with_the_queries_in_any_history() -> None:
    given = limits(concurrent_queries=4, concurrent_queries_per_user=2, queued_queries=1000)
    admission, chance = Admission(given), random.Random(7)
    waiting: list[Query] = []
    running: list[Query] = []
    for _ in range(2000):
        step = chance.choice(("add", "add", "start", "withdraw", "release", "forget"))
        if step == "add":
            waiting.append(query(chance.choice("abc"), given))
            admission.add(waiting[-1])
        elif step == "start":
            started = admission.take_startable()
            running += started
            waiting = [each for each in waiting if each not in started]
        elif step == "release" and running:
            admission.release(running.pop(chance.randrange(len(running))))
        elif step in ("withdraw", "forget") and waiting:
            gone = waiting.pop(chance.randrange(len(waiting)))
            admission.withdraw(gone) if step == "withdraw" else admission.forget(gone)
        assert (admission.running, admission.waiting) == (len(running), len(waiting))
        assert len(running) <= 4
        assert all(sum(each.session.user == user for each in running) <= 2 for user in "abc")
    for each in running:
        admission.forget(each)
        assert admission.find(each.id) is None
        admission.release(each)
    assert admission.running == 0
