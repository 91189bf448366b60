from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sqe.config.schema import Config
from sqe.engine.runtime import lockfile
from sqe.engine.runtime.lockfile import Jar
from sqe.engine.runtime.provision import provide
from sqe.errors import ConfigError, OfflineError

if TYPE_CHECKING:
    from tests.unit.engine.runtime.conftest import Recorder, Repository


@pytest.fixture
def pins(
    repository: Repository, make_config: Callable[..., Config], ecj: Path, iceberg: Path, aws_bundle: Path
) -> tuple[Jar, ...]:
    """Engine jars from the local repository, and the real compiler, already in place."""
    [compiler] = [jar for jar in lockfile.load() if jar.needed == "compiler"]
    directory = Path(make_config().paths.cache or "") / "jars"
    directory.mkdir(parents=True)
    shutil.copy2(ecj, directory)
    return (
        repository.add("iceberg-spark-runtime", iceberg.read_bytes()),
        repository.add("second", aws_bundle.read_bytes()),
        compiler,
    )


def test_everything_is_put_in_place_once_and_the_fingerprint_changes_with_the_files(
    make_config: Callable[..., Config], repository: Repository, pins: tuple[Jar, ...], recorder: Recorder
) -> None:
    config = make_config(engine__ivy_settings=str(repository.settings))
    environ = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    runtime = provide(config, recorder, environ=environ, pins=pins)
    assert runtime.java.is_file()
    assert runtime.java_version.startswith("21.")
    assert [jar.parent.name for jar in runtime.jars] == ["guard", "jars", "jars"]
    assert [jar.name for jar in runtime.jars[1:]] == ["iceberg-spark-runtime-1.0.jar", "second-1.0.jar"]
    names = [jar.name for jar in runtime.spark_jars if jar.parent.name != "unsigned"]
    assert names == sorted(names)
    assert not [jar for jar in runtime.spark_jars if "connect-repl" in jar.parts]
    assert runtime.spark_version in next(
        j.name for j in runtime.spark_jars if j.name.startswith("spark-core")
    )
    assert recorder.steps == [
        "Fetching iceberg-spark-runtime-1.0.jar, second-1.0.jar",
        "Compiling SQE's Java part",
    ]
    # The second time: no network, no compiler.
    offline = make_config(engine__offline=True)
    (runtime.jars[1].parent / "ecj-3.46.100.jar").unlink(missing_ok=True)
    again = provide(offline, recorder, environ=environ, pins=pins)
    assert again == runtime
    assert len(recorder.steps) == 2
    os.utime(runtime.jars[1], (1, 1))
    assert provide(offline, recorder, environ=environ, pins=pins).fingerprint != runtime.fingerprint


def test_without_a_network_it_says_what_is_missing(
    make_config: Callable[..., Config], recorder: Recorder
) -> None:
    proxy = "http://127.0.0.1:9"
    environ = {name: value for name, value in os.environ.items() if name.lower() != "no_proxy"}
    environ |= {"https_proxy": proxy, "http_proxy": proxy}
    with pytest.raises(OfflineError, match="cannot be fetched") as raised:
        provide(make_config(), recorder, environ=environ)
    for jar in lockfile.load():
        if jar.needed == "engine":
            assert jar.file_name in raised.value.message
            assert jar.sha256 in raised.value.message
    assert str(Path(make_config().paths.cache or "") / "jars") in (raised.value.hint or "")


def test_a_proxys_password_is_not_shown(make_config: Callable[..., Config], recorder: Recorder) -> None:
    environ = {name: value for name, value in os.environ.items() if name.lower() != "no_proxy"}
    environ["https_proxy"] = "http://ann:hunter2@127.0.0.1:9"
    with pytest.raises(OfflineError) as raised:
        provide(make_config(), recorder, environ=environ)
    assert "hunter2" not in f"{raised.value.message}{raised.value.hint}{raised.value.detail}"


def test_ivy_settings_must_be_there(
    make_config: Callable[..., Config], tmp_path: Path, recorder: Recorder
) -> None:
    with pytest.raises(ConfigError, match=r"engine\.ivy_settings is .*none\.xml, which is not a file"):
        provide(make_config(engine__ivy_settings=str(tmp_path / "none.xml")), recorder)


@pytest.mark.network
def test_the_real_compiler_comes_from_the_public_repository(
    make_config: Callable[..., Config], recorder: Recorder, iceberg: Path, aws_bundle: Path
) -> None:
    directory = Path(make_config().paths.cache or "") / "jars"
    directory.mkdir(parents=True)
    there = (iceberg, aws_bundle)
    for jar in there:
        shutil.copy2(jar, directory)
    names = {jar.name for jar in there}
    pins = tuple(jar for jar in lockfile.load() if jar.needed == "compiler" or jar.file_name in names)
    environ = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    runtime = provide(make_config(), recorder, environ=environ, pins=pins)
    assert [jar.parent.name for jar in runtime.jars] == ["guard", "jars", "jars"]
    assert recorder.steps == [f"Fetching {pins[-1].file_name}", "Compiling SQE's Java part"]
