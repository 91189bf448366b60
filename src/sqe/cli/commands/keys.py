"""The command `sqe keys`: manage the API keys of a server."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from sqe.cli.commands.config_option import config_option
from sqe.cli.commands.entries_file import EntriesFile, check_names, with_file
from sqe.config.schema import Config
from sqe.errors import UsageError
from sqe.identity.providers.api_key import ApiKey, make_key, read_keys
from sqe.locations import keys_file
from sqe.units import Duration

_KEYS = EntriesFile(
    "API keys",
    "API keys of an SQE server: id:user:sha256:expires:groups:roles:description. Written by `sqe keys`.",
    read_keys,
)
_LONGEST = Duration("3650d")

_with_file = with_file("file of API keys", "api_key.file")


@click.group("keys", help="Manage the API keys of a server, with which programs log in.")
def command() -> None: ...


@command.command(help="Create a key for a user, and print it once: the file stores only its hash.")
@click.argument("user")
@click.option("--group", "groups", multiple=True, metavar="GROUP", help="A group of the key; repeatable.")
@click.option("--role", "roles", multiple=True, metavar="ROLE", help="A role of the key; repeatable.")
@click.option("--expires", metavar="DURATION", help="The lifetime of the key, such as 90d. Default: no end.")
@click.option("--description", default="", metavar="TEXT", help="The purpose of the key.")
@_with_file
@config_option
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
        raise UsageError(f"The key cannot be created: {error}.") from None
    with _KEYS.changing(file) as keys:
        keys[kept.id] = kept
    # Standard output has only the key, so that scripts can store it.
    click.echo(f"Added key {kept.id} of {user} in {file}. It is shown only once:", err=True)
    click.echo(key)


@command.command("list", help="Print the keys: id, user, end, groups, roles, description.")
@_with_file
@config_option
def list_(config: Config, path: Path | None) -> None:
    now = datetime.datetime.now(datetime.UTC)
    for key in sorted(_KEYS.entries(path or keys_file(config)).values(), key=lambda key: (key.user, key.id)):
        names = [
            f"{what} {', '.join(sorted(names))}"
            for what, names in (("groups", key.groups), ("roles", key.roles))
            if names
        ]
        click.echo("  ".join((key.id, key.user, _shown(key, now), *names, key.description)).rstrip())


@command.command(help="Remove a key. A running server then refuses the key and its tokens.")
@click.argument("id_", metavar="ID")
@_with_file
@config_option
def remove(config: Config, id_: str, path: Path | None) -> None:
    file = path or keys_file(config)
    with _KEYS.changing(file) as keys:
        if id_ not in keys:
            # The message omits the id: the user may have given the key itself.
            raise UsageError(
                f"There is no key with that id in {file}.", hint="`sqe keys list` shows the ids."
            )
        user = keys.pop(id_).user
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
