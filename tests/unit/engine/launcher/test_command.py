from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sqe.engine.launcher.class_path import NOT_FOR_LOCAL, class_path
from sqe.engine.launcher.command import TOKEN_VARIABLE, JvmPlan, environment
from sqe.engine.launcher.memory import default_heap
from sqe.engine.runtime.provision import Runtime
from sqe.engine.runtime.pyspark_files import find_pyspark

RUNTIME = Runtime(
    java=Path("/jre/bin/java"),
    java_home=Path("/jre"),
    java_version="21",
    java_origin="a test",
    spark_version="4.1.4",
    spark_jars=find_pyspark().jars,
    jars=(Path("/cache/guard.jar"),),
    truststore=None,
    fingerprint="a test",
)


def test_arguments_are_in_a_file_that_only_the_user_can_read(tmp_path: Path) -> None:
    plan = JvmPlan(replace(RUNTIME, jars=()), (), 2 << 30)
    command = plan.command(
        tmp_path / "arguments", ['-Da="quoted"', r"-Db=back\slash", "-Dc=with space", "Main"]
    )
    assert command == ["/jre/bin/java", f"@{tmp_path / 'arguments'}"]
    lines = (tmp_path / "arguments").read_text().splitlines()
    assert '"-Xmx2048m"' in lines
    assert lines[-4:] == [r'"-Da=\"quoted\""', r'"-Db=back\\slash"', '"-Dc=with space"', '"Main"']
    assert (tmp_path / "arguments").stat().st_mode & 0o777 == 0o600


def test_the_engine_gets_no_cloud_credentials_of_whoever_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hidden")
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-javaagent:/theirs.jar")
    monkeypatch.setenv("TZ", "Europe/Amsterdam")
    given = environment("secret")
    assert given[TOKEN_VARIABLE] == "secret"
    assert given["TZ"] == "Europe/Amsterdam"
    assert not [name for name in given if name.startswith(("AWS_", "JAVA_"))]


def test_a_local_engine_leaves_out_what_it_cannot_use_and_a_cluster_does_not() -> None:
    local = {jar.name for jar in class_path(RUNTIME, "local[*]")}
    cluster = {jar.name for jar in class_path(RUNTIME, "k8s://host")}
    assert cluster == {"guard.jar", *(jar.name for jar in RUNTIME.spark_jars)}
    left_out = cluster - local
    assert left_out
    # Every entry of the table leaves something out: one that no longer does is of no use.
    assert all(any(name.startswith(prefix) for name in left_out) for prefix in NOT_FOR_LOCAL)


def test_ours_come_first() -> None:
    assert class_path(RUNTIME, "local[*]")[0].name == "guard.jar"


@pytest.mark.parametrize(("memory", "heap"), [(1 << 30, 1 << 30), (16 << 30, 8 << 30), (256 << 30, 30 << 30)])
def test_the_heap_is_half_of_the_memory_within_bounds(memory: int, heap: int) -> None:
    assert default_heap(memory) == heap
