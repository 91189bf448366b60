"""The commands `sqe engine status|stop` for the gateways and engines of this user."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from sqe.cli.client.gateway import gateway_directory, is_alive, open_connection, stop_gateway
from sqe.cli.commands.config_option import config_option
from sqe.config.schema import Config
from sqe.errors import GatewayError, SqeError
from sqe.frontends.flight import wire
from sqe.locations import locate


@click.group(help="Show and stop the engines that run in the background for you.")
def command() -> None: ...


@command.command(help="Show every gateway of this user, and its engine.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each gateway.")
@config_option
def status(config: Config, as_json: bool) -> None:
    own = gateway_directory(config)
    found = [_describe(directory, directory == own) for directory in _gateways(config)]
    if as_json:
        for gateway in found:
            click.echo(json.dumps(gateway))
    elif not found:
        click.echo("No engine is running.")
    for gateway in () if as_json else found:
        click.echo(_text(gateway))


@command.command(help="Stop the gateway that this configuration uses, and its engine.")
@click.option("--all", "everything", is_flag=True, help="Stop every gateway of this user.")
@click.option(
    "--drain",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    metavar="SECONDS",
    help="Let running queries end within this time before they are canceled.",
)
@config_option
def stop(config: Config, everything: bool, drain: float) -> None:
    own = gateway_directory(config)
    stopped = 0
    for directory in _gateways(config):
        if everything or directory == own:
            stop_gateway(directory, drain)
            stopped += 1
    click.echo(
        f"Stopped {stopped} engine{'s' if stopped != 1 else ''}." if stopped else "No engine was running."
    )


def _gateways(config: Config) -> Iterator[Path]:
    """Yield the run directories of running gateways; remove those of others."""
    for directory in sorted(locate(config).run.iterdir()):
        if is_alive(directory):
            yield directory
        elif directory != gateway_directory(config):
            shutil.rmtree(directory, ignore_errors=True)


def _describe(directory: Path, own: bool) -> dict[str, Any]:
    try:
        connection = open_connection(directory)
        if connection is None:
            raise GatewayError("The gateway does not listen yet, or has ended.")
        answer = connection.ask(wire.GATEWAY_STATUS, {}, seconds=5)
        connection.close()
    except SqeError as error:
        answer = {"engine": "unreachable", "note": error.message}
    return {"id": directory.name, "own": own, **answer}


def _text(gateway: dict[str, Any]) -> str:
    lines = [f"gateway {gateway['id']}{'  (this configuration)' if gateway['own'] else ''}"]
    engine = gateway["engine"] + (f": {gateway['note']}" if gateway.get("note") else "")
    lines.append(f"  engine    {engine}")
    if "pid" in gateway:
        left = max(0.0, gateway["idle_timeout"] - gateway["idle"])
        lines += [
            f"  processes gateway {gateway['pid']}, engine {gateway['engine_pid'] or '-'}; up {gateway['up']:.0f} s",
            f"  in use    {gateway['sessions']} sessions, {gateway['running']} queries running,"
            f" {gateway['waiting']} waiting"
            + (f"; ends by itself in {left:.0f} s" if not gateway["sessions"] else ""),
            f"  logs      {gateway['logs']}",
        ]
    return "\n".join(lines)
