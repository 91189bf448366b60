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
    from sqe.server.listeners import OpenListener


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
    from sqe.server.listeners import Listeners

    listeners = Listeners(config)  # clients can connect from here on; what follows takes longer to load
    from sqe.cli.client.gateway import gateway_directory
    from sqe.server.network_server import serve
    from sqe.server.process import end_process

    # The directory is that of the configuration as given, so that shells with the same configuration find it.
    serve(config, gateway_directory(config), listeners, _print_listeners)
    end_process(exit_codes.OK)


def _print_listeners(listeners: Sequence[OpenListener]) -> None:
    """Print one line for each listener: its name, its address, and how to point a client at it."""
    for listener in listeners:
        click.echo(f"{listener.name:<8} {listener.url:<36} {listener.hint}".rstrip())
    sys.stdout.flush()
