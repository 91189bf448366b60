"""The list of clauses fits the code; and a few of them, taken out, are missed. `make mutate` does so with all."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.security import mutation
from tests.security.corpus.everything import CASES
from tests.security.corpus_server import CorpusServer
from tests.security.mutants import MUTANTS
from tests.security.mutants.mutant import CORPUS, Mutant

# One of Python, whose test needs no engine, and one of Java.
SHORT = ("point-asks-every-engine", "guard-filter")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: str(mutant.name))
def test_a_clause_is_where_the_list_says(mutant: Mutant) -> None:
    source = (mutation.ROOT / mutant.file).read_text(encoding="utf-8")
    assert source.count(mutant.text) == 1, (
        f"{mutant.file} has this {source.count(mutant.text)} times:\n{mutant.text}"
    )
    assert mutant.text != mutant.replacement


def test_clauses_have_names_and_tests_of_their_own() -> None:
    assert [name for name, times in Counter(mutant.name for mutant in MUTANTS).items() if times > 1] == []
    cases = {case.name for case in CASES}
    for mutant in MUTANTS:
        assert mutant.tests
        for test in mutant.tests:
            if test.startswith(CORPUS):
                assert test.removeprefix(f"{CORPUS}[").removesuffix("]") in cases, mutant.name
            else:
                assert (mutation.ROOT / test.partition("::")[0]).exists(), mutant.name


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_without_a_clause_a_test_goes_red(corpus_server: CorpusServer, name: str) -> None:
    [mutant] = [one for one in MUTANTS if one.name == name]
    outcome = mutation.run(mutant, corpus_server.lake.directory.parent)
    assert outcome.found, outcome.trouble or "it survived"
