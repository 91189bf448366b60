from __future__ import annotations

from pathlib import Path

import pytest
from stack import polaris_build
from stack.fetch import StackCache
from stack.java import find_jdk
from stack.polaris_build import PolarisSource

from sqe.config.load import load
from sqe.engine.runtime.report import QuietReporter
from sqe.errors import SetupError

BUILD = """\
set -eu
mkdir -p "$1/server/target/quarkus-app"
echo "$JAVA_HOME_21" >"$1/server/target/quarkus-app/quarkus-run.jar"
"""


@pytest.fixture
def cache(tmp_path: Path) -> StackCache:
    home = str(tmp_path)
    return StackCache(
        load(None, {"HOME": home, "SQE_PATHS__HOME": home, "SQE_PATHS__CACHE": str(tmp_path / "cache")})
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "polaris"
    folder.mkdir()
    (folder / "build.sh").write_text(BUILD)
    (folder / "start.sh").write_text("exit 1\n")
    return folder


@pytest.fixture
def tools(tmp_path: Path) -> dict[str, str]:
    """A machine with a JDK and Maven, as far as one looks."""
    jdk = tmp_path / "jdk"
    for command in (jdk / "bin" / "javac", tmp_path / "bin" / "mvn"):
        command.parent.mkdir(parents=True)
        command.touch(0o755)
    (jdk / "release").write_text('JAVA_VERSION="21.0.8"\n')
    return {"JAVA_HOME_21": str(jdk), "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}


def test_without_the_variable_there_is_none_and_it_says_so(cache: StackCache) -> None:
    reason = polaris_build.provide(cache, None, QuietReporter(), {})
    assert isinstance(reason, str)
    assert "SQE_TEST_POLARIS" in reason
    with pytest.raises(SetupError, match="SQE_TEST_POLARIS"):
        polaris_build.provide(cache, True, QuietReporter(), {})


def test_it_can_be_left_out(cache: StackCache) -> None:
    given = {"SQE_TEST_POLARIS": "http://127.0.0.1:1"}
    assert polaris_build.provide(cache, False, QuietReporter(), given) == "Polaris was not asked for."


def test_an_address_is_that_of_one_that_runs(cache: StackCache) -> None:
    found = polaris_build.provide(
        cache, None, QuietReporter(), {"SQE_TEST_POLARIS": "http://127.0.0.1:18181/"}
    )
    assert found == PolarisSource("http://127.0.0.1:18181")


def test_a_folder_is_built_once_for_each_content(
    cache: StackCache, folder: Path, tools: dict[str, str]
) -> None:
    given = {**tools, "SQE_TEST_POLARIS": str(folder)}
    first = polaris_build.provide(cache, None, QuietReporter(), given)
    assert isinstance(first, PolarisSource)
    assert first.app is not None
    assert (first.app / "quarkus-run.jar").read_text().strip() == tools["JAVA_HOME_21"]
    assert polaris_build.provide(cache, None, QuietReporter(), given) == first
    (folder / "more").write_text("x")
    other = polaris_build.provide(cache, None, QuietReporter(), given)
    assert isinstance(other, PolarisSource)
    assert other.app != first.app


def test_a_folder_that_is_none_or_fails_is_an_error(
    cache: StackCache, folder: Path, tools: dict[str, str]
) -> None:
    with pytest.raises(SetupError, match=r"no build\.sh"):
        polaris_build.provide(cache, None, QuietReporter(), {"SQE_TEST_POLARIS": str(folder.parent)})
    (folder / "build.sh").write_text("echo why; exit 1\n")
    with pytest.raises(SetupError, match="could not be built") as failure:
        polaris_build.provide(cache, None, QuietReporter(), {**tools, "SQE_TEST_POLARIS": str(folder)})
    assert failure.value.detail == "why\n"


def test_a_jdk_is_new_enough_and_has_a_compiler(tools: dict[str, str]) -> None:
    home = Path(tools["JAVA_HOME_21"])
    assert find_jdk(tools) == home
    (home / "release").write_text('JAVA_VERSION="17.0.1"\n')
    assert find_jdk(tools) != home
    (home / "release").write_text('JAVA_VERSION="25"\n')
    (home / "bin" / "javac").unlink()
    assert find_jdk(tools) != home
