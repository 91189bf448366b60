"""Check settings of `sqe server` against each other; the schema has checked each by itself."""

from __future__ import annotations

from collections.abc import Iterator

from sqe.config.schema import Config
from sqe.config.sources import PREFIX, Problem

# The keys of [oidc] that each provider needs.
_OF_OIDC: dict[str, tuple[str, ...]] = {
    "oidc_password": ("issuer", "client_id"),
    "bearer_token": ("issuer",),
    "token_exchange": ("issuer", "client_id", "client_secret"),
    "client_credentials_passthrough": ("issuer",),
    "client_credentials": ("issuer", "client_id", "client_secret"),
}
_OF_EXTERNAL = ("issuer", "client_id")

# The keys with the location of each policy engine's policies; the first of each must be set.
_OF_POLICY: dict[str, tuple[str, ...]] = {
    "grants": (),
    "opa": ("opa.url",),
    "cedar": ("policy.cedar_policies", "policy.cedar_entities"),
    "file": ("policy.file",),
}


def inconsistencies(config: Config) -> list[Problem]:
    """Return missing and contradictory settings."""
    return [*_providers(config), *_external(config), *_engine(config), *policy_inconsistencies(config)]


def policy_inconsistencies(config: Config) -> list[Problem]:
    """Return those that concern policies, which a private gateway has to check, too."""
    return [*_policy(config), *_opa(config)]


def _providers(config: Config) -> Iterator[Problem]:
    for provider in config.auth.providers:
        yield from _missing(config, f"The provider {provider} in auth.providers", _OF_OIDC.get(provider, ()))
        if provider in _OF_OIDC:
            yield from _audience(config, f"The provider {provider} in auth.providers")
        match provider:
            case "client_credentials" if not config.client_credentials.allow:
                yield Problem(
                    "The provider client_credentials in auth.providers runs all queries as one identity.",
                    "If that is wanted, set client_credentials.allow = true.",
                )
            case "mtls" if config.server.tls_client_auth == "none":
                yield Problem(
                    "The provider mtls in auth.providers needs client certificates, and no listener asks for one.",
                    'Set server.tls_client_auth to "optional" or "required", and server.tls_client_ca.',
                )
            case "aws_iam" if not config.aws_iam.users:
                yield Problem(
                    "The provider aws_iam in auth.providers needs aws_iam.users, which is empty.",
                    'Map ARNs to users: "arn:aws:iam::123456789012:user/alice" = "alice".',
                )


def _external(config: Config) -> Iterator[Problem]:
    if config.oidc.external:
        yield from _missing(config, "oidc.external", _OF_EXTERNAL)
        yield from _audience(config, "oidc.external")


def _audience(config: Config, who: str) -> Iterator[Problem]:
    if config.oidc.audience is None and not config.oidc.any_audience:
        yield Problem(
            f"{who} needs oidc.audience, which is not set.",
            "Name the audience that tokens for SQE have. To accept tokens that were issued for any service, set "
            "oidc.any_audience = true.",
        )


def _engine(config: Config) -> Iterator[Problem]:
    engine = config.engine
    if engine.url is None or engine.control_secret is not None:
        return
    if any(catalog.type == "rest" for catalog in config.catalogs.values()):
        yield Problem(
            "engine.url with catalogs of type rest needs engine.control_secret, which is not set.",
            "With it, the Spark server asks for the token of each user.",
        )
    elif config.policy.guarded:
        yield Problem(
            "engine.url with policy.engines needs engine.control_secret, which is not set.",
            "With it, the Spark server asks what each user may do.",
        )


def _policy(config: Config) -> Iterator[Problem]:
    for name, keys in _OF_POLICY.items():
        used = name in config.policy.engines
        for number, key in enumerate(keys):
            given = _value(config, key) is not None
            if used and not given and number == 0:
                yield Problem(
                    f"The engine {name} in policy.engines needs {key}, which is not set.",
                    f"Set it in the file or as {_variable(key)}.",
                )
            elif given and not used:
                yield Problem(
                    f"{key} is set, but not used: policy.engines does not have {name}.",
                    f'Write "{name}" into policy.engines, or take {key} out.',
                )
    if config.policy.grants_database is not None and "grants" not in config.policy.engines:
        yield Problem(
            "policy.grants_database is set, but not used: policy.engines does not have grants.",
            'Write "grants" into policy.engines, or take policy.grants_database out.',
        )


def _opa(config: Config) -> Iterator[Problem]:
    if config.opa.column_mask_url is not None and config.opa.batch_column_masks_url is not None:
        yield Problem(
            "opa.column_mask_url and opa.batch_column_masks_url are both set.",
            "Keep the one whose rule your policies have.",
        )


def _value(config: Config, key: str) -> object:
    section, _, name = key.partition(".")
    return getattr(getattr(config, section), name)


def _variable(key: str) -> str:
    return PREFIX + key.upper().replace(".", "__")


def _missing(config: Config, who: str, keys: tuple[str, ...]) -> Iterator[Problem]:
    for key in keys:
        if getattr(config.oidc, key) is None:
            yield Problem(
                f"{who} needs oidc.{key}, which is not set.",
                f"Set it in the file or as {_variable(f'oidc.{key}')}.",
            )
