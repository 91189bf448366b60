from __future__ import annotations

import pytest

from sqe.errors import UnsupportedError
from sqe.service.transactions import Transactions


def test_what_changed_nothing_can_be_rolled_back() -> None:
    transactions = Transactions()
    transactions.roll_back(transactions.begin())


def test_what_changed_something_cannot() -> None:
    transactions = Transactions()
    transaction = transactions.begin()
    transactions.note_change(transaction)
    with pytest.raises(UnsupportedError, match="committed by itself"):
        transactions.roll_back(transaction)


def test_a_committed_one_is_forgotten() -> None:
    transactions = Transactions()
    transaction = transactions.begin()
    transactions.note_change(transaction)
    transactions.commit(transaction)
    transactions.roll_back(transaction)


def test_clients_that_never_end_theirs_do_not_fill_the_memory() -> None:
    transactions = Transactions()
    first = transactions.begin()
    transactions.note_change(first)
    for _ in range(10_000):
        transactions.begin()
    assert len(transactions._changed) == 10_000
