"""The class data archive that a process of its own makes after set-up."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sqe.config.load import load
from sqe.config.schema import Config
from sqe.engine.launcher import archive_maker
from sqe.engine.launcher.archive import WAITED_FOR, ArchiveState, ClassDataArchive
from sqe.engine.launcher.command import JvmPlan
from sqe.locations import CONFIG_FILE, Locations, locate

if TYPE_CHECKING:
    from tests.unit.engine.launcher.conftest import Machine


def configured(tmp_path: Path, **flags: Any) -> Config:
    own = {"paths.home": str(tmp_path / "home"), "paths.cache": str(tmp_path / "cache")}
    return load(None, {}, own | {name.replace("__", "."): value for name, value in flags.items()})


def archive_of(machine: Machine, config: Config) -> ClassDataArchive:
    return ClassDataArchive(locate(config), JvmPlan.of(machine.runtime, config.engine.master, 1 << 30, None))


def directories(config: Config) -> list[Path]:
    return [path for path in (locate(config).cache / "cds").iterdir() if path.is_dir()]


def test_it_is_begun_once_a_day_and_a_failure_leaves_only_a_log(machine: Machine, tmp_path: Path) -> None:
    config = configured(tmp_path, engine__java_home="/nonexistent")
    archive = archive_of(machine, config)
    process = archive.begin(config)
    assert process is not None
    assert process.wait(120) == 1
    assert "engine.java_home is /nonexistent" in (locate(config).logs / "class-data-archive.log").read_text()
    assert directories(config) == []
    assert archive.state is ArchiveState.MISSING  # an idle engine tries again
    assert archive.begin(config) is None
    archive.forget_beginning()
    again = archive.begin(config)
    assert again is not None
    again.wait(120)


def test_it_is_not_begun_while_another_process_makes_it(machine: Machine, tmp_path: Path) -> None:
    config = configured(tmp_path)
    archive = archive_of(machine, config)
    (locate(config).cache / "cds").mkdir()
    with (locate(config).cache / "cds" / f"{archive.key}.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert archive.begin(config) is None


@pytest.mark.parametrize(
    "flags", [{"engine__class_data_sharing": False}, {"engine__master": "spark://host:7077"}]
)
def test_it_is_not_begun_where_it_is_not_wanted_or_cannot_be_listed(
    machine: Machine, tmp_path: Path, flags: dict[str, Any]
) -> None:
    config = configured(tmp_path, **flags)
    assert archive_of(machine, config).begin(config) is None


def test_the_process_gets_no_secret_and_keeps_what_decides_on_the_parts(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Config] = []

    class Recorded:
        def __init__(self, command: list[str], **options: Any) -> None:
            given.append(load(Path(command[-1]) / CONFIG_FILE, {}))
            assert options["start_new_session"]
            assert os.get_inheritable(options["pass_fds"][0]) is False  # only for this one process

        def wait(self) -> int:
            return 0

    monkeypatch.setattr("sqe.engine.launcher.archive.subprocess.Popen", Recorded)
    config = configured(
        tmp_path, policy__mask_key="k" * 40, engine__java_home="/a/java", engine__memory="2GB"
    )
    archive_of(machine, config).begin(config)
    [own] = given
    assert own.policy.mask_key is None
    assert (own.engine.java_home, own.engine.memory) == (config.engine.java_home, config.engine.memory)
    assert own.engine.offline
    assert own.paths == config.paths


@pytest.fixture
def making(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """Configure a maker whose engine is the fake JVM."""

    def list_classes(config: Config, locations: Locations, classes: Path) -> None:
        classes.write_text("java/lang/Object\n" * 10_000)

    monkeypatch.setattr(archive_maker, "provide", lambda config, report: machine.runtime)
    monkeypatch.setattr(archive_maker, "_list_classes", list_classes)
    config = configured(tmp_path)
    (locate(config).cache / "cds").mkdir()
    return config


def test_the_archive_is_made_from_the_list_of_an_engine_of_its_own(
    machine: Machine, tmp_path: Path, making: Config
) -> None:
    assert archive_maker.make_archive(making, tmp_path, nice=0)
    assert archive_of(machine, making).state is ArchiveState.USABLE
    [dump] = map(json.loads, machine.starts)
    assert f"-XX:SharedClassListFile={tmp_path / 'classes'}" in dump
    assert directories(making) == []


def test_who_waits_begins_it_again_within_a_day(machine: Machine, tmp_path: Path) -> None:
    config = configured(tmp_path, engine__java_home="/nonexistent")
    archive = archive_of(machine, config)
    archive._begun.parent.mkdir(parents=True, exist_ok=True)
    archive._begun.touch()
    assert archive.begin(config) is None
    process = archive.begin(config, waited_for=True)
    assert process is not None
    assert WAITED_FOR in str(process.args)
    process.wait(120)
    archive.wait()  # nobody makes it now


def test_a_maker_that_a_signal_ends_is_begun_again(
    machine: Machine, tmp_path: Path, making: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(config: Config, locations: Locations, classes: Path) -> None:
        raise SystemExit(143)

    monkeypatch.setattr(archive_maker, "_list_classes", ended)
    archive = archive_of(machine, making)
    archive._begun.touch()
    assert archive.begin(making) is None
    with pytest.raises(SystemExit):
        archive_maker.make_archive(making, tmp_path, nice=0)
    assert not archive._begun.exists()


def test_a_list_of_a_start_that_failed_early_makes_no_archive(
    machine: Machine, tmp_path: Path, making: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_maker, "_list_classes", lambda config, locations, classes: None)
    assert not archive_maker.make_archive(making, tmp_path, nice=0)
    assert machine.starts == []
