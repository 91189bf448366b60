"""Pin Spark settings, each with its reason, and build the settings that the engine starts with.

`engine.settings` cannot change a pinned key, because most of them are pinned for security.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqe.config.schema import Config
from sqe.errors import ConfigError

_LOCAL_CORES = re.compile(r"\[(\*|\d+)(?:\s*,\s*(\d+))?\]")


@dataclass(frozen=True, slots=True)
class Pinned:
    key: str
    value: str
    reason: str


PINNED: tuple[Pinned, ...] = (
    # What a statement means must not depend on a session's whim.
    Pinned("spark.sql.variable.substitute", "false", "'${env:X}' in SQL would read the server's environment"),
    Pinned("spark.sql.caseSensitive", "false", "flipping it changes which table a name means"),
    Pinned("spark.sql.ansi.enabled", "true", "overflow and bad casts are errors, not silent NULLs"),
    Pinned("spark.sql.timeType.enabled", "true", "Trino's SQL has times of the day"),
    Pinned("spark.sql.geospatial.enabled", "true", "Iceberg has geometry and geography"),
    Pinned("spark.sql.ansi.doubleQuotedIdentifiers", "false", "one reading of quotes on the engine's side"),
    Pinned("spark.sql.legacy.ctePrecedencePolicy", "CORRECTED", "an inner CTE hides an outer one"),
    Pinned(
        "spark.sql.legacy.setopsPrecedence.enabled",
        "false",
        "INTERSECT binds before UNION, as in the standard",
    ),
    Pinned(
        "spark.sql.optimizer.excludedRules",
        "org.apache.spark.sql.catalyst.optimizer.PushProjectionThroughUnion",
        "it fails on correlated subqueries; sqe.spark.statements.UnionProjections does its work",
    ),
    Pinned("spark.sql.scripting.enabled", "false", "a statement is one statement"),
    # What a statement can reach.
    Pinned("spark.sql.runSQLOnFiles", "false", "parquet.`/path` would go round every table rule"),
    Pinned(
        "spark.sql.catalogImplementation", "in-memory", "no Hive metastore and no Derby files; Iceberg only"
    ),
    Pinned(
        "spark.sql.extensions",
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,sqe.spark.SqeExtensions",
        "Iceberg's own SQL, and the guard last",
    ),
    Pinned(
        "spark.connect.extensions.relation.classes",
        "sqe.spark.request.GatewayRelations",
        "what the gateway requests besides statements, and nothing else",
    ),
    Pinned(
        "spark.connect.extensions.command.classes",
        "sqe.spark.request.GatewayCommands",
        "what the gateway requests besides statements, and nothing else",
    ),
    Pinned("spark.connect.extensions.expression.classes", "", "no expression comes from outside of SQL"),
    Pinned(
        "spark.sql.artifact.copyFromLocalToFs.allowDestLocal",
        "false",
        "no client writes to the server's disk",
    ),
    Pinned("spark.plugins.defaultList", "", "nothing but what this table names is loaded"),
    # What leaks.
    Pinned("spark.ui.enabled", "false", "the web page shows every user's statements without a login"),
    Pinned("spark.eventLog.enabled", "false", "event logs keep settings and statements on disk"),
    # The web page's lists are kept although there is no page: statements of all users, and tens of kilobytes for each.
    Pinned("spark.sql.ui.retainedExecutions", "20", "SQE does not show statements that have ended"),
    Pinned("spark.ui.retainedJobs", "20", "SQE does not show jobs that have ended"),
    Pinned("spark.ui.retainedStages", "20", "SQE does not show stages that have ended"),
    Pinned("spark.ui.retainedTasks", "1000", "SQE does not show tasks that have ended"),
    Pinned("spark.sql.connect.ui.retainedStatements", "20", "SQE does not show statements that have ended"),
    Pinned("spark.sql.connect.ui.retainedSessions", "20", "SQE does not show sessions that have ended"),
    Pinned(
        "spark.connect.execute.manager.abandonedTombstonesSize",
        "100",
        "whole requests of sessions that have ended, with the rows in them; Spark would keep ten thousand",
    ),
    Pinned(
        "spark.sql.connect.serverStacktrace.enabled", "false", "stack traces are for our log, not for clients"
    ),
    # Who owns what.
    Pinned(
        "spark.hadoop.fs.permissions.umask-mode",
        "077",
        "Hadoop sets the modes of files itself, whatever the umask of the process is",
    ),
    Pinned(
        "spark.connect.session.manager.defaultSessionTimeout",
        "-1",
        "the gateway closes sessions, Spark does not",
    ),
    Pinned("spark.connect.grpc.binding.port", "0", "any free port; the server tells which one it got"),
    Pinned("spark.driver.maxResultSize", "0", "results are streamed, so their sum is no measure of memory"),
    Pinned(
        "spark.sql.execution.topKSortFallbackThreshold",
        "100000",
        "ORDER BY with a larger LIMIT sorts on disk instead of keeping its rows in memory",
    ),
    Pinned("spark.connect.progress.reportInterval", "250ms", "a progress bar that moves"),
    Pinned("spark.log.structuredLogging.enabled", "false", "plain lines in the engine's log"),
    Pinned(
        "spark.connect.execute.reattachable.observerRetryBufferSize",
        "1m",
        "the gateway does not acknowledge each message of a result, so few of them are kept",
    ),
)

# Only for a server of this machine: nothing of it may be reachable from elsewhere.
_LOOPBACK: tuple[Pinned, ...] = (
    Pinned("spark.connect.grpc.binding.address", "127.0.0.1", "only this machine"),
    Pinned("spark.driver.host", "127.0.0.1", "only this machine"),
    Pinned("spark.driver.bindAddress", "127.0.0.1", "only this machine"),
    Pinned("spark.plugins", "sqe.spark.isolation.TaskThreads", "the engine knows whose tasks run where"),
    Pinned(
        "spark.connect.grpc.interceptor.classes",
        "sqe.spark.isolation.AnalysisThreads",
        "the engine knows which threads analyze statements",
    ),
    Pinned(
        "spark.executor.killOnFatalError.depth",
        "0",
        "a task without memory ends its own query, not the engine",
    ),
    Pinned(
        "spark.hadoop.fs.file.impl",
        "sqe.spark.catalog.LocalFiles",
        "Hadoop would start a process for each new file, to set its mode",
    ),
    Pinned("spark.scheduler.mode", "FIFO", "the engine's own scheduler shares the cores among users"),
)

# Only where executors are processes of their own.
_ELSEWHERE: tuple[Pinned, ...] = (
    Pinned("spark.connect.grpc.binding.address", "127.0.0.1", "only this machine"),
    Pinned(
        "spark.plugins",
        "sqe.spark.identity.ControlPlugin",
        "executors learn from it how to ask for what is the user's own",
    ),
    Pinned("spark.scheduler.mode", "FAIR", "a short query is not stuck behind a long one"),
)


def spark_settings(config: Config, *, jars: Sequence[Path], cores: int, scratch: Path) -> Mapping[str, str]:
    """Return the settings that the engine starts with. Those in `engine.settings` override all but pinned ones.

    Args:
        config: the whole configuration.
        jars: the engine's jars besides Spark's own, for executors in other processes.
        cores: of this machine.
        scratch: a private directory for Spark's temporary files.
    """
    engine = config.engine
    pinned = {pin.key: pin.value for pin in PINNED}
    of_master = _LOOPBACK if is_local(engine.master) else _ELSEWHERE
    pinned |= {pin.key: pin.value for pin in of_master}
    for key in engine.settings:
        if key in pinned:
            raise ConfigError(
                f"engine.settings cannot change {key}: SQE pins it to '{pinned[key]}'.",
                hint=next((f"Why: {pin.reason}." for pin in (*PINNED, *of_master) if pin.key == key), None),
            )
    chosen = {
        "spark.app.name": "sqe",
        "spark.master": _spark_master(engine.master, cores),
        "spark.local.dir": str(scratch),
        "spark.sql.warehouse.dir": (scratch / "spark-warehouse").as_uri(),
    }
    given = dict(engine.settings)
    if is_local(engine.master):
        chosen |= speed_settings(cores)
    else:
        # The driver serves them to its executors; the user's own come on top.
        own = [given["spark.jars"]] if given.get("spark.jars") else []
        given["spark.jars"] = ",".join([*(jar.as_uri() for jar in jars), *own])
    if engine.shuffle_partitions is not None:
        chosen["spark.sql.shuffle.partitions"] = str(engine.shuffle_partitions)
    return chosen | given | pinned


def speed_settings(cores: int) -> Mapping[str, str]:
    """Return the settings that make queries on one machine fast; a bare server in a benchmark has the same."""
    return {
        # Spark's default of 200 is made for clusters and dominates the time of a small query.
        "spark.sql.shuffle.partitions": str(cores),
    }


def _spark_master(master: str, cores: int) -> str:
    """Return the master that Spark gets: for a local one, the engine's own scheduler on as many cores."""
    if not is_local(master):
        return master
    chosen = _LOCAL_CORES.search(master)
    if chosen is None:  # as in Spark, `local` alone is one core
        return "local[fair:1]"
    failures = f":{chosen[2]}" if chosen[2] else ""
    return f"local[fair:{cores if chosen[1] == '*' else chosen[1]}{failures}]"


def is_local(master: str) -> bool:
    return master.startswith("local")
