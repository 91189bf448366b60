"""Compile and run the JUnit tests of the Java part: `python -m tests.support.java_tests [OPTIONS OF JUNIT]`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from testing.command import QUICK_JAVA
from tests.support.class_data import archive_options, path_with_archive

from sqe.config.load import load
from sqe.engine.launcher.command import JvmPlan
from sqe.engine.runtime import guard, lockfile
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.ivy import Ivy
from sqe.engine.runtime.jars import provide_jars
from sqe.engine.runtime.jre import find_jre
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.engine.runtime.report import LogReporter
from sqe.engine.runtime.truststore import provide_truststore

TESTS = guard.find_sources().parents[1] / "test"
LOCK = TESTS / "test.lock.toml"
IVY_SETTINGS = Path(__file__).parents[1] / "conformance" / "ivysettings.xml"
_HEAP = 768 << 20


def plan() -> tuple[JvmPlan, Path]:
    """Return a JVM with JUnit, the tests and the Java part on its class path, and the jar of the tests."""
    config, report = load(None, os.environ), LogReporter()
    runtime = provide(config, report)
    cache = Cache(config)
    jre = find_jre(config.engine.java_home, os.environ, report)
    ivy = Ivy(
        java=jre.java,
        jar=find_pyspark().ivy,
        settings=config.engine.ivy_settings or IVY_SETTINGS,
        truststore=provide_truststore(config.tls.ca_bundle, os.environ, cache, report),
        environ=os.environ,
    )
    pins = (*lockfile.load(LOCK), *(jar for jar in lockfile.load() if jar.needed == "compiler"))
    junit, ecj = provide_jars(pins, cache, ivy, report, offline=config.engine.offline)
    class_path = (junit, *runtime.jars, *runtime.spark_jars)
    tests = guard.build(
        TESTS / "java",
        # Of the Java part too: constants of its classes are compiled into those of the tests.
        name=guard.jar_name(TESTS / "java", spark=runtime.jars[0].stem, iceberg=junit.stem),
        class_path=class_path,
        compiler=guard.Compiler.of_jdk(jre.javac) if jre.javac else guard.Compiler.ecj(jre, ecj),
        cache=cache,
        report=report,
    )
    return JvmPlan(runtime, path_with_archive(runtime, junit, tests), _HEAP), tests


def run(*options: str) -> int:
    """Run the tests, and return the exit code of JUnit: 0 if all have passed and there are any."""
    jvm, tests = plan()
    with tempfile.TemporaryDirectory() as work:
        command = jvm.command(
            Path(work) / "arguments",
            [
                *QUICK_JAVA,
                *archive_options(jvm.runtime),
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                f"--scan-class-path={tests}",
                "--fail-if-no-tests",
                "--disable-banner",
                *(options or ("--details=summary",)),
            ],
        )
        # Spark would otherwise look up the host's name, and say so.
        environ = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
        return subprocess.run(command, check=False, timeout=600, env=environ).returncode


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]))
