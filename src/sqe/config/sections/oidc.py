"""`[oidc]`: the identity provider."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from sqe.config.fields import Section, Texts, Url, as_list
from sqe.units import Duration, Secret

# Signatures with a private key only: a service that checks a token must not be able to sign one.
Algorithm = Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
Algorithms = Annotated[tuple[Algorithm, ...], BeforeValidator(as_list)]


class OidcConfig(Section):
    """The OpenID Connect identity provider: its address, SQE's client there, and the claims of its tokens.

    A claim is named by its path: `realm_access.roles` is `roles` in `realm_access`.
    """

    issuer: Url | None = Field(
        default=None,
        description="The identity provider, exactly as its tokens name it in `iss`.",
    )
    audience: str | None = Field(
        default=None,
        description="The audience that a token must have in `aud`. SQE refuses tokens for other services.",
        min_length=1,
    )
    any_audience: bool = Field(
        default=False,
        description="Accept tokens that were issued for any service, when there is no `audience`.",
    )
    client_id: str | None = Field(
        default=None, description="The id of SQE's client at the identity provider.", min_length=1
    )
    client_secret: Secret | None = Field(
        default=None, description="That client's secret. Unset: it is a public client."
    )
    scopes: Texts = Field(default=("openid",), description="The scopes that a login asks for.")
    jwks_url: Url | None = Field(
        default=None, description="The address of the signing keys. Unset: from the issuer's discovery."
    )
    token_url: Url | None = Field(
        default=None, description="The token endpoint. Unset: from the issuer's discovery."
    )
    device_url: Url | None = Field(
        default=None,
        description="The device authorization endpoint, for `sqe login`. Unset: from the issuer's discovery.",
    )
    authorize_url: Url | None = Field(
        default=None,
        description="The authorization endpoint, for logins with a browser. Unset: from the issuer's discovery.",
    )
    algorithms: Algorithms = Field(
        default=("RS256", "ES256"), description="The signatures that a token may have."
    )
    user_claim: str = Field(
        default="preferred_username", description="The claim with the user's name.", min_length=1
    )
    subject_claim: str = Field(
        default="sub", description="The claim with the name that never changes.", min_length=1
    )
    email_claim: str = Field(default="email", description="The claim with the mail address.", min_length=1)
    roles_claim: str = Field(
        default="realm_access.roles", description="The claim with the user's roles.", min_length=1
    )
    groups_claim: str = Field(default="groups", description="The claim with the user's groups.", min_length=1)
    timeout: Duration = Field(
        default=Duration("5s"),
        description="How long the identity provider may take to answer.",
        ge=Duration("100ms"),
        le=Duration("1min"),
    )
    keys_lifetime: Duration = Field(
        default=Duration("15min"),
        description="How long the keys of signatures are used before they are fetched again.",
        ge=Duration("1min"),
        le=Duration("24h"),
    )
    leeway: Duration = Field(
        default=Duration("30s"),
        description="How far the clocks of the identity provider and of SQE may be apart.",
        ge=Duration("0s"),
        le=Duration("5min"),
    )
    external: bool = Field(
        default=False,
        description="Let Trino's clients log in with a browser (their external authentication).",
    )
    external_url: Url | None = Field(
        default=None,
        description="The server's own address as browsers see it, to come back to after the login. Unset: the "
        "address that the client used.",
    )

    @field_validator("scopes")
    @classmethod
    def _check_scopes(cls, scopes: tuple[str, ...]) -> tuple[str, ...]:
        for scope in scopes:
            if not scope or any(character.isspace() for character in scope):
                raise ValueError(f"holds '{scope}', which is not one scope")
        return scopes

    @field_validator("algorithms")
    @classmethod
    def _check_algorithms(cls, algorithms: tuple[str, ...]) -> tuple[str, ...]:
        if not algorithms:
            raise ValueError("is empty, so that no token could be accepted")
        return algorithms
