from __future__ import annotations

import threading
import uuid
from collections.abc import Callable

from sqe.control.bindings import Bindings
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog

LAKE = RestCatalog("lake", "http://catalog.test")
ALICE = Principal("alice", "oidc_password", login="a")
BOB = Principal("bob", "oidc_password", login="b")


def test_a_session_is_found_with_its_person_and_its_catalogs() -> None:
    bindings = Bindings()
    bindings.put("one", ALICE, [LAKE], 1)
    found = bindings.find("one", 1)
    assert found is not None
    assert (found.principal, dict(found.catalogs)) == (ALICE, {"lake": LAKE})


def test_another_engine_does_not_find_it() -> None:
    bindings = Bindings()
    bindings.put("one", ALICE, [LAKE], 1)
    assert bindings.find("one", 2) is None


def test_a_dropped_session_is_unknown() -> None:
    bindings = Bindings()
    bindings.put("one", ALICE, [LAKE], 1)
    dropped = bindings.drop("one")
    assert dropped is not None
    assert dropped.principal == ALICE
    assert bindings.find("one", 1) is None
    assert bindings.drop("one") is None


def test_a_session_that_is_bound_again_belongs_to_the_second_one_only() -> None:
    bindings = Bindings()
    bindings.put("one", ALICE, [LAKE], 1)
    before = bindings.put("one", BOB, [LAKE], 1)
    assert before is not None
    assert before.principal == ALICE
    assert not bindings.has_login("a")
    assert bindings.has_login("b")


def test_a_login_is_there_until_its_last_session_is_gone() -> None:
    bindings = Bindings()
    bindings.put("one", ALICE, [LAKE], 1)
    bindings.put("two", ALICE, [LAKE], 1)
    bindings.drop("one")
    assert bindings.has_login("a")
    bindings.drop("two")
    assert not bindings.has_login("a")


def test_dropping_all_returns_them() -> None:
    bindings = Bindings()
    bindings.put("one", ALICE, [LAKE], 1)
    bindings.put("two", BOB, [LAKE], 1)
    assert {binding.session for binding in bindings.drop_all()} == {"one", "two"}
    assert len(bindings) == 0
    assert not bindings.has_login("a")


def test_only_a_changed_result_is_news() -> None:
    bindings = Bindings()
    bindings.put("one", ALICE, [LAKE], 1)
    found = bindings.find("one", 1)
    assert found is not None
    results = ["given", "given", "unavailable", "unavailable", "given"]
    news = [found.is_news("lake", "token", result) for result in results]
    assert news == [True, False, True, False, True]
    assert found.is_news("lake", "catalog", "given")


def test_many_threads_find_nobody_elses_session() -> None:
    bindings = Bindings()
    wrong: list[str] = []
    start = threading.Barrier(8)

    def work(principal: Principal) -> Callable[[], None]:
        def run() -> None:
            start.wait(120)
            for _ in range(500):
                session = str(uuid.uuid4())
                bindings.put(session, principal, [LAKE], 1)
                found = bindings.find(session, 1)
                if found is None or found.principal != principal:
                    wrong.append(session)
                dropped = bindings.drop(session)
                if dropped is None or dropped.principal != principal:
                    wrong.append(session)

        return run

    threads = [threading.Thread(target=work(ALICE if number % 2 else BOB)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert not wrong
    assert len(bindings) == 0
    assert not bindings.has_login("a")
    assert not bindings.has_login("b")
