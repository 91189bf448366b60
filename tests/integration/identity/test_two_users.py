"""Two users with the same catalog, table and SQL at the same time: each gets their own rows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from stack.catalog import CatalogService
from testing.people import FRONT_ENDS, FrontEnd, Person, Refused
from tests.support.identity_server import IdentityTestServer
from tests.support.lakes import Lake, fresh

pytestmark = pytest.mark.engine

TIMES: dict[FrontEnd, int] = {"flight": 60, "trino": 140}
# Nessie's refusals are asked for twice, with a pause of a second: fewer of them show the same.
REFUSED_TIMES = 10
SECONDS = 240.0


class Pace:
    """Lets both ask at the same time, each time."""

    def __init__(self) -> None:
        self._barrier = threading.Barrier(2)

    def wait(self) -> None:
        self._barrier.wait(SECONDS)

    def give_up(self) -> None:
        self._barrier.abort()


def both(ask_alice: Callable[[Pace], None], ask_bob: Callable[[Pace], None]) -> None:
    pace = Pace()

    def run(ask: Callable[[Pace], None]) -> None:
        try:
            ask(pace)
        except BaseException:
            pace.give_up()
            raise

    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(run, ask) for ask in (ask_alice, ask_bob)]
        errors = [error for one in running if (error := one.exception(SECONDS)) is not None]
    # Who waited for the other only says that the other is gone.
    for error in sorted(errors, key=lambda one: isinstance(one, threading.BrokenBarrierError)):
        raise error


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_the_same_words_mean_what_is_ones_own(
    identity_server: IdentityTestServer, catalog: CatalogService, front_end: FrontEnd
) -> None:
    """An unqualified name, which is another table for each of them."""
    lake, table = Lake(identity_server.stack, catalog, "vended"), fresh("mine")
    people = {user: identity_server.person(user, catalog=lake.name, schema=user) for user in ("alice", "bob")}
    for user, person in people.items():
        person.ask(front_end, f"CREATE TABLE {table} AS SELECT '{user}' AS who, {len(user)} AS length")

    def asks(user: str) -> Callable[[Pace], None]:
        def ask(pace: Pace) -> None:
            with people[user].connection(front_end) as connection:
                for _ in range(TIMES[front_end]):
                    pace.wait()
                    assert people[user].on(connection, f"SELECT who, length FROM {table}") == [
                        (user, len(user))
                    ]

        return ask

    both(asks("alice"), asks("bob"))


def test_what_one_may_read_does_not_open_it_for_the_other(
    identity_server: IdentityTestServer, catalog: CatalogService, all_orders: Callable[[Lake], str]
) -> None:
    """The full name of the same table, which only one of them may read."""
    orders = all_orders(Lake(identity_server.stack, catalog, "vended"))
    sql = f"SELECT sum(id) FROM {orders}"

    def ask_alice(pace: Pace) -> None:
        alice = identity_server.person("alice")
        with alice.connection("trino") as connection:
            for _ in range(REFUSED_TIMES):
                pace.wait()
                assert alice.on(connection, sql) == [(6,)]

    def ask_bob(pace: Pace) -> None:
        bob: Person = identity_server.person("bob")
        with bob.connection("trino") as connection:
            for _ in range(REFUSED_TIMES):
                pace.wait()
                with pytest.raises(Refused) as refused:
                    bob.on(connection, sql)
                assert refused.value.sqlstate == "42501"

    both(ask_alice, ask_bob)
