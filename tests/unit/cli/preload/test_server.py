"""Run commands in a preloaded shell, which is a process of its own, through clients that are processes, too."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
SERVER = Path(__file__).with_name("preloaded_fake.py")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the preloaded shell needs /proc and pidfds")

CLIENT = """
import sys
from sqe.cli.preload.client import run_in_preloaded_shell
code = run_in_preloaded_shell(sys.argv[1:])
sys.exit(99 if code is None else code)
"""
NOT_PRELOADED = 99


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {
        **os.environ,
        "SQE_PATHS__HOME": str(tmp_path / "home"),
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}",
    }


@pytest.fixture
def shell(environment: dict[str, str], tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a preloaded shell whose commands are small programs."""
    with subprocess.Popen([sys.executable, SERVER], env=environment, stdin=subprocess.PIPE) as process:
        path = tmp_path / "home" / "preloaded" / "socket"
        deadline = time.monotonic() + 60
        while not path.exists():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield process
        assert process.stdin is not None
        process.stdin.close()
        process.wait(60)


def start(environment: Mapping[str, str], *arguments: str, cwd: Path | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CLIENT, *arguments],
        env=environment,
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(environment: Mapping[str, str], *arguments: str, cwd: Path | None = None) -> tuple[int, str, str]:
    with start(environment, *arguments, cwd=cwd) as process:
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err


@pytest.mark.usefixtures("shell")
def test_a_command_has_the_clients_arguments_environment_directory_streams_and_mask(
    environment: dict[str, str], tmp_path: Path
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    before = os.umask(0o027)
    try:
        code, out, err = run({**environment, "SPELLED": "ä=1"}, "-e", "show", "more", cwd=here)
    finally:
        os.umask(before)
    assert (code, err) == (7, "to stderr\n")
    assert out == f"['-e', 'show', 'more'] ä=1 {here}\n"
    assert stat.S_IMODE((here / "made").stat().st_mode) == 0o640


@pytest.mark.usefixtures("shell")
def test_it_reads_the_clients_standard_input(environment: dict[str, str]) -> None:
    with start(environment, "-e", "read") as process:
        assert process.communicate("some text", timeout=60)[0] == "SOME TEXT"
        assert process.returncode == 0


@pytest.mark.usefixtures("shell")
def test_an_interrupt_reaches_the_command(environment: dict[str, str]) -> None:
    with start(environment, "-e", "wait") as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("waits")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130


@pytest.mark.usefixtures("shell")
def test_the_command_ends_with_a_client_that_is_killed(environment: dict[str, str]) -> None:
    with start(environment, "-e", "wait") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        assert process.stdout.read() == ""  # its end: no process has the pipe any more


@pytest.mark.usefixtures("shell")
def test_a_command_that_is_killed_is_an_error(environment: dict[str, str]) -> None:
    with start(environment, "-e", "wait") as process:
        assert process.stdout is not None
        os.kill(int(process.stdout.readline().split()[1]), signal.SIGKILL)
        assert process.wait(60) == 3
        assert process.stderr is not None
        assert "has ended" in process.stderr.read()


@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize(
    "changed", [{"PYTHONUTF8": "1"}, {"LC_ALL": "C"}, {"LD_BIND_NOW": "1"}, {"SQE_PATHS__HOME": "/nowhere"}]
)
def test_a_client_with_another_build_or_home_is_on_its_own(
    environment: dict[str, str], changed: dict[str, str]
) -> None:
    assert run({**environment, **changed}, "-e", "show")[:2] == (NOT_PRELOADED, "")


@pytest.mark.usefixtures("shell")
def test_a_client_with_other_limits_is_on_its_own(environment: dict[str, str]) -> None:
    limited = ["sh", "-c", 'ulimit -n 100; exec "$@"', "sh", sys.executable, "-c", CLIENT, "-e", "show"]
    assert subprocess.run(limited, env=environment, timeout=60, check=False).returncode == NOT_PRELOADED


@pytest.mark.usefixtures("shell")
def test_only_statements_on_the_command_line_are_run(environment: dict[str, str]) -> None:
    for arguments in ((), ("engine", "stop"), ("-f", "show"), ("--version",)):
        assert run(environment, *arguments)[:2] == (NOT_PRELOADED, "")


def test_without_a_preloaded_shell_a_client_is_on_its_own(environment: dict[str, str]) -> None:
    assert run(environment, "-e", "show")[:2] == (NOT_PRELOADED, "")


@pytest.mark.usefixtures("shell")
def test_a_directory_that_others_can_enter_is_not_used(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "home" / "preloaded").chmod(0o755)
    assert run(environment, "-e", "show")[:2] == (NOT_PRELOADED, "")


def test_it_ends_with_its_standard_input(shell: subprocess.Popen[bytes]) -> None:
    assert shell.stdin is not None
    shell.stdin.close()
    assert shell.wait(60) == 0
