"""Install the Java clients: SQE's JRE, their jars, and the driver of JDBC drivers.

All of it comes through the machinery of the engine itself: pinned, hashed, kept in the same cache.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sqe.config.load import load
from sqe.engine.runtime import guard, lockfile
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.ivy import Ivy
from sqe.engine.runtime.jars import provide_jars
from sqe.engine.runtime.jre import find_jre
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.engine.runtime.report import LogReporter
from sqe.engine.runtime.truststore import provide_truststore

HERE = Path(__file__).parent
SOURCES = HERE / "jdbc"


@dataclass(frozen=True, slots=True)
class JavaClients:
    java: Path
    flight_jdbc: Path
    trino_jdbc: Path
    trino_cli: Path
    driver: Path


def provide_java_clients() -> JavaClients:
    """Find them; fetch and compile what is missing."""
    config, report = load(None, os.environ), LogReporter()
    cache = Cache(config)
    jre = find_jre(config.engine.java_home, os.environ, report)
    ivy = Ivy(
        java=jre.java,
        jar=find_pyspark().ivy,
        settings=config.engine.ivy_settings or HERE / "ivysettings.xml",
        truststore=provide_truststore(config.tls.ca_bundle, os.environ, cache, report),
        environ=os.environ,
    )
    name = guard.jar_name(SOURCES, spark="none", iceberg="none")
    driver = cache.find(name)
    compilers = [jar for jar in lockfile.load() if jar.needed == "compiler"]
    pins = lockfile.load(HERE / "clients.lock.toml")
    wanted = [*pins, *(compilers if driver is None and jre.javac is None else [])]
    found = provide_jars(wanted, cache, ivy, report, offline=config.engine.offline)
    if driver is None:
        compiler = guard.Compiler.of_jdk(jre.javac) if jre.javac else guard.Compiler.ecj(jre, found[-1])
        driver = guard.build(SOURCES, name=name, class_path=(), compiler=compiler, cache=cache, report=report)
    by_artifact = {pin.artifact: path for pin, path in zip(pins, found, strict=False)}
    return JavaClients(
        java=jre.java,
        flight_jdbc=by_artifact["flight-sql-jdbc-driver"],
        trino_jdbc=by_artifact["trino-jdbc"],
        trino_cli=by_artifact["trino-cli"],
        driver=driver,
    )
