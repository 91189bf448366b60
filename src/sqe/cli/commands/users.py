"""The command `sqe users`: manage the users that log in to a server with a password."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from sqe.cli.commands.config_option import config_option
from sqe.cli.commands.entries_file import EntriesFile, check_names, with_file
from sqe.config.schema import Config
from sqe.errors import UsageError
from sqe.identity.providers.passwords import hash_password
from sqe.identity.providers.users_file import User, read_users
from sqe.locations import users_file

_USERS = EntriesFile(
    "users", "Users of an SQE server: name:hash[:group,group]. Written by `sqe users`.", read_users
)

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
    with _USERS.changing(file) as users:
        verb = "Changed" if name in users else "Added"
        kept = users[name].groups if name in users and not groups else frozenset(groups)
        users[name] = User(name, hashed, kept)
    click.echo(f"{verb} {name} in {file}.")


@command.command("list", help="Print the users and their groups.")
@_with_file
@config_option
def list_(config: Config, path: Path | None) -> None:
    for user in sorted(_USERS.entries(path or users_file(config)).values(), key=lambda user: user.name):
        click.echo(f"{user.name}  {', '.join(sorted(user.groups))}".rstrip())


@command.command(help="Remove a user. A running server then refuses the user and their tokens.")
@click.argument("name")
@_with_file
@config_option
def remove(config: Config, name: str, path: Path | None) -> None:
    file = path or users_file(config)
    with _USERS.changing(file) as users:
        if name not in users:
            raise UsageError(f"There is no user '{name}' in {file}.")
        del users[name]
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
