from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console
from rich.progress import Progress

from sqe.cli.commands.setup import BarReporter, LineReporter, _begin_archive, command
from sqe.config.load import load
from sqe.config.schema import Config
from sqe.engine.launcher.archive import ClassDataArchive
from sqe.engine.runtime import lockfile
from sqe.engine.runtime.provision import Runtime
from sqe.errors import ConfigError, OfflineError


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"SQE_PATHS__HOME": str(tmp_path / "home"), "SQE_PATHS__CACHE": str(tmp_path / "cache")}


def test_offline_with_nothing_there_fails_and_lists_what_is_missing(environment: dict[str, str]) -> None:
    result = CliRunner().invoke(command, ["--offline"], env=environment)
    assert result.exit_code != 0
    assert isinstance(result.exception, OfflineError)
    for jar in lockfile.load():
        if jar.needed == "engine":
            assert jar.file_name in result.exception.message


@pytest.mark.parametrize("outer", [True, False])
def test_the_configuration_file_may_be_named_before_or_after_the_command(
    environment: dict[str, str], tmp_path: Path, outer: bool
) -> None:
    file = tmp_path / "sqe.toml"
    file.write_text('[engine]\njava_home = "/nonexistent"\n', encoding="utf-8")
    given, obj = ([], {"config_file": file}) if outer else (["--config", str(file)], None)
    result = CliRunner().invoke(command, given, env=environment, obj=obj)
    assert isinstance(result.exception, ConfigError)
    assert "engine.java_home" in result.exception.message


RUNTIME = Runtime(
    java=Path("/java"),
    java_home=Path("/"),
    java_version="21",
    java_origin="a test",
    spark_version="4.1.4",
    spark_jars=(),
    jars=(),
    truststore=None,
    fingerprint="a test",
)


@pytest.mark.parametrize(
    ("begun", "wait", "described"),
    [
        (True, False, "is being made in the background, which takes a minute or two"),
        (True, True, "missing"),
        (False, True, "missing"),  # another process makes it
        (False, False, "missing"),
        (OSError("no room"), False, "not made: no room"),
    ],
)
def test_set_up_begins_to_make_the_class_data_archive(
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    begun: bool | OSError,
    wait: bool,
    described: str,
) -> None:
    waited: list[bool] = []

    class Process:
        def wait(self) -> None:
            waited.append(True)

    def begin(archive: ClassDataArchive, config: Config, *, waited_for: bool) -> Process | None:
        assert waited_for is wait
        if isinstance(begun, OSError):
            raise begun
        (archive.path.parent).mkdir(exist_ok=True)
        return Process() if begun else None

    monkeypatch.setattr(ClassDataArchive, "begin", begin)
    monkeypatch.setattr(ClassDataArchive, "wait", lambda archive: waited.append(True))
    assert _begin_archive(load(None, environment), RUNTIME, wait=wait) == described
    assert bool(waited) is wait


def test_set_up_makes_no_archive_where_that_is_off(environment: dict[str, str]) -> None:
    config = load(None, {**environment, "SQE_ENGINE__CLASS_DATA_SHARING": "false"})
    assert _begin_archive(config, RUNTIME, wait=False) == "off (engine.class_data_sharing)"


def test_without_a_terminal_progress_is_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    reporter = LineReporter()
    reporter.note("JAVA_HOME is passed over.")
    reporter.start("Fetching a.jar", 1000)
    for done in (50, 120, 130, 980, 1000):
        reporter.advance(done)
    reporter.finish()
    reporter.start("Compiling")
    reporter.finish()
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        *["JAVA_HOME is passed over.", "Fetching a.jar (0.0 MB)", "  10 %", "  90 %", "  done"],
        *["Compiling", "  done"],
    ]


def test_on_a_terminal_progress_is_a_bar() -> None:
    screen = io.StringIO()
    with Progress(
        console=Console(file=screen, force_terminal=True, width=80), auto_refresh=False
    ) as progress:
        reporter = BarReporter(progress)
        reporter.start("Fetching [a].jar", 1000)
        reporter.advance(250)
        [task] = progress.tasks
        assert (task.completed, task.total) == (250, 1000)
        reporter.finish()
        assert progress.tasks == []
        reporter.start("Compiling")
        reporter.finish()
    assert "Fetching [a].jar" in screen.getvalue()
