from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sqe.config.schema import Config
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.ivy import Ivy
from sqe.engine.runtime.jars import provide_jars
from sqe.engine.runtime.lockfile import Jar
from sqe.engine.runtime.report import Reporter
from sqe.errors import ChecksumError, OfflineError, SetupError

if TYPE_CHECKING:
    from tests.unit.engine.runtime.conftest import Recorder, Repository

ONE, TWO = b"the first jar " * 5000, b"the second jar " * 5000

# Fetches the jars of a lock file in a process of its own, and says on standard output what its reporter hears.
CHILD = """
import json, os, sys
from pathlib import Path
from sqe.config.load import load
from sqe.engine.runtime import lockfile
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.ivy import Ivy
from sqe.engine.runtime.jars import provide_jars

class Lines:
    def start(self, step, total=None): print("start", step, flush=True)
    def advance(self, done): print("bytes", done, flush=True)
    def finish(self): print("finish", flush=True)
    def note(self, text): print("note", text, flush=True)

given = json.loads(sys.argv[1])
ivy = Ivy(java=Path(given["java"]), jar=Path(given["ivy"]), settings=Path(given["settings"]), truststore=None,
          environ=os.environ)
jars = tuple(lockfile.Jar(**jar) for jar in given["jars"])
for path in provide_jars(jars, Cache(load(None, {}, given["flags"])), ivy, Lines()):
    print("have", path, flush=True)
"""


class NoFetcher:
    """For when nothing may be fetched."""

    def fetch(self, jars: Sequence[Jar], work: Path, lock: int, report: Reporter) -> None:
        raise AssertionError("Something was fetched.")


@pytest.fixture
def cache(make_config: Callable[..., Config]) -> Cache:
    return Cache(make_config())


@pytest.fixture
def start_child(tmp_path: Path, repository: Repository, make_ivy: Callable[..., Ivy]) -> Callable[..., Any]:
    def start(*jars: Jar) -> subprocess.Popen[str]:
        ivy = make_ivy()
        given = {
            "java": str(ivy.java),
            "ivy": str(ivy.jar),
            "settings": str(repository.settings),
            "flags": {"paths.home": str(tmp_path / "home"), "paths.cache": str(tmp_path / "cache")},
            "jars": [{name: getattr(jar, name) for name in Jar.__dataclass_fields__} for jar in jars],
        }
        return subprocess.Popen(
            [sys.executable, "-c", CHILD, json.dumps(given)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,
        )

    return start


def contents(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())


def test_missing_jars_are_fetched_and_found_from_then_on(
    cache: Cache, repository: Repository, make_ivy: Callable[..., Ivy], recorder: Recorder
) -> None:
    jars = [repository.add("one", ONE), repository.add("two", TWO)]
    paths = provide_jars(jars, cache, make_ivy(), recorder)
    assert [path.read_bytes() for path in paths] == [ONE, TWO]
    assert recorder.steps == ["Fetching one-1.0.jar, two-1.0.jar"]
    assert recorder.finished == 1
    assert provide_jars(jars, cache, NoFetcher(), recorder) == paths
    assert provide_jars(jars, cache, NoFetcher(), recorder, verify=True) == paths
    assert contents(cache.wanted) == [
        *["jars/one-1.0.jar", "jars/one-1.0.jar.checked", "jars/two-1.0.jar", "jars/two-1.0.jar.checked"],
        "setup.lock",
    ]


def test_progress_is_told_while_bytes_arrive(
    cache: Cache, repository: Repository, make_ivy: Callable[..., Ivy]
) -> None:
    repository.use_http()
    repository.slow = "one-1.0.jar"
    content = bytes(400_000)

    seen: list[int] = []

    class Impatient:
        def start(self, step: str, total: int | None = None) -> None:
            assert total == len(content)

        def advance(self, done: int) -> None:
            seen.append(done)
            repository.go.set()  # the second half comes only after the first was reported

        def finish(self) -> None:
            pass

        def note(self, text: str) -> None:
            pass

    provide_jars([repository.add("one", content)], cache, make_ivy(), Impatient())
    assert 0 < seen[0] < len(content)


def test_a_wrong_checksum_is_refused_and_leaves_nothing(
    cache: Cache, repository: Repository, make_ivy: Callable[..., Ivy], recorder: Recorder
) -> None:
    honest = repository.add("one", ONE)
    pinned = replace(honest, sha256="0" * 64)
    with pytest.raises(ChecksumError) as raised:
        provide_jars([pinned], cache, make_ivy(), recorder)
    for part in ("one-1.0.jar", "0" * 64, honest.sha256):
        assert part in raised.value.message
    assert contents(cache.wanted) == ["setup.lock"]
    assert recorder.finished == 0


def test_what_came_in_order_stays_when_its_neighbour_is_wrong(
    cache: Cache, repository: Repository, make_ivy: Callable[..., Ivy], recorder: Recorder
) -> None:
    good, bad = repository.add("one", ONE), replace(repository.add("two", TWO), sha256="0" * 64)
    with pytest.raises(ChecksumError, match=r"two-1\.0\.jar"):
        provide_jars([good, bad], cache, make_ivy(), recorder)
    assert len(provide_jars([good], cache, NoFetcher(), recorder)) == 1
    assert not (cache.wanted / "jars" / "two-1.0.jar").exists()


def test_a_jar_that_the_repository_does_not_have(
    cache: Cache, repository: Repository, make_ivy: Callable[..., Ivy], recorder: Recorder
) -> None:
    missing = replace(repository.add("one", ONE), artifact="other")
    with pytest.raises(
        SetupError, match=r"the repository does not have it[^:]*:\n  other-1\.0\.jar"
    ) as raised:
        provide_jars([missing], cache, make_ivy(), recorder)
    assert not isinstance(raised.value, OfflineError)
    assert "UNRESOLVED" in (raised.value.detail or "")


def test_offline_lists_each_missing_file_with_its_checksum_and_where_to_put_it(
    cache: Cache, repository: Repository, recorder: Recorder
) -> None:
    one, two = repository.add("one", ONE), repository.add("two", TWO)
    (cache.directory("jars") / one.file_name).write_bytes(ONE)
    with pytest.raises(OfflineError) as raised:
        provide_jars([one, two], cache, NoFetcher(), recorder, offline=True)
    assert raised.value.message == (
        "Jars of the engine are missing and the network is off (engine.offline):\n"
        f"  two-1.0.jar  (org.example:two:1.0, 0.1 MB)\n    sha256 {two.sha256}"
    )
    hint = raised.value.hint or ""
    assert str(cache.wanted / "jars") in hint
    assert "engine.ivy_settings" in hint
    assert "HTTPS_PROXY" in hint


def test_a_file_put_there_by_hand_is_accepted_when_its_checksum_fits(
    cache: Cache, repository: Repository, recorder: Recorder
) -> None:
    jar = repository.add("one", ONE)
    path = cache.directory("jars") / jar.file_name
    path.write_bytes(ONE)
    assert provide_jars([jar], cache, NoFetcher(), recorder, offline=True) == (path,)
    assert path.with_name("one-1.0.jar.checked").is_file()


def test_a_wrong_file_put_there_by_hand_is_refused_when_offline(
    cache: Cache, repository: Repository, recorder: Recorder
) -> None:
    jar = repository.add("one", ONE)
    (cache.directory("jars") / jar.file_name).write_bytes(ONE[::-1])
    with pytest.raises(ChecksumError, match=f"expected SHA-256 {jar.sha256}, found "):
        provide_jars([jar], cache, NoFetcher(), recorder, offline=True)


def test_verify_notices_a_change_that_size_and_time_hide_and_fetches_again(
    cache: Cache, repository: Repository, make_ivy: Callable[..., Ivy], recorder: Recorder
) -> None:
    jar = repository.add("one", ONE)
    [path] = provide_jars([jar], cache, make_ivy(), recorder)
    before = path.stat()
    path.write_bytes(ONE[::-1])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    provide_jars([jar], cache, NoFetcher(), recorder)
    assert path.read_bytes() != ONE
    provide_jars([jar], cache, make_ivy(), recorder, verify=True)
    assert path.read_bytes() == ONE
    assert recorder.notes == [f"{path} is not the pinned file; fetching it again."]


def test_a_connection_that_says_nothing_more_is_given_up(
    cache: Cache, repository: Repository, make_ivy: Callable[..., Ivy], recorder: Recorder
) -> None:
    repository.use_http()
    repository.slow = "one-1.0.jar"
    with pytest.raises(OfflineError, match="nothing came for 3 s"):
        provide_jars([repository.add("one", ONE)], cache, make_ivy(stall_seconds=3), recorder)
    assert contents(cache.wanted) == ["setup.lock"]


def test_a_repository_that_cannot_be_reached(
    cache: Cache, repository: Repository, make_ivy: Callable[..., Ivy], recorder: Recorder
) -> None:
    jar = repository.add("one", ONE)
    repository.port = 9
    repository.use_http()
    with pytest.raises(OfflineError, match=r"cannot be fetched \(Connection refused\)"):
        provide_jars([jar], cache, make_ivy(), recorder)


def test_a_killed_run_is_cleaned_up_and_its_finished_jars_are_kept(
    cache: Cache,
    repository: Repository,
    start_child: Callable[..., Any],
    make_ivy: Callable[..., Ivy],
    recorder: Recorder,
) -> None:
    repository.use_http()
    jars = [repository.add("one", ONE), repository.add("two", TWO)]
    repository.slow = "two-1.0.jar"
    child = start_child(*jars)
    while True:  # until a part of the second is on disk
        word, _, rest = child.stdout.readline().partition(" ")
        if word == "bytes" and int(rest) > len(ONE):
            break
        assert word, "it ended early"
    os.killpg(child.pid, signal.SIGKILL)  # Ivy's process too: they are in one group
    child.communicate(timeout=120)
    assert any("two-1.0.jar.part" in name for name in contents(cache.wanted))
    repository.go.set()
    repository.requests.clear()
    paths = provide_jars(jars, cache, make_ivy(), recorder)
    assert [path.read_bytes() for path in paths] == [ONE, TWO]
    assert recorder.steps == ["Fetching two-1.0.jar"]
    assert not [path for path in repository.requests if "one-1.0.jar" in path]
    assert not list(cache.wanted.glob("work-*"))


def test_what_a_killed_run_left_is_swept_even_when_nothing_is_missing(cache: Cache) -> None:
    (cache.writable / "work-abc").mkdir()
    (cache.writable / "work-abc" / "some.jar.part").write_bytes(ONE)
    cache.sweep()
    assert not (cache.writable / "work-abc").exists()


def test_nothing_is_swept_while_somebody_is_at_work(cache: Cache, recorder: Recorder) -> None:
    with cache.lock("testing", recorder), cache.work() as work:
        Cache(cache._config).sweep()
        assert work.is_dir()


def test_a_second_process_waits_and_says_so(
    cache: Cache, repository: Repository, start_child: Callable[..., Any], recorder: Recorder
) -> None:
    jar = repository.add("one", ONE)
    with cache.lock("testing", recorder):
        child = start_child(jar)
        first_line = child.stdout.readline()
        assert first_line == "note Another process is fetching the engine's jars; waiting for it.\n"
        assert not (cache.wanted / "jars" / jar.file_name).exists()
    output, _ = child.communicate(timeout=120)
    assert child.returncode == 0
    assert "finish" in output


def test_of_two_processes_at_once_one_fetches_and_both_have_it(
    cache: Cache, repository: Repository, start_child: Callable[..., Any]
) -> None:
    repository.use_http()
    repository.slow = "one-1.0.jar"
    jar = repository.add("one", ONE)
    first = start_child(jar)
    assert repository.half_sent.wait(timeout=120)
    second = start_child(jar)
    assert "waiting" in second.stdout.readline()
    repository.go.set()
    outputs = [child.communicate(timeout=120)[0] for child in (first, second)]
    path = cache.wanted / "jars" / jar.file_name
    assert [f"have {path}" in output for output in outputs] == [True, True]
    assert ["finish" in output for output in outputs] == [True, False]
    assert path.read_bytes() == ONE
    assert (
        len([request for request in repository.requests if request.endswith("one-1.0.jar")]) <= 2
    )  # HEAD and GET


def test_a_full_cache_may_be_read_only(
    cache: Cache,
    repository: Repository,
    recorder: Recorder,
    as_ordinary_user: Callable[[], AbstractContextManager[None]],
) -> None:
    jar = repository.add("one", ONE)
    directory = cache.directory("jars")
    (directory / jar.file_name).write_bytes(ONE)
    directory.chmod(0o555)
    cache.wanted.chmod(0o555)
    with as_ordinary_user():
        assert provide_jars([jar], cache, NoFetcher(), recorder, offline=True) == (directory / jar.file_name,)
    assert contents(cache.wanted) == ["jars/one-1.0.jar"]


def test_what_is_missing_in_a_read_only_cache_goes_to_a_private_directory(
    make_config: Callable[..., Config],
    repository: Repository,
    make_ivy: Callable[..., Ivy],
    recorder: Recorder,
    as_ordinary_user: Callable[[], AbstractContextManager[None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    one, two = repository.add("one", ONE), repository.add("two", TWO)
    wanted = tmp_path / "cache"
    (wanted / "jars").mkdir(parents=True)
    (wanted / "jars" / one.file_name).write_bytes(ONE)
    wanted.chmod(0o555)
    with as_ordinary_user():
        first, second = provide_jars([one, two], Cache(make_config()), make_ivy(), recorder)
        again = provide_jars([one, two], Cache(make_config()), NoFetcher(), recorder)
    assert first == wanted / "jars" / one.file_name
    assert second.is_relative_to(tmp_path / f"sqe-{os.getuid()}")
    assert second.parent.parent.stat().st_mode & 0o077 == 0
    assert again == (first, second)


def test_a_stand_in_that_somebody_else_prepared_is_refused(
    make_config: Callable[..., Config],
    repository: Repository,
    make_ivy: Callable[..., Ivy],
    recorder: Recorder,
    as_ordinary_user: Callable[[], AbstractContextManager[None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    jar = repository.add("one", ONE)
    (tmp_path / "cache").mkdir(mode=0o555)
    (tmp_path / "theirs").mkdir()
    (tmp_path / f"sqe-{os.getuid()}").symlink_to(tmp_path / "theirs")
    with as_ordinary_user(), pytest.raises(SetupError, match="is not a private directory"):
        provide_jars([jar], Cache(make_config()), make_ivy(), recorder)
    assert list((tmp_path / "theirs").iterdir()) == []
