from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sqe.config.schema import Config
from sqe.engine.runtime import guard
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.jre import Jre
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.errors import SetupError

if TYPE_CHECKING:
    from tests.unit.engine.runtime.conftest import Recorder


@pytest.fixture
def cache(make_config: Callable[..., Config]) -> Cache:
    return Cache(make_config())


@pytest.fixture
def no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has no Java of its own."""
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.delenv("JAVA_HOME", raising=False)


def test_the_java_part_compiles_on_the_bundled_jre_without_a_jdk(
    no_java: None,
    cache: Cache,
    bundled_jre: Jre,
    ecj: Path,
    iceberg: Path,
    aws_bundle: Path,
    recorder: Recorder,
) -> None:
    sources = guard.find_sources()
    name = guard.jar_name(sources, spark="4.1.4", iceberg="1.12.0")
    jar = guard.build(
        sources,
        name=name,
        class_path=(iceberg, aws_bundle, *find_pyspark().jars),
        compiler=guard.Compiler.ecj(bundled_jre, ecj),
        cache=cache,
        report=recorder,
    )
    assert jar == cache.wanted / name
    with zipfile.ZipFile(jar) as archive:
        names = archive.namelist()
        for expected in ("EngineMain", "Events", "SqeExtensions"):
            assert f"sqe/spark/{expected}.class" in names
        assert b"LocalRelation" in archive.read("sqe/kinds/plans.txt")
        # Class file version 61 is Java 17, whatever the JRE that compiled it.
        assert int.from_bytes(archive.read("sqe/spark/EngineMain.class")[6:8]) == 61
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert recorder.finished == 1
    assert list(cache.wanted.glob("work-*")) == []


def make_sources(root: Path, body: str = "") -> Path:
    (root / "sqe").mkdir(parents=True)
    (root / "sqe" / "Hello.java").write_text(
        'package sqe; public class Hello { public static void main(String[] a) { System.out.print("hello"); }'
        f"{body} }}\n",
        encoding="utf-8",
    )
    return root


def build(sources: Path, cache: Cache, compiler: guard.Compiler, recorder: Recorder) -> Path:
    name = guard.jar_name(sources, spark="4.1.4", iceberg="1.12.0")
    return guard.build(sources, name=name, class_path=(), compiler=compiler, cache=cache, report=recorder)


def test_the_jar_runs_and_is_built_once(
    tmp_path: Path, cache: Cache, bundled_jre: Jre, ecj: Path, recorder: Recorder
) -> None:
    sources = make_sources(tmp_path / "with space, 'quotes' and # hash")
    compiler = guard.Compiler.ecj(bundled_jre, ecj)
    jar = build(sources, cache, compiler, recorder)
    run = subprocess.run(
        [bundled_jre.java, "-cp", jar, "sqe.Hello"],
        stdout=subprocess.PIPE,
        check=True,
        timeout=120,
        text=True,
    )
    assert run.stdout == "hello"
    made = jar.read_bytes()
    assert build(sources, cache, guard.Compiler(("/nonexistent/compiler",), ()), recorder) == jar
    jar.unlink()
    assert build(sources, cache, compiler, recorder).read_bytes() == made


def test_a_jdk_compiles_with_its_own_javac(tmp_path: Path, cache: Cache, recorder: Recorder) -> None:
    # Stands in for a JDK, which the machine need not have: checks what it is asked, and writes a class file.
    javac = tmp_path / "javac"
    javac.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, sys\n"
        "words = pathlib.Path(sys.argv[-1].removeprefix('@')).read_text().splitlines()\n"
        "assert words[:2] == ['\"--release\"', '\"17\"'], words\n"
        "target = pathlib.Path(words[words.index('\"-d\"') + 1].strip('\"'))\n"
        "target.mkdir()\n"
        "(target / 'Hello.class').write_bytes(b'class')\n",
        encoding="utf-8",
    )
    javac.chmod(0o755)
    jar = build(make_sources(tmp_path / "src"), cache, guard.Compiler.of_jdk(javac), recorder)
    assert zipfile.ZipFile(jar).namelist() == ["META-INF/MANIFEST.MF", "Hello.class"]


def test_a_compile_error_is_shown_and_kept_in_full(
    tmp_path: Path, cache: Cache, bundled_jre: Jre, ecj: Path, recorder: Recorder
) -> None:
    sources = make_sources(tmp_path / "src", body=" int broken() { return Nowhere.at.all; }")
    with pytest.raises(SetupError, match="does not compile") as raised:
        build(sources, cache, guard.Compiler.ecj(bundled_jre, ecj), recorder)
    assert "Hello.java" in raised.value.message
    assert "Nowhere cannot be resolved" in (raised.value.detail or "")
    assert list(cache.wanted.rglob("*.jar")) == []
    assert recorder.finished == 0


def test_a_compiler_that_cannot_be_started(tmp_path: Path, cache: Cache, recorder: Recorder) -> None:
    with pytest.raises(SetupError, match="cannot be started"):
        build(make_sources(tmp_path / "src"), cache, guard.Compiler(("/nonexistent/javac",), ()), recorder)


def test_the_name_depends_on_all_that_goes_in(tmp_path: Path) -> None:
    sources = make_sources(tmp_path / "src")
    name = guard.jar_name(sources, spark="4.1.4", iceberg="1.12.0")
    assert name == guard.jar_name(sources, spark="4.1.4", iceberg="1.12.0")
    others = [
        guard.jar_name(sources, spark="4.1.5", iceberg="1.12.0"),
        guard.jar_name(sources, spark="4.1.4", iceberg="1.13.0"),
        guard.jar_name(make_sources(tmp_path / "other", body=" int x;"), spark="4.1.4", iceberg="1.12.0"),
    ]
    (sources / "sqe" / "Hello.java").rename(sources / "sqe" / "Moved.java")
    others.append(guard.jar_name(sources, spark="4.1.4", iceberg="1.12.0"))
    for content in ("a allow", "a refuse"):
        (tmp_path / "resources").mkdir(exist_ok=True)
        (tmp_path / "resources" / "list.txt").write_text(content)
        others.append(guard.jar_name(sources, spark="4.1.4", iceberg="1.12.0"))
    assert len({name, *others}) == 7
