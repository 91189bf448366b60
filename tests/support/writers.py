"""Let several clients change one table at once, and say what it must hold then."""

from __future__ import annotations

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from tests.parity.client import Answer, Client

CONFLICT = "TRANSACTION_CONFLICT"
_ROUNDS = 10
COUNTERS = 3  # rows that every writer adds to


@dataclass
class Committed:
    """What the writers were told: each statement that succeeded, and the errors of the others."""

    inserted: Counter[int] = field(default_factory=Counter)  # by id
    deleted: Counter[int] = field(default_factory=Counter)
    added: Counter[int] = field(default_factory=Counter)  # by the id of a counter
    statements: Counter[str] = field(default_factory=Counter)  # that changed something
    errors: Counter[tuple[str, str]] = field(default_factory=Counter)

    def rows(self) -> dict[int, int]:
        """The rows that the table must hold, by id."""
        left = self.inserted - self.deleted
        return dict.fromkeys(left, 0) | dict(self.added)

    def add(self, other: Committed) -> None:
        for mine, more in zip(self._counters(), other._counters(), strict=True):
            mine.update(more)  # type: ignore[arg-type]

    def _counters(self) -> tuple[Counter[int] | Counter[str] | Counter[tuple[str, str]], ...]:
        return self.inserted, self.deleted, self.added, self.statements, self.errors


def write_at_once(url: str, table: str, *, writers: int, seconds: float) -> Committed:
    """Let so many clients MERGE, DELETE and INSERT for so long; the table has columns `id` and `n`, and no rows.

    On a busy machine they go on until each kind of statement has succeeded, half as many each time: a MERGE takes so
    long there that another writer is always before it.
    """
    clients = [_Writer(url, table, number) for number in range(writers)]
    committed = Committed()
    with ThreadPoolExecutor(writers) as pool:
        for number in range(_ROUNDS):
            deadline = time.monotonic() + seconds
            active = clients[: max(1, writers >> number)]
            for work in [pool.submit(client.run, deadline) for client in active]:
                work.result()
            committed = Committed()
            for client in clients:
                committed.add(client.committed)
            if len(committed.statements) == len(_Writer.KINDS):
                break
    for client in clients:
        client.close()
    return committed


class _Writer:
    KINDS = ("INSERT", "MERGE", "DELETE")

    def __init__(self, url: str, table: str, number: int) -> None:
        self._client = Client(url)
        self._table = table
        self._number = number
        self._random = random.Random(number)
        self.committed = Committed()
        self._next = 1_000_000 * (number + 1)
        self._turn = number
        self._mine: list[int] = []

    def run(self, deadline: float) -> None:
        actions = [self._insert, self._merge, self._delete]
        while time.monotonic() < deadline:
            actions[self._turn % len(actions)]()
            self._turn += 1

    def close(self) -> None:
        self._client.close()

    def _insert(self) -> None:
        ids = [self._next, self._next + 1]
        self._next += 2
        answer = self._ask(f"INSERT INTO {self._table} VALUES ({ids[0]}, 0), ({ids[1]}, 0)", "INSERT")
        if answer is not None:
            assert answer.rows == ((2,),), answer
            self.committed.inserted.update(ids)
            self._mine += ids

    def _merge(self) -> None:
        counter, amount = self._random.randrange(COUNTERS), self._random.randrange(1, 100)
        answer = self._ask(
            f"MERGE INTO {self._table} t USING (SELECT {counter} AS id, {amount} AS n) s ON t.id = s.id "
            "WHEN MATCHED THEN UPDATE SET n = t.n + s.n WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, s.n)",
            "MERGE",
        )
        if answer is not None:
            assert answer.rows == ((1,),), answer
            self.committed.added[counter] += amount

    def _delete(self) -> None:
        if not self._mine:
            return
        target = self._mine.pop(self._random.randrange(len(self._mine)))
        answer = self._ask(f"DELETE FROM {self._table} WHERE id = {target}", "DELETE")
        if answer is None:
            self._mine.append(target)
        else:
            assert answer.rows == ((1,),), answer
            self.committed.deleted[target] += 1

    def _ask(self, sql: str, what: str) -> Answer | None:
        answer = self._client.run(sql)
        if answer.error is None:
            self.committed.statements[what] += 1
            return answer
        self.committed.errors[answer.error, answer.message] += 1
        return None
