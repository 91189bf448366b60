"""`sqe server`: the gateway in the foreground, as a service manager wants it."""

from __future__ import annotations

import logging
import sys

import click

from sqe.cli.configured import configured
from sqe.config import Config


@click.command(
    help="Run the gateway in the foreground until it is told to stop (SIGTERM drains running queries). "
    "It is the same process that the shell starts in the background, and it serves the shells of this user."
)
@click.option("--keep", is_flag=True, help="Never end by itself, whatever engine.idle_timeout says.")
@configured
def command(config: Config, keep: bool) -> None:
    from sqe.cli.gateway import gateway_directory
    from sqe.server import serve

    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)-5s %(name)s: %(message)s"
    )
    # The directory is that of the configuration as given, so that shells with the same configuration find it.
    directory = gateway_directory(config)
    serve(config, directory, keep=keep)
