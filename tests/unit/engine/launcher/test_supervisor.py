"""The supervisor and the class data archive, with a JVM that fails on request."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from testing.command import until

from sqe.config.schema import Config
from sqe.engine.control import ControlLink, GuardSettings, NoControl
from sqe.engine.endpoint import Endpoint
from sqe.engine.launcher.archive import ClassDataArchive
from sqe.engine.launcher.supervisor import EngineState
from sqe.errors import EngineStartError

if TYPE_CHECKING:
    from tests.unit.engine.launcher.conftest import Machine


def never() -> bool:
    return False


def test_it_starts_and_tells_where(machine: Machine) -> None:
    supervisor = machine.make()
    endpoint = supervisor.endpoint(never)
    assert endpoint.url == "sc://localhost:4711"
    assert endpoint.token
    assert endpoint.token not in repr(endpoint)
    assert all(endpoint.token not in start for start in machine.starts)
    assert supervisor.note is None


def test_a_crash_is_followed_by_another_start(machine: Machine) -> None:
    machine.plan("crash", "crash", "serve")
    supervisor = machine.make()
    supervisor.start()
    until(lambda: supervisor.restarts == 2 and supervisor.state is EngineState.READY)
    assert supervisor.endpoint(never).url == "sc://localhost:4711"
    assert len(machine.starts) == 3


def test_an_engine_that_asks_to_be_replaced_is_started_again_at_once_and_the_log_says_why(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    machine.plan("replace", "replace", "replace", "serve")
    supervisor = machine.make(engine__max_restarts=1)  # replacing does not count as a crash
    supervisor.start()
    until(lambda: supervisor.restarts == 3 and supervisor.state is EngineState.READY)
    assert "is replaced: The engine is replaced: a thread still works" in caplog.text


def test_an_engine_that_does_not_answer_is_replaced(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    machine.plan("deaf", "serve")
    supervisor = machine.make()
    supervisor.start()
    until(lambda: supervisor.state is EngineState.READY)
    first = supervisor.pid
    supervisor.replace("no test query has succeeded")
    until(lambda: supervisor.restarts == 1 and supervisor.state is EngineState.READY)
    assert supervisor.pid != first
    assert "is replaced: no test query has succeeded" in caplog.text


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="the kernel is asked through util-linux")
def test_an_engine_that_does_nothing_ends_with_a_gateway_that_is_killed(tmp_path: Path) -> None:
    """A JVM whose heap is full does not see that its standard input has ended."""
    gateway = tmp_path / "gateway.py"
    gateway.write_text(
        "import pathlib, sys, time\n"
        "from sqe.engine.launcher.process import EngineProcess\n"
        "deaf = [sys.executable, '-c', 'import time; time.sleep(600)']\n"
        "print(EngineProcess(deaf, pathlib.Path('stderr').resolve(), {}, '').pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(gateway)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        # Before that the program that asks the kernel for it has not come to do so. While it starts, it has no name.
        until(
            lambda: b"setpriv" not in (Path(f"/proc/{pid}/cmdline").read_bytes() or b"setpriv"),
            "the engine itself runs",
        )
        process.kill()
    until(lambda: not is_running(pid))


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_it_gives_up_after_too_many_crashes_and_tries_again_for_a_new_query(machine: Machine) -> None:
    machine.plan("crash", "crash", "crash")
    supervisor = machine.make(engine__max_restarts=1)
    supervisor.start()
    until(lambda: supervisor.state is EngineState.FAILED)
    assert supervisor.failed
    assert supervisor.note is not None
    assert "2 times in a row" in supervisor.note
    machine.plan("serve")
    assert supervisor.endpoint(never).url == "sc://localhost:4711"


def test_a_start_that_fails_says_why(machine: Machine) -> None:
    machine.plan("fail")
    with pytest.raises(EngineStartError, match="no such port"):
        machine.make().endpoint(never)


def test_a_query_does_not_get_the_failure_of_an_attempt_from_before_its_time(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqe.engine.launcher.supervisor._STALE_SECONDS", 0.0)
    machine.plan("fail when told", "serve")
    supervisor = machine.make()
    supervisor.start()
    until(lambda: len(machine.starts) == 1)
    urls: list[str] = []
    query = threading.Thread(target=lambda: urls.append(supervisor.endpoint(never).url))
    query.start()
    (machine.directory / "go").touch()
    query.join(120)
    assert urls == ["sc://localhost:4711"]


def test_a_start_that_takes_too_long_is_ended(machine: Machine) -> None:
    machine.plan("silent")
    supervisor = machine.make(engine__start_timeout="1s")
    with pytest.raises(EngineStartError, match=r"not ready after 1 s"):
        supervisor.endpoint(never)
    assert supervisor.pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(supervisor.pid, 0)


def test_a_query_that_gives_up_does_not_wait_for_the_engine(machine: Machine) -> None:
    machine.plan("silent")
    with pytest.raises(EngineStartError, match="being stopped"):
        machine.make().endpoint(lambda: True)


def test_stopping_ends_the_jvm(machine: Machine) -> None:
    supervisor = machine.make()
    supervisor.endpoint(never)
    pid = supervisor.pid
    assert pid is not None
    supervisor.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert supervisor.state is EngineState.STOPPED


def test_a_killed_jvm_comes_back_under_another_token(machine: Machine) -> None:
    supervisor = machine.make()
    before = supervisor.endpoint(never)
    assert supervisor.pid is not None
    os.kill(supervisor.pid, signal.SIGKILL)
    until(lambda: supervisor.restarts == 1)
    assert supervisor.endpoint(never).token != before.token


def test_the_archive_is_made_in_idle_time_and_used_from_then_on(machine: Machine) -> None:
    first = machine.make()
    first.endpoint(never)
    assert first.archive_state == "missing"
    assert "DumpLoadedClassList" in machine.starts[-1]
    first.use_idle_time()
    assert first.archive_state == "usable"
    first.stop()
    second = machine.make()
    second.endpoint(never)
    assert "-XX:SharedArchiveFile=" in machine.starts[-1]
    assert "DumpLoadedClassList" not in machine.starts[-1]


def test_each_start_begins_to_make_the_archive_once_the_engine_is_ready(machine: Machine) -> None:
    machine.plan("crash", "serve")
    supervisor = machine.make()
    supervisor.start()
    until(lambda: supervisor.restarts == 1 and len(machine.begun) == 2)


def test_an_archive_that_cannot_be_begun_does_not_break_a_start(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = machine.make()

    def fail(archive: ClassDataArchive, config: Config) -> None:
        raise OSError("no room")

    supervisor._make_archive = fail
    assert supervisor.endpoint(never).url == "sc://localhost:4711"
    until(lambda: "no process makes the class data archive: no room" in caplog.text)
    assert supervisor.state is EngineState.READY


def test_without_class_data_sharing_none_is_made(machine: Machine) -> None:
    supervisor = machine.make(engine__class_data_sharing=False)
    supervisor.endpoint(never)
    supervisor.use_idle_time()
    assert len(machine.starts) == 1
    assert "Share" not in machine.starts[0]


def test_an_archive_that_cannot_be_made_is_not_tried_at_every_start(machine: Machine) -> None:
    (machine.directory / "dump-fails").touch()
    first = machine.make()
    first.endpoint(never)
    first.use_idle_time()
    assert first.archive_state == "given up"
    first.stop()
    second = machine.make()
    second.endpoint(never)
    second.use_idle_time()
    assert sum("-Xshare:dump" in start for start in machine.starts) == 1


def test_an_archive_with_which_the_jvm_does_not_start_is_thrown_away(machine: Machine) -> None:
    first = machine.make()
    first.endpoint(never)
    first.use_idle_time()
    first.stop()
    machine.plan("not with an archive", "serve")
    second = machine.make()
    assert second.endpoint(never).url == "sc://localhost:4711"
    assert second.archive_state == "given up"


class CountingControl(NoControl):
    """Has another secret for each engine."""

    def __init__(self) -> None:
        self.links = 0

    def link(self) -> ControlLink:
        self.links += 1
        return ControlLink("http://127.0.0.1:1", f"a secret no. {self.links}")


def test_each_engine_is_told_a_secret_of_its_own_where_nobody_else_can_read_it(machine: Machine) -> None:
    machine.plan("crash", "serve")
    supervisor = machine.make(control=CountingControl(), locked=True)
    supervisor.start()
    until(lambda: supervisor.restarts == 1 and supervisor.state is EngineState.READY)
    secrets = [lines[0].removeprefix("request.secret=").strip() for lines in machine.introductions]
    assert len({*secrets}) == 2
    assert min(map(len, secrets)) >= 40
    assert [lines[1:] for lines in machine.introductions] == [
        [
            *("locked=true\n", "guarded=false\n", "control.url=http://127.0.0.1:1\n"),
            f"control.secret=a secret no. {number}\n",
        ]
        for number in (1, 2)
    ]
    for seen in (*machine.starts, *machine.environments):
        assert not any(secret in seen for secret in ("a secret no.", *secrets))


def test_an_engine_without_a_control_endpoint_is_introduced_too(machine: Machine) -> None:
    machine.make().endpoint(never)
    (lines,) = machine.introductions
    assert lines[1:] == ["locked=false\n", "guarded=false\n"]


def test_an_engine_is_not_used_before_it_has_proved_itself(machine: Machine) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def prove(endpoint: Endpoint) -> None:
        asked.set()
        assert go_on.wait(120)

    supervisor = machine.make(guarding=GuardSettings(2.0, "the key"), prove=prove)
    supervisor.start()
    assert asked.wait(120)
    assert supervisor.state is EngineState.STARTING
    assert supervisor.note == "the engine is starting"
    go_on.set()
    assert supervisor.endpoint(never).url == "sc://localhost:4711"
    assert machine.introductions[0][1:4] == ["locked=true\n", "guarded=true\n", "guard.timeout=2000\n"]
    for seen in (*machine.starts, *machine.environments):
        assert "the key" not in seen


def test_an_engine_that_does_not_prove_itself_is_ended_and_never_used(machine: Machine) -> None:
    ends: list[int | None] = []

    def prove(endpoint: Endpoint) -> None:
        ends.append(supervisor.pid)
        raise EngineStartError("The guard is not loaded in the engine.")

    supervisor = machine.make(prove=prove)
    with pytest.raises(EngineStartError, match="guard is not loaded"):
        supervisor.endpoint(never)
    assert supervisor.failed
    [pid] = ends
    assert pid is not None
    assert not Path(f"/proc/{pid}").exists()
    # The next query tries from the beginning, and that engine has to prove itself too.
    with pytest.raises(EngineStartError, match="guard is not loaded"):
        supervisor.endpoint(never)
    assert len(ends) == 2
