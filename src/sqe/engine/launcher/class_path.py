"""Choose the jars on the class path of the engine's JVM, and their order.

A class data archive is only valid for the very class path that it was made with, so the order is fixed and every jar is
named. A local engine leaves out what it can never use: each jar that is opened and checked costs start-up time.
"""

from __future__ import annotations

from pathlib import Path

from sqe.engine.runtime.provision import Runtime
from sqe.engine.settings import is_local

# Prefix of the jar's name -> why a local engine does without it.
NOT_FOR_LOCAL: dict[str, str] = {
    "kubernetes-": "runs executors on Kubernetes",
    "spark-kubernetes": "runs executors on Kubernetes",
    "vertx-": "the Kubernetes client's HTTP library",
    "zjsonpatch": "the Kubernetes client's JSON patches",
    "spark-yarn": "runs executors on YARN",
    "spark-hive": "Hive's metastore, tables and Thrift server; the catalog is Iceberg's",
    "hive-beeline": "a client of Hive's Thrift server",
    "hive-cli": "a client of Hive",
    "hive-jdbc": "a client of Hive",
    "hive-metastore": "Hive's metastore",
    "hive-service": "Hive's Thrift server",
    "hive-shims": "Hive's Hadoop versions",
    "datanucleus-": "Hive's metastore storage",
    "derby": "Hive's metastore database",
    "javax.jdo": "Hive's metastore storage",
    "jdo-api": "Hive's metastore storage",
    "HikariCP": "Hive's metastore connections",
    "jpam": "Hive's password check",
    "libfb303": "Hive's Thrift service",
    "spark-repl": "the Scala shell",
    "scala-compiler": "the Scala shell",
    "jline": "the Scala shell",
    "spark-graphx": "graphs",
    "netty-codec-native-quic": "QUIC",
    "netty-tcnative-boringssl": "native TLS of RPC between executors",
    "leveldbjni": "the history server",
}


def class_path(runtime: Runtime, master: str) -> tuple[Path, ...]:
    spark = runtime.spark_jars
    if is_local(master):
        spark = tuple(jar for jar in spark if not jar.name.startswith(tuple(NOT_FOR_LOCAL)))
    return (*runtime.jars, *spark)
