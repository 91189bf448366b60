"""Open a session from the command line's options: configuration, catalogs, connection."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqe.catalogs import catalogs_of
from sqe.cli.client.background_connection import BackgroundConnection
from sqe.cli.client.connection import Connection
from sqe.cli.execution.batch import Source, run_batch
from sqe.cli.execution.console import Console, Display
from sqe.cli.execution.interpreter import Interpreter
from sqe.cli.execution.runner import Runner
from sqe.config.load import load
from sqe.config.schema import Config
from sqe.errors import UsageError
from sqe.model.session import DEFAULT_CATALOG, Catalog, SessionSpec, WarehouseCatalog


@dataclass(frozen=True, slots=True)
class Session:
    config: Config
    spec: SessionSpec
    runner: Runner
    interpreter: Interpreter


def open_session(options: Mapping[str, Any], *, interactive: bool) -> Session:
    """Read the configuration and start to connect. Raises SqeError."""
    flags = {
        "shell.format": options["format_"],
        "shell.timer": options["timer"] or None,
        "shell.null": options["null"],
    }
    config = load(
        options["config_file"], os.environ, {key: value for key, value in flags.items() if value is not None}
    )
    spec = session_spec(config, options["warehouse"], options["memory"], options["catalog"])
    console = Console.of_process(os.environ, interactive=interactive)
    display = Display(
        format=config.shell.format,
        null=config.shell.null,
        data_null=options["null"],
        header=not options["no_header"],
        timer=config.shell.timer,
        pager=config.shell.pager,
        max_width=config.shell.max_width,
    )
    connection = BackgroundConnection(lambda on_wait: _connect(config, spec, on_wait))
    connection.start()
    runner = Runner(connection, display, console)
    return Session(config, spec, runner, Interpreter(runner, spec, stop_on_error=options["stop_on_error"]))


def run_session(session: Session, sources: Sequence[Source] | None) -> int:
    """Run the sources, or the interactive shell if there are none, and return the exit code."""
    try:
        if sources is not None:
            return run_batch(session.interpreter, sources)
        from sqe.cli.shell.shell import Shell

        return Shell(session.config, session.spec, session.runner, session.interpreter).run()
    finally:
        session.runner.connection.close()


def session_spec(
    config: Config, warehouse: Path | None, memory: bool, catalogs: Sequence[str]
) -> SessionSpec:
    """Decide on the session's catalogs: those of the flags, and the configured ones with other names.

    Raises:
        UsageError: the flags contradict each other.
    """
    if warehouse is not None and memory:
        raise UsageError("--warehouse and --memory cannot be combined.")
    first: list[Catalog] = []
    if warehouse is not None or memory:
        first = [WarehouseCatalog(DEFAULT_CATALOG, _absolute(warehouse) if warehouse else None)]
    more = [WarehouseCatalog(name, _absolute(path)) for name, path in map(catalog_option, catalogs)]
    # A flag overrides the file. Without configured catalogs, a flag with the default's name is an error.
    taken = {catalog.name.lower() for catalog in (*first, *(more if config.catalogs else ()))}
    configured = [catalog for catalog in catalogs_of(config) if catalog.name not in taken]
    return SessionSpec((*first, *configured, *more), directory=Path.cwd())


def catalog_option(text: str) -> tuple[str, Path]:
    """Parse `NAME=PATH`. Raises UsageError."""
    name, equals, path = text.partition("=")
    if not equals or not name or not path:
        raise UsageError(f"--catalog {text} is not NAME=PATH.", hint="For example: --catalog lake=/data/lake")
    return name, Path(path)


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


def _connect(config: Config, spec: SessionSpec, on_wait: Callable[[str], None]) -> Connection:
    from sqe.cli.client.gateway import connect

    connection: Connection = connect(config, spec, on_wait=on_wait)
    return connection
