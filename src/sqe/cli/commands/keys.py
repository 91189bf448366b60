"""`sqe keys`: keys for programs that log in."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path

import click

from sqe.cli.commands.configured import configured
from sqe.cli.commands.entries_file import changing, check_names, with_file, write
from sqe.config.schema import Config
from sqe.errors import UsageError
from sqe.identity.providers.api_key import ApiKey, make_key, read_keys
from sqe.locations import keys_file
from sqe.units import Duration

_HEADER = (
    "# API keys of an SQE server: id:user:sha256:expires:groups:roles:description. Written by `sqe keys`.\n"
)
_LONGEST = Duration("3650d")

_with_file = with_file("file of API keys", "api_key.file")


@click.group("keys", help="The API keys of a server: how programs log in.")
def command() -> None: ...


@command.command(help="Make a key for a user, and print it. It cannot be shown again: only its hash is kept.")
@click.argument("user")
@click.option("--group", "groups", multiple=True, metavar="GROUP", help="A group of the key; repeatable.")
@click.option("--role", "roles", multiple=True, metavar="ROLE", help="A role of the key; repeatable.")
@click.option("--expires", metavar="DURATION", help="How long it is good, such as 90d. Without it: for ever.")
@click.option("--description", default="", metavar="TEXT", help="What it is for.")
@_with_file
@configured
def add(
    config: Config,
    user: str,
    groups: tuple[str, ...],
    roles: tuple[str, ...],
    expires: str | None,
    description: str,
    path: Path | None,
) -> None:
    check_names(user, *groups, *roles)
    file = path or keys_file(config)
    try:
        key, kept = make_key(
            user, expires=_until(expires), groups=groups, roles=roles, description=description.strip()
        )
    except ValueError as error:
        raise UsageError(f"The key cannot be made: {error}.") from None
    with changing(file, "API keys"):
        _write(file, {**_read(file), kept.id: kept})
    # The key alone on standard output, for whoever puts it where it belongs.
    click.echo(f"Added key {kept.id} of {user} in {file}. This is the only time that it is shown:", err=True)
    click.echo(key)


@command.command("list", help="Print the keys: id, user, until when, groups, roles, description.")
@_with_file
@configured
def list_(config: Config, path: Path | None) -> None:
    now = datetime.datetime.now(datetime.UTC)
    for key in sorted(_read(path or keys_file(config)).values(), key=lambda key: (key.user, key.id)):
        names = [
            f"{what} {', '.join(sorted(names))}"
            for what, names in (("groups", key.groups), ("roles", key.roles))
            if names
        ]
        click.echo("  ".join((key.id, key.user, _shown(key, now), *names, key.description)).rstrip())


@command.command(help="Remove a key. A server that runs refuses it, and its tokens, from then on.")
@click.argument("id_", metavar="ID")
@_with_file
@configured
def remove(config: Config, id_: str, path: Path | None) -> None:
    file = path or keys_file(config)
    with changing(file, "API keys"):
        keys = dict(_read(file))
        if id_ not in keys:
            # Not repeated: somebody may have given the key itself.
            raise UsageError(
                f"There is no key with that id in {file}.", hint="`sqe keys list` shows the ids."
            )
        user = keys.pop(id_).user
        _write(file, keys)
    click.echo(f"Removed key {id_} of {user} from {file}.")


def _until(text: str | None) -> datetime.datetime | None:
    if text is None:
        return None
    try:
        seconds = Duration(text)
    except ValueError as error:
        raise UsageError(f"--expires {error}.") from None
    if not 0 < seconds <= _LONGEST:
        raise UsageError(f"--expires is not between 1s and {_LONGEST}.")
    return datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=float(seconds))


def _shown(key: ApiKey, now: datetime.datetime) -> str:
    if key.expires is None:
        return "never expires"
    return f"{'expired' if key.ended(now.timestamp()) else 'until'} {key.expires:%Y-%m-%d %H:%M} UTC"


def _read(file: Path) -> Mapping[str, ApiKey]:
    return read_keys(file)[0] if file.exists() else {}


def _write(file: Path, keys: Mapping[str, ApiKey]) -> None:
    write(file, _HEADER, (key.line() for key in keys.values()))
