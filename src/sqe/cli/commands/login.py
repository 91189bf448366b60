"""The commands `sqe login`, `sqe logout`, `sqe token` and `sqe whoami` for a login at the identity provider.

The tokens are in a file that only the user can read. The gateway of the user's shells sends them to catalogs that
require a login, and renews them; `sqe token` prints the access token for other programs.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

import click

from sqe.cli.commands.config_option import config_option
from sqe.cli.execution.console import Console
from sqe.cli.execution.progress import REDRAW_SECONDS, ProgressLine
from sqe.cli.output.escape import visible
from sqe.config.schema import Config
from sqe.errors import AuthenticationError, ConfigError, IdentityProviderError, UsageError
from sqe.locations import locate

# The client of the identity provider takes too long to load for `sqe --help`.
if TYPE_CHECKING:
    from sqe.identity.logins.login_file import LoginFile, SavedLogin
    from sqe.identity.logins.token_set import Tokens
    from sqe.identity.oidc.client import OidcClient

_PASSWORD = "oidc_password"  # noqa: S105 - the provider's name


@click.command(
    help="Log in at the identity provider of [oidc], for catalogs that require a login. The command prints an address "
    "and a code: open the address in any browser, on any machine, and confirm the code. The login is stored in a file "
    "that only you can read, is renewed while it is used, and ends with `sqe logout`."
)
@click.option("--browser", is_flag=True, help="Open the address in a browser on this machine.")
@click.option(
    "--password", "ask", is_flag=True, help="Log in with a password instead; the command prompts for it."
)
@click.option("--password-stdin", "read", is_flag=True, help="Log in with a password from standard input.")
@click.option("--user", metavar="NAME", help="The user of --password. Default: prompt for it.")
@config_option
def login(config: Config, browser: bool, ask: bool, read: bool, user: str | None) -> None:
    by_password = ask or read
    if by_password and browser:
        raise UsageError("--browser cannot be combined with a password.")
    if user is not None and not by_password:
        raise UsageError("--user requires --password or --password-stdin.")
    file = _file(config)
    with _identity_provider(config) as client:
        from sqe.identity.logins.login_file import saved_login
        from sqe.identity.oidc.device_code import PROVIDER

        tokens = (
            _by_password(client, user, read=read) if by_password else _by_browser(client, open_it=browser)
        )
        kept = saved_login(client, _PASSWORD if by_password else PROVIDER, tokens)
    with file.locked():
        file.write(kept)
    click.echo(f"Logged in as {visible(kept.principal.user)}, {_until(kept)}.")


@click.command(help="End the login of `sqe login`, here and at the identity provider.")
@config_option
def logout(config: Config) -> None:
    file = _file(config)
    with file.locked():
        try:
            kept = file.read()
        finally:
            file.remove()  # even if it cannot be read: shells have no login from here on
    if kept is None:
        click.echo("You were not logged in.")
        return
    user, ended = visible(kept.principal.user), False
    if kept.issuer == config.oidc.issuer:
        try:
            with _identity_provider(config) as client:
                ended = client.revoke(kept.tokens)
        except AuthenticationError as error:
            raise type(error)(
                f"{user} is logged out on this machine, but maybe not at the identity provider: {error.message}",
                hint=error.hint,
            ) from error
    click.echo(f"Logged out {user}{'' if ended else ' on this machine only'}.")


@click.command(
    help="Print the access token of `sqe login`, renewed when it is about to end: "
    'trino --access-token "$(sqe token)". Anyone with the token can act as you until it ends.'
)
@config_option
def token(config: Config) -> None:
    kept = _current(config)
    click.echo(kept.tokens.access)


@click.command(help="Print the user that is logged in, the identity provider, and when the login ends.")
@config_option
def whoami(config: Config) -> None:
    kept = _file(config).read()
    if kept is None or kept.is_over(time.time()):
        raise _not_logged_in(kept)
    person = kept.principal
    rows = [
        ("User", person.user),
        ("Mail", person.email or ""),
        ("Groups", ", ".join(sorted(person.groups))),
        ("Roles", ", ".join(sorted(person.roles))),
        ("At", kept.issuer),
        ("Until", _until(kept).removeprefix("until ")),
    ]
    for label, text in rows:
        if text:
            click.echo(f"{label:<8}{visible(text)}")


def _current(config: Config) -> SavedLogin:
    """Return the login, renewed if it is about to end. Raises AuthenticationError."""
    file = _file(config)
    kept = file.read()
    if kept is None:
        raise _not_logged_in(kept)
    with _identity_provider(config) as client:
        if kept.issuer != client.issuer:
            raise AuthenticationError(
                f"The login is for {visible(kept.issuer)}, and oidc.issuer is {client.issuer}.",
                hint="Run `sqe login`.",
            )
        left = kept.tokens.expires_at - time.time()
        if left > float(config.auth.renew_ahead):
            return kept
        try:
            return file.renewed(client, kept)
        except IdentityProviderError:
            if left > 0:
                return kept  # still valid
            raise


def _by_browser(client: OidcClient, *, open_it: bool) -> Tokens:
    from sqe.identity.oidc.device_code import wait_for_tokens

    device = client.device_authorization()
    click.echo(f"Open {visible(device.verification_uri)} in a browser, and enter the code")
    click.echo(f"\n    {visible(device.user_code)}\n")
    if device.verification_uri_complete is not None:
        click.echo(
            f"or open {visible(device.verification_uri_complete)}, and check that the code is the same."
        )
    sys.stdout.flush()
    if open_it:
        _open(device.verification_uri_complete or device.verification_uri)
    line = ProgressLine(Console.of_process(os.environ, interactive=False))

    def wait(seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            line.update("waiting for you to log in", None)
            time.sleep(min(REDRAW_SECONDS, left))

    try:
        return wait_for_tokens(client, device, wait)
    finally:
        line.stop()


def _open(address: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
        click.echo("No browser was found: open the address yourself.", err=True)


def _by_password(client: OidcClient, user: str | None, *, read: bool) -> Tokens:
    """Log in with a password, never from the command line, which other users of the machine can see."""
    if read:
        if user is None:
            raise UsageError("--password-stdin needs --user.")
        password = sys.stdin.readline().removesuffix("\n").removesuffix("\r")
    else:
        if not sys.stdin.isatty():
            raise UsageError(
                "Prompting for a password needs a terminal.", hint="Use --password-stdin, or a browser."
            )
        user = user or click.prompt("User", err=True)
        password = click.prompt(f"Password of {user}", hide_input=True, err=True)
    if not password:
        raise UsageError("The password is empty.")
    return client.password(str(user), str(password))


@contextmanager
def _identity_provider(config: Config) -> Iterator[OidcClient]:
    """Yield a client of the identity provider; its errors show details that a server would only log."""
    if config.oidc.issuer is None:
        raise ConfigError(
            "oidc.issuer is not set.", hint="Set it to your identity provider in [oidc] of the configuration."
        )
    from sqe.identity.oidc.client import oidc_client

    client = oidc_client(config)
    try:
        yield client
    except AuthenticationError as error:
        if error.detail is None:
            raise
        reason = visible(error.detail)
        hint = f"{error.hint} ({reason})" if error.hint else f"{reason[:1].upper()}{reason[1:]}."
        raise type(error)(error.message, hint=hint) from error
    finally:
        client.close()


def _file(config: Config) -> LoginFile:
    from sqe.identity.logins.login_file import LoginFile

    return LoginFile(locate(config).login)


def _not_logged_in(kept: SavedLogin | None) -> AuthenticationError:
    if kept is None:
        return AuthenticationError("You are not logged in.", hint="Run `sqe login`.")
    return AuthenticationError(
        f"The login of {visible(kept.principal.user)} has ended.", hint="Run `sqe login`."
    )


def _until(kept: SavedLogin) -> str:
    tokens = kept.tokens
    if tokens.refresh is None:
        return f"until {_time(tokens.expires_at)}"
    if tokens.refresh_expires_at is None:
        return "until the identity provider ends it"
    return f"until {_time(tokens.refresh_expires_at)}, or longer if it is used before"


def _time(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M %Z").rstrip()
