"""No random spelling of a table's name reaches the table, and none makes a file outside of the warehouse."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.security.answers import Refused
from tests.security.corpus_server import CorpusServer
from tests.security.random_names import quoted, spellings

pytestmark = pytest.mark.engine

TABLE = ("deep", "inner", "sec2")
# A name that cannot be written is no name: a control character ends the statement, an empty part is no identifier.
NOT_THERE = {"TABLE_NOT_FOUND", "SYNTAX_ERROR"}
_FIXED = settings(
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),
)


@settings(_FIXED, max_examples=60)
@given(name=spellings("lake", TABLE), user=st.sampled_from(["ann", "bob", "eve"]))
def test_no_other_spelling_reaches_a_table(
    corpus_server: CorpusServer, name: tuple[str, ...], user: str
) -> None:
    got = corpus_server.visitors.visitor(user, "flight").ask(f"SELECT * FROM {quoted(name)}")
    assert isinstance(got, Refused), name
    assert got.code in NOT_THERE, (name, got)


@settings(_FIXED, max_examples=30)
@given(name=spellings("lake", ("pub", "made")))
def test_no_name_makes_a_file_elsewhere(corpus_server: CorpusServer, name: tuple[str, ...]) -> None:
    around = {
        path for path in corpus_server.lake.directory.parent.iterdir() if path != corpus_server.lake.directory
    }
    bob = corpus_server.visitors.visitor("bob", "flight")
    try:
        got = bob.ask(f"CREATE TABLE {quoted(name)} AS SELECT 1 AS id")
        now = {
            path
            for path in corpus_server.lake.directory.parent.iterdir()
            if path != corpus_server.lake.directory
        }
        assert now == around, name
        assert {path.name for path in corpus_server.lake.directory.iterdir() if path.is_dir()} == {"data"}
        if not isinstance(got, Refused):
            assert bob.ask(f"SELECT id FROM {quoted(name)}") == [(1,)]
    finally:
        corpus_server.lake.restore(corpus_server.content)
