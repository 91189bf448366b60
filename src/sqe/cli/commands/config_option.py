"""The option --config of subcommands: `sqe --config FILE engine stop` or `sqe engine stop --config FILE`."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sqe.config.load import load


def config_option(function: Callable[..., None]) -> Callable[..., None]:
    """Add the option --config to a command, and pass the Config to its function as the first argument."""

    @click.option(
        "--config",
        "config_file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The configuration file.",
    )
    @click.pass_context
    @functools.wraps(function)
    def command(context: click.Context, /, config_file: Path | None, **options: Any) -> None:
        outer = context.find_root().obj or {}
        function(load(config_file or outer.get("config_file"), os.environ), **options)

    return command
