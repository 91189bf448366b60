"""The command `sqe server`: run the gateway in the foreground, for a service manager."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from sqe.cli import exit_codes
from sqe.cli.commands.config_option import config_option
from sqe.config.schema import Config

if TYPE_CHECKING:
    from sqe.doors import OpenDoor


@click.command(
    help="Run a server: Flight SQL, Trino's protocol, metrics and health probes, as configured in [server] and [auth]. "
    "It also serves the shells of this user that have the same configuration. On SIGTERM the server lets running "
    "queries end; on SIGHUP it reads certificates and users again."
)
@config_option
def command(config: Config) -> None:
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)-5s %(name)s: %(message)s"
    )
    from sqe.doors import Doors

    doors = Doors(config)  # clients can connect from here on; what follows takes longer to load
    from sqe.cli.client.gateway import gateway_directory
    from sqe.server import end_process, serve

    # The run directory of this configuration, so that shells with the same configuration find the gateway.
    serve(config, gateway_directory(config), doors, _print_endpoints)
    end_process(exit_codes.OK)


def _print_endpoints(doors: Sequence[OpenDoor]) -> None:
    """Print a line for each endpoint: its name, its address, and how a client connects."""
    for door in doors:
        click.echo(f"{door.name:<8} {door.url:<36} {door.hint}".rstrip())
    sys.stdout.flush()
