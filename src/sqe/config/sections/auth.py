"""`[auth]`: authentication providers and lifetimes of logins."""

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
    """Authentication at the listeners of `sqe server`, and lifetimes of logins.

    SQE asks the providers in order; the first that accepts or refuses the credentials decides.
    """

    providers: Providers = Field(
        default=("anonymous",),
        description="The authentication providers, in order. `oidc_password` passes user and password to the "
        "identity provider; "
        "`bearer_token` checks JSON Web Tokens; `token_exchange` exchanges a token for one of SQE's own client; "
        "`client_credentials_passthrough` takes a program's own id and secret; `client_credentials` runs all "
        "queries as one client; `api_key` and `users_file` read files of keys and of passwords; `mtls` takes the "
        "name in a verified client certificate; `aws_iam` asks AWS whose access key it is; `anonymous` accepts "
        "clients on this machine without credentials.",
    )
    users_file: AbsolutePath | None = Field(
        default=None,
        description="The users and their hashed passwords; `sqe users` writes it. Unset: `users` below `paths.home`.",
    )
    token_lifetime: Duration = Field(
        default=Duration("12h"),
        description="How long a token is valid that a client got for its password.",
        ge=Duration("1min"),
    )
    token_idle: Duration = Field(
        default=Duration("1h"), description="How long it is valid without being used.", ge=Duration("1min")
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
        description="How long SQE keeps a login at the identity provider alive by renewing its tokens.",
        ge=Duration("1min"),
    )
    login_idle: Duration = Field(
        default=Duration("15min"),
        description="How long SQE keeps a login that no session uses.",
        ge=Duration("1s"),
    )
    logins: int = Field(
        default=10_000,
        description="Logins at the same time. One more ends the one that was idle for longest.",
        ge=1,
        le=1_000_000,
    )
    renew_ahead: Duration = Field(
        default=Duration("60s"),
        description="How long before its end SQE renews a user's access token, but at most a third of its life.",
        ge=Duration("1s"),
        le=Duration("1h"),
    )

    @field_validator("providers")
    @classmethod
    def _check_providers(cls, providers: tuple[str, ...]) -> tuple[str, ...]:
        if not providers or len(set(providers)) < len(providers):
            raise ValueError("is empty or names one twice")
        return providers
