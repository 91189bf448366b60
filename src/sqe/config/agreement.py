"""What settings of `sqe server` need of each other. Each of them is good by itself: the schema has seen to that."""

from __future__ import annotations

from collections.abc import Iterator

from sqe.config.schema import Config
from sqe.config.sources import PREFIX, Problem

# Which keys of [oidc] must be set for whom.
_OF_OIDC: dict[str, tuple[str, ...]] = {
    "oidc_password": ("issuer", "client_id"),
    "bearer_token": ("issuer",),
    "token_exchange": ("issuer", "client_id", "client_secret"),
    "client_credentials_passthrough": ("issuer",),
    "client_credentials": ("issuer", "client_id", "client_secret"),
}
_OF_EXTERNAL = ("issuer", "client_id")


def disagreements(config: Config) -> list[Problem]:
    """Return everything that is missing or does not go together."""
    return [*_providers(config), *_external(config), *_engine(config)]


def _providers(config: Config) -> Iterator[Problem]:
    for provider in config.auth.providers:
        yield from _missing(config, f"The provider {provider} in auth.providers", _OF_OIDC.get(provider, ()))
        if provider in _OF_OIDC:
            yield from _audience(config, f"The provider {provider} in auth.providers")
        match provider:
            case "client_credentials" if not config.client_credentials.allow:
                yield Problem(
                    "The provider client_credentials in auth.providers runs everything as one identity.",
                    "If that is wanted, set client_credentials.allow = true.",
                )
            case "mtls" if config.server.tls_client_auth == "none":
                yield Problem(
                    "The provider mtls in auth.providers needs client certificates, and nobody asks for one.",
                    'Set server.tls_client_auth to "optional" or "required", and server.tls_client_ca.',
                )
            case "aws_iam" if not config.aws_iam.users:
                yield Problem(
                    "The provider aws_iam in auth.providers needs aws_iam.users, which is empty.",
                    'Say which ARN is which user: "arn:aws:iam::123456789012:user/alice" = "alice".',
                )


def _external(config: Config) -> Iterator[Problem]:
    if config.oidc.external:
        yield from _missing(config, "oidc.external", _OF_EXTERNAL)
        yield from _audience(config, "oidc.external")


def _audience(config: Config, who: str) -> Iterator[Problem]:
    if config.oidc.audience is None and not config.oidc.any_audience:
        yield Problem(
            f"{who} needs oidc.audience, which is not set.",
            "Name the audience that tokens for SQE have. To accept tokens that were made for any service, set "
            "oidc.any_audience = true.",
        )


def _engine(config: Config) -> Iterator[Problem]:
    engine = config.engine
    asks = any(catalog.type == "rest" for catalog in config.catalogs.values())
    if asks and engine.url is not None and engine.control_secret is None:
        yield Problem(
            "engine.url with catalogs of type rest needs engine.control_secret, which is not set.",
            "With it, the Spark server asks for the token of each user.",
        )


def _missing(config: Config, who: str, keys: tuple[str, ...]) -> Iterator[Problem]:
    for key in keys:
        if getattr(config.oidc, key) is None:
            yield Problem(
                f"{who} needs oidc.{key}, which is not set.",
                f"Set it in the file or as {PREFIX}OIDC__{key.upper()}.",
            )
