"""Compare what a restricted user sees of all states of a table with what its owner sees and its history allows."""

from __future__ import annotations

from random import Random

from tests.security.answers import Refused, plain, text_of
from tests.security.corpus_server import CorpusServer
from tests.security.people import Visitor
from tests.security.random_histories import BRANCH, SCHEMA, Field, History, HistoryGenerator, State, histories

METADATA = ("files", "entries", "all_data_files", "manifests", "partitions", "snapshots", "refs")


def check_history(server: CorpusServer, engine: str, seed: int, steps: int) -> None:
    """Run the history of a seed, and look at all its states as the restricted user.

    Raises:
        AssertionError: with the statements of the history.
    """
    random = Random(f"{engine} {seed}")
    generator = histories(
        random, seed, by_name=engine != "grants", by_tag=engine != "opa", by_id=engine == "grants"
    )
    owner, ann = server.visitors.visitor("adm", "flight"), server.visitors.visitor("ann", "flight")
    statements: list[str] = []
    try:
        _run(owner, generator, steps, statements)
        _compare(owner, ann, generator.history, random, statements)
    finally:
        server.lake.restore(server.content)


def _run(owner: Visitor, generator: HistoryGenerator, steps: int, statements: list[str]) -> None:
    statements.append(f"CREATE SCHEMA IF NOT EXISTS {'.'.join(SCHEMA)}")
    assert not isinstance(owner.ask(statements[0]), Refused)
    if generator.history.by_id:
        for sql in (
            "GRANT SELECT, INSERT, UPDATE, DELETE ON SCHEMA lake.hist TO USER ann",
            "CREATE OR REPLACE POLICY histories COLUMN MASK ON TAG pii TO USER ann USING (mask_null())",
        ):
            assert not isinstance(got := owner.ask(sql), Refused), f"{sql}: {got}"
    for sql in generator.statements(steps):
        statements.append(sql)
        assert not isinstance(got := owner.ask(sql), Refused), "\n".join((*statements, str(got)))


def _compare(owner: Visitor, ann: Visitor, history: History, random: Random, statements: list[str]) -> None:
    for place, state in _places(owner, history, random):
        sql = f"SELECT * FROM {place}"
        seen, stored = ann.ask(sql), owner.ask(sql)
        context = "\n".join((*statements, sql))
        _leaks(history, state, text_of(seen), context)
        if isinstance(stored, Refused):
            # Iceberg cannot read the values of a partition by a column that is dropped.
            assert any(each.dropped and each.in_paths for _, each in state), f"{context}\nowner: {stored}"
            continue
        assert not isinstance(seen, Refused), f"{context}\nann: {seen}"
        assert all(len(row) == len(state) for row in stored), (
            f"{context}\nthe model has {state}, not {stored}"
        )
        shown = {number for number, (name, each) in enumerate(state) if not history.may_hide(each, name)}
        assert plain(_only(seen, shown)) == plain(_only(stored, shown)), f"{context}\nann: {seen}"
    _compare_metadata(ann, history, statements)


def _places(owner: Visitor, history: History, random: Random) -> list[tuple[str, State]]:
    """All states, each in one of the forms that name it."""
    refs = owner.ask(
        f"SELECT r.name, r.snapshot_id, CAST(s.committed_at AS STRING) FROM {history.name}.refs r "
        f"JOIN {history.name}.snapshots s ON r.snapshot_id = s.snapshot_id"
    )
    assert not isinstance(refs, Refused), refs
    ids = {name: number for name, number, _ in refs}
    places: list[tuple[str, State]] = [(history.name, history.state())]
    for number, state in enumerate(history.snapshots):
        name, snapshot = f"s{number}", ids[f"s{number}"]
        form = random.choice(
            (
                f"{history.name} VERSION AS OF '{name}'",
                f"{history.name} VERSION AS OF {snapshot}",
                f"{history.name}.tag_{name}",
                f"{history.name}.snapshot_id_{snapshot}",
                f"{history.name} WITH (`versionAsOf` = '{name}')",
            )
        )
        places.append((form, state))
    if history.branched:
        places.append((f"{history.name}.branch_{BRANCH}", history.state()))
        places.append((f"{history.name} VERSION AS OF '{BRANCH}'", history.state()))
    return places


def _compare_metadata(ann: Visitor, history: History, statements: list[str]) -> None:
    for metadata in METADATA:
        sql = f"SELECT * FROM {history.name}.{metadata}"
        got = ann.ask(sql)
        context = "\n".join((*statements, sql))
        if history.protected:
            assert isinstance(got, Refused), f"{context}\nann: {got}"
            assert got.code == "ACCESS_DENIED", f"{context}\nann: {got}"
        elif history.open:
            assert not isinstance(got, Refused), f"{context}\nann: {got}"
        _leaks(history, (), text_of(got), context)
    for sql in (
        f"SELECT _file, _partition FROM {history.name}",
        f"EXPLAIN SELECT * FROM {history.name}",
        f"SHOW CREATE TABLE {history.name}",
        f"SHOW TBLPROPERTIES {history.name}",
    ):
        _leaks(history, (), text_of(ann.ask(sql)), "\n".join((*statements, sql)))
    if history.protected:
        sql = f"ALTER TABLE {history.name} RENAME TO lake.pub.elsewhere"
        assert isinstance(ann.ask(sql), Refused), "\n".join((*statements, sql))


def _leaks(history: History, state: State, text: str, context: str) -> None:
    names = {each: name for name, each in state}
    hidden = [each for each in history.fields if history.must_hide(each, names.get(each, each.name))]
    found = [each.names for each in hidden if _shows(text, each)]
    assert not found, f"{context}\nann sees values of {found}: {text}"


def _shows(text: str, each: Field) -> bool:
    return any(each.text(row) in text for row in range(1, 40))


def _only(rows: list[tuple[object, ...]], places: set[int]) -> list[tuple[object, ...]]:
    return [tuple(value for number, value in enumerate(row) if number in places) for row in rows]
