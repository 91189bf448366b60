"""Random queries under random policies: the answer is that of tables which were filtered and masked beforehand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.security.answers import Got, Refused, plain
from tests.security.case import METADATA
from tests.security.corpus_server import CorpusServer
from tests.security.random_policies import SUBJECTS, Subject, set_up
from tests.security.random_queries import queries
from tests.security.serving import run_all

pytestmark = pytest.mark.engine

# The same examples in each run: what is found stays found, and the time that they take is known.
_FIXED = settings(
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=list(HealthCheck),
    # To look for a smaller example would take minutes; the query is in the message.
    phases=(Phase.explicit, Phase.generate),
)


@pytest.fixture(scope="module")
def copied(corpus_server: CorpusServer) -> CorpusServer:
    run_all(corpus_server.visitors.visitor("adm", "flight"), set_up())
    return corpus_server


@settings(_FIXED, max_examples=120)
@given(data=st.data())
def test_a_query_sees_what_was_filtered_and_masked_beforehand(
    copied: CorpusServer, data: st.DataObject
) -> None:
    subject = data.draw(st.sampled_from(SUBJECTS), label="user")
    text = data.draw(queries(subject), label="query")
    seen, expected = _both(copied, subject, text)
    assert _comparable(seen) == _comparable(expected), subject.source(text)


@settings(_FIXED, max_examples=20)
@given(subject=st.sampled_from(SUBJECTS), table=st.sampled_from("tup"), metadata=st.sampled_from(METADATA))
def test_metadata_is_for_who_sees_everything(
    copied: CorpusServer, subject: Subject, table: str, metadata: str
) -> None:
    sql = f"SELECT count(*) >= 0 FROM spare.src.{table}.{metadata}"
    got = copied.visitors.visitor(subject.name, "flight").ask(sql)
    if subject.variants[table].protects:
        assert isinstance(got, Refused)
        assert got.code == "ACCESS_DENIED"
    else:
        assert got == [(True,)]


def test_the_policies_are_of_every_kind() -> None:
    variants = [variant for subject in SUBJECTS for variant in subject.variants.values()]
    assert any(variant.filter for variant in variants)
    assert any(variant.restricted for variant in variants)
    assert not all(variant.protects for variant in variants)
    kinds = {mask.policy.split("(")[0] for variant in variants for mask in variant.masks.values()}
    assert len(kinds) >= 5, kinds


def _both(corpus_server: CorpusServer, subject: Subject, text: str) -> tuple[Got, Got]:
    own, control = (corpus_server.visitors.visitor(user, "flight") for user in (subject.name, "bob"))
    with ThreadPoolExecutor(2) as pool:
        seen = pool.submit(own.ask, subject.source(text))
        expected = pool.submit(control.ask, subject.copied(text))
    return seen.result(), expected.result()


def _comparable(got: Got) -> object:
    return ("refused", got.code) if isinstance(got, Refused) else plain(got)
