"""`[auth]`: who may come in, and how long a login lasts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from sqe.config.fields import AbsolutePath, Section, as_list
from sqe.units import Duration

ProviderName = Literal[
    "oidc_password",
    "bearer_token",
    "token_exchange",
    "client_credentials_passthrough",
    "client_credentials",
    "api_key",
    "mtls",
    "aws_iam",
    "users_file",
    "anonymous",
]
Providers = Annotated[tuple[ProviderName, ...], BeforeValidator(as_list)]


class AuthConfig(Section):
    """Who may come in at the listeners of `sqe server`, and how long a login lasts.

    The providers are asked in order; the first that accepts or refuses the credentials ends the search.
    """

    providers: Providers = Field(
        default=("anonymous",),
        description="Who is asked, in this order. `oidc_password` hands user and password to the identity provider; "
        "`bearer_token` checks JSON Web Tokens; `token_exchange` exchanges a token for one of SQE's own client; "
        "`client_credentials_passthrough` takes a program's own id and secret; `client_credentials` runs everything "
        "as one client; `api_key` and `users_file` know files of keys and of passwords; `mtls` takes the name in a "
        "verified client certificate; `aws_iam` asks AWS whose access key it is; `anonymous` lets clients on this "
        "machine in without any credentials.",
    )
    users_file: AbsolutePath | None = Field(
        default=None,
        description="The users and their hashed passwords; `sqe users` writes it. Unset: `users` below `paths.home`.",
    )
    token_lifetime: Duration = Field(
        default=Duration("12h"),
        description="How long a token is good that a client got for its password.",
        ge=Duration("1min"),
    )
    token_idle: Duration = Field(
        default=Duration("1h"), description="How long it is good without being used.", ge=Duration("1min")
    )
    recheck_after: Duration = Field(
        default=Duration("5min"),
        description="How long a password or key that was right is accepted without another check: of its hash, by "
        "the identity provider, or by AWS.",
        ge=Duration("1s"),
        le=Duration("1h"),
    )
    login_lifetime: Duration = Field(
        default=Duration("8h"),
        description="How long a login at the identity provider is kept alive by renewing its tokens.",
        ge=Duration("1min"),
    )
    login_idle: Duration = Field(
        default=Duration("15min"),
        description="How long a login is kept when no session uses it.",
        ge=Duration("1s"),
    )
    logins: int = Field(
        default=10_000,
        description="Logins that are kept at the same time. One more ends the one that was idle for longest.",
        ge=1,
        le=1_000_000,
    )
    renew_ahead: Duration = Field(
        default=Duration("60s"),
        description="How long before its end a user's access token is renewed, but at most a third of its life.",
        ge=Duration("1s"),
        le=Duration("1h"),
    )

    @field_validator("providers")
    @classmethod
    def _check_providers(cls, providers: tuple[str, ...]) -> tuple[str, ...]:
        if not providers or len(set(providers)) < len(providers):
            raise ValueError("is empty or names one twice")
        return providers
