from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from stack.process import ServiceProcess
from testing.command import until

from sqe.errors import SetupError

SLEEPER = [sys.executable, "-c", "import time; print('here', flush=True); time.sleep(600)"]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    service = ServiceProcess("sleeper", tmp_path)
    yield service
    service.stop()


def said(service: ServiceProcess) -> bool:
    return service.log.exists() and "here" in service.log.read_text()


def gone(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_it_is_started_stopped_and_started_again(service: ServiceProcess) -> None:
    for _ in range(2):
        service.start(SLEEPER, environ=os.environ)
        service.wait_until(lambda: said(service), 120)
        assert service.running
        pid = service.pid
        os.kill(pid, 0)
        service.stop()
        assert not service.running
        assert gone(pid)
        service.log.unlink()


def test_one_that_ends_too_early_says_what_it_said(service: ServiceProcess) -> None:
    service.start([sys.executable, "-c", "print('no such thing'); raise SystemExit(3)"], environ=os.environ)
    with pytest.raises(
        SetupError, match=r"sleeper ended with status 3 before it was ready. It said:\nno such thing"
    ):
        service.wait_until(lambda: False, 120)


def test_one_that_is_never_ready_is_given_up(service: ServiceProcess) -> None:
    service.start(SLEEPER, environ=os.environ)
    with pytest.raises(SetupError, match="sleeper was not ready after 0 s"):
        service.wait_until(lambda: False, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_ends_with_a_starter_that_is_killed(tmp_path: Path) -> None:
    starter = textwrap.dedent(f"""
        import os, pathlib, threading, time
        from stack.process import ServiceProcess
        service = ServiceProcess("sleeper", pathlib.Path({str(tmp_path)!r}))
        # From a thread that ends at once, which must not end the service.
        thread = threading.Thread(target=service.start, args=({SLEEPER!r},), kwargs=dict(environ=os.environ))
        thread.start(); thread.join()
        service.wait_until(lambda: "here" in service.log.read_text(), 120)
        print(service.pid, flush=True)
        time.sleep(600)
    """)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(
        [sys.executable, "-c", starter], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stdout is not None
        with process.stdout:
            pid = int(process.stdout.readline())
        assert not gone(pid)
        process.send_signal(signal.SIGKILL)
        until(lambda: gone(pid))
    finally:
        process.kill()
        process.wait(120)
