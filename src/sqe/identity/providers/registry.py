"""Build the providers that `auth.providers` names, in that order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from sqe.config.consistency import inconsistencies
from sqe.config.load import refuse
from sqe.config.schema import Config
from sqe.errors import ConfigError
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.logins.store import Logins
from sqe.identity.provider_http import provider_http_client
from sqe.identity.providers.anonymous import Anonymous
from sqe.identity.providers.api_key import ApiKeys
from sqe.identity.providers.aws_iam import AwsIam
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.identity.providers.mtls import Mtls
from sqe.identity.providers.provider import Provider
from sqe.identity.providers.users_file import UsersFile
from sqe.locations import keys_file, users_file

# What speaks to identity providers is loaded when there is one: it takes a good part of a second.
if TYPE_CHECKING:
    from sqe.identity.logins.oidc_login import OidcLogins
    from sqe.identity.oidc.client import OidcClient

_NEEDS_ISSUER = (
    "oidc_password",
    "bearer_token",
    "token_exchange",
    "client_credentials_passthrough",
    "client_credentials",
)

# Each decides about all of its kind that reach it, so that another behind it would never be asked.
_TAKE_ALL = {
    "password": ("users_file", "oidc_password", "client_credentials_passthrough"),
    "token": ("token_exchange",),
    "client without credentials": ("client_credentials",),
}
_TAKE = {
    "password": _TAKE_ALL["password"],
    "token": ("bearer_token", "token_exchange"),
    "client without credentials": ("client_credentials", "anonymous"),
}


@dataclass(frozen=True, slots=True)
class Providers:
    providers: tuple[Provider, ...]
    oidc: OidcClient | None  # also for logins in a browser; None: there is no identity provider
    _files: tuple[Callable[[], None], ...] = ()
    _close: ExitStack = field(default_factory=ExitStack)

    def refresh(self) -> None:
        """Read files again that have changed."""
        for refresh in self._files:
            refresh()

    def close(self) -> None:
        self._close.close()


def make_providers(
    config: Config, logins: Logins, session_tokens: SessionTokens, failed_logins: FailedLogins | None = None
) -> Providers:
    """Build them all, without a request to anything.

    Args:
        config: all settings.
        logins: where those who have tokens are kept.
        session_tokens: ours, which end with the users and keys in files.
        failed_logins: counts failed logins; without it they are counted as `[rate_limit]` says.

    Raises:
        ConfigError: a setting is missing, or the providers do not go together.
    """
    refuse(inconsistencies(config))
    names = config.auth.providers
    _check_order(names)
    if failed_logins is None:
        failed_logins = FailedLogins(
            per_user=config.rate_limit.failed_logins_per_user,
            per_address=config.rate_limit.failed_logins_per_address,
        )
    recheck_after = float(config.auth.recheck_after)
    with ExitStack() as close:
        client = _oidc(config, close)
        files: list[Callable[[], None]] = []
        made: list[Provider] = []
        for name in names:
            if name in _NEEDS_ISSUER:
                assert client is not None
                from sqe.identity.logins.oidc_login import OidcLogins

                oidc = OidcLogins(client, logins, recheck_after)
                made.append(_oidc_provider(name, oidc, failed_logins, exchange="token_exchange" in names))
                continue
            provider: Provider
            match name:
                case "users_file":
                    provider = users = UsersFile(
                        users_file(config),
                        lambda gone: session_tokens.revoke_users(UsersFile.name, gone),
                        failed_logins,
                        recheck_after,
                    )
                    files.append(users.refresh)
                case "api_key":
                    provider = keys = ApiKeys(
                        keys_file(config), lambda gone: session_tokens.revoke_subjects(ApiKeys.name, gone)
                    )
                    files.append(keys.refresh)
                case "mtls":
                    provider = Mtls(groups_from_ou=config.mtls.groups_from_ou)
                case "aws_iam":
                    provider = aws = _aws_iam(config, failed_logins)
                    close.callback(aws.close)
                case "anonymous":
                    provider = Anonymous(any_name=names == ("anonymous",))
                case _:
                    raise ConfigError(f"auth.providers: there is no provider {name}.")
            made.append(provider)
        return Providers(tuple(made), client, tuple(files), close.pop_all())


def _check_order(names: Sequence[str]) -> None:
    for kind, takers in _TAKE.items():
        all_taken_by: str | None = None
        for name in names:
            if name in takers and all_taken_by is not None:
                raise ConfigError(
                    f"auth.providers: {name} would never be asked, since {all_taken_by} before it takes every {kind}.",
                    hint=f"Leave one of them out, or put {all_taken_by} last.",
                )
            if name in _TAKE_ALL[kind]:
                all_taken_by = name


def _oidc(config: Config, close: ExitStack) -> OidcClient | None:
    if not config.oidc.external and not any(name in _NEEDS_ISSUER for name in config.auth.providers):
        return None
    from sqe.identity.oidc.client import oidc_client

    client = oidc_client(config)
    close.callback(client.close)
    return client


def _oidc_provider(name: str, oidc: OidcLogins, failed_logins: FailedLogins, *, exchange: bool) -> Provider:
    from sqe.identity.providers.bearer_token import BearerToken
    from sqe.identity.providers.client_credentials import ClientCredentials, ClientCredentialsPassthrough
    from sqe.identity.providers.oidc_password import OidcPassword
    from sqe.identity.providers.token_exchange import TokenExchange

    makers: dict[str, Callable[[], Provider]] = {
        "oidc_password": lambda: OidcPassword(oidc, failed_logins),
        "bearer_token": lambda: BearerToken(oidc.client, oidc.logins, own_only=exchange),
        "token_exchange": lambda: TokenExchange(oidc, failed_logins),
        "client_credentials_passthrough": lambda: ClientCredentialsPassthrough(oidc, failed_logins),
        "client_credentials": lambda: ClientCredentials(oidc),
    }
    return makers[name]()


def _aws_iam(config: Config, failed_logins: FailedLogins) -> AwsIam:
    timeout, ca_bundle = float(config.oidc.timeout), config.tls.ca_bundle
    web = partial(provider_http_client, timeout, ca_bundle)
    aws = config.aws_iam
    recheck_after = float(config.auth.recheck_after)
    return AwsIam(web, aws.users, aws.region, aws.sts_endpoint, failed_logins, recheck_after=recheck_after)
