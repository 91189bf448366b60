"""The command `sqe users`: manage the users that log in to a server with a password."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from sqe.cli.commands.config_option import config_option
from sqe.cli.commands.entries_file import check_names, locked, with_file, write
from sqe.config.schema import Config
from sqe.errors import UsageError
from sqe.identity.providers.passwords import hash_password
from sqe.identity.providers.users_file import User, read_users
from sqe.locations import users_file

_HEADER = "# Users of an SQE server: name:hash[:group,group]. Written by `sqe users`.\n"

_with_file = with_file("users file", "auth.users_file")


@click.group("users", help="Manage the users file of a server, for logins with a password.")
def command() -> None: ...


@command.command(
    help="Add a user, or change the password of one. The command prompts for it, or reads it from standard input."
)
@click.argument("name")
@click.option("--group", "groups", multiple=True, metavar="GROUP", help="A group of the user; repeatable.")
@_with_file
@config_option
def add(config: Config, name: str, groups: tuple[str, ...], path: Path | None) -> None:
    check_names(name, *groups)
    file = path or users_file(config)
    hashed = hash_password(_password(name))
    with locked(file, "users"):
        users = dict(_read(file))
        verb = "Changed" if name in users else "Added"
        kept = users[name].groups if name in users and not groups else frozenset(groups)
        _write(file, {**users, name: User(name, hashed, kept)})
    click.echo(f"{verb} {name} in {file}.")


@command.command("list", help="Print the users and their groups.")
@_with_file
@config_option
def list_(config: Config, path: Path | None) -> None:
    for user in sorted(_read(path or users_file(config)).values(), key=lambda user: user.name):
        click.echo(f"{user.name}  {', '.join(sorted(user.groups))}".rstrip())


@command.command(help="Remove a user. A running server then refuses the user and their tokens.")
@click.argument("name")
@_with_file
@config_option
def remove(config: Config, name: str, path: Path | None) -> None:
    file = path or users_file(config)
    with locked(file, "users"):
        users = dict(_read(file))
        if name not in users:
            raise UsageError(f"There is no user '{name}' in {file}.")
        del users[name]
        _write(file, users)
    click.echo(f"Removed {name} from {file}.")


def _password(name: str) -> str:
    """Read a password, never from the command line, which other users of the machine can see."""
    if sys.stdin.isatty():
        password = click.prompt(f"Password of {name}", hide_input=True, confirmation_prompt="Again", err=True)
    else:
        password = sys.stdin.readline().removesuffix("\n").removesuffix("\r")
    if not password:
        raise UsageError("The password is empty.")
    return str(password)


def _read(file: Path) -> Mapping[str, User]:
    return read_users(file)[0] if file.exists() else {}


def _write(file: Path, users: Mapping[str, User]) -> None:
    write(file, _HEADER, (user.line() for user in users.values()))
