"""The command `sqe config`: check a configuration file, show the effective settings, print the reference page."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from sqe.config.load import examine, resolve
from sqe.config.schema import known_keys
from sqe.config.sources import is_secret, variable


@click.group("config")
def command() -> None:
    """Check and show the configuration."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check FILE, and list all problems, including settings that `sqe server` would refuse.

    Of the environment only secrets count: other variables may differ on the machine where the file is used.
    """
    from sqe.production import server_problems

    counted = {"HOME", *(variable(key) for key, field in known_keys().items() if is_secret(field))}
    resolved, problems = examine(file, {name: os.environ[name] for name in counted & os.environ.keys()})
    if resolved is not None:
        problems = server_problems(resolved.config)
    for problem in problems:
        click.echo(str(problem), err=True)
    if problems:
        sys.exit(1)
    click.echo(f"{file}: no problems.")


@command.command()
@click.option("--config", "file", type=click.Path(path_type=Path), help="The configuration file.")
@click.option("--origin", is_flag=True, help="Print the origin of each value.")
@click.pass_context
def show(context: click.Context, file: Path | None, origin: bool) -> None:
    """Print the effective configuration as TOML; secrets are hidden."""
    outer = context.find_root().obj or {}  # `sqe --config FILE config show` means the same
    resolved = resolve(file or outer.get("config_file"), os.environ)
    click.echo(resolved.config.to_toml(origins=resolved.origins if origin else None), nl=False)


@command.command()
def reference() -> None:
    """Print the reference of all settings, as Markdown."""
    from sqe.reference import configuration_page

    click.echo(configuration_page(), nl=False)
