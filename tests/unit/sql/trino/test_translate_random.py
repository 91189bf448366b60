"""Random statements: each is translated, or refused with an error of SQE's own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.support.sql_pairs import read_pairs

from sqe.errors import SqeError
from sqe.model.session import Dialect
from sqe.sql.statement import read
from sqe.sql.trino.lexer import trino_tokens
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate

SCOPE = Scope("lake", "sales", "ada", None)
SENT = [
    pair.sent for path in sorted(Path(__file__).parent.glob("*/fixtures/*.sql")) for pair in read_pairs(path)
]
WORDS = [token.text for sql in SENT for token in trino_tokens(sql)]


def mutated(source: random.Random) -> str:
    words = [token.text for token in trino_tokens(source.choice(SENT))]
    for _ in range(source.randint(1, 4)):
        place = source.randrange(len(words) + 1)
        words[place : place + source.randint(0, 1)] = source.choices(WORDS, k=source.randint(0, 1))
    return " ".join(words)


@pytest.mark.parametrize("seed", range(8))
def test_random_statements(seed: int) -> None:
    source = random.Random(seed)
    translated = 0
    for _ in range(250):
        sql = mutated(source)
        for attempt in (
            lambda: read(sql, Dialect.SPARK),  # noqa: B023  # called at once
            lambda: translate(read(sql, Dialect.TRINO), SCOPE),  # noqa: B023
        ):
            try:
                attempt()
                translated += 1
            except SqeError as error:
                assert error.message  # noqa: PT017  # one of ours is as good as a translation
    assert translated
