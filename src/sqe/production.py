"""Check the configuration of `sqe server`: settings that contradict each other and, in production, unsafe ones.

Each unsafe setting has an exception of its own in `[production]`, so that a reader of the configuration sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from sqe.common.loopback import is_loopback_host
from sqe.config.consistency import inconsistencies
from sqe.config.load import refuse
from sqe.config.schema import Config
from sqe.config.sources import Problem
from sqe.errors import ConfigError
from sqe.network.plan import plan_listeners

# Reveals only whether the server lives, and its callers have no certificate.
_MAY_BE_PLAIN = frozenset({"health"})

Found = Iterator[tuple[str, str]]  # the problem, and its remedy


def check_server(config: Config) -> None:
    """Raise ConfigError with all problems of a configuration that `sqe server` must not run with."""
    refuse(server_problems(config))


def server_problems(config: Config) -> list[Problem]:
    """Return all problems instead of raising them."""
    return [*inconsistencies(config), *check_production(config)]


def check_production(config: Config) -> list[Problem]:
    """Return unsafe settings without an exception; none when `production.enabled` is false."""
    if not config.production.enabled:
        return []
    return [
        Problem(
            f"{what}, which production.enabled refuses.", f"{remedy}, or set production.{exception} = true."
        )
        for exception, check in CHECKS.items()
        if not getattr(config.production, exception)
        for what, remedy in check(config)
    ]


def _anonymous(config: Config) -> Found:
    if "anonymous" in config.auth.providers:
        yield (
            "auth.providers has anonymous, which accepts clients without credentials",
            "Name other providers",
        )


def _plain_text(config: Config) -> Found:
    try:
        planned = plan_listeners(config.server).listeners
    except ConfigError:
        return  # the listeners' own check refuses it
    for listener in planned:
        if listener.name in _MAY_BE_PLAIN or listener.encrypted or listener.address.is_loopback():
            continue
        yield (
            f"{listener.address.host_key} accepts other machines, and server.plain_text has {listener.name}",
            "Take it out of that list, and set server.tls_certificate",
        )
    if config.oidc.external and _is_plain(config.oidc.external_url):
        yield "oidc.external_url is an http:// address", "Write https://"


def _shared_identity(config: Config) -> Found:
    if "client_credentials" in config.auth.providers:
        yield (
            "auth.providers has client_credentials, which runs all queries as one identity",
            "Name other providers",
        )


def _any_audience(config: Config) -> Found:
    if config.oidc.any_audience:
        yield "oidc.any_audience accepts tokens that were issued for any service", "Set oidc.audience instead"


def _plain_identity_provider(config: Config) -> Found:
    oidc = config.oidc
    yield from _plain_addresses(
        {
            "oidc.issuer": oidc.issuer,
            "oidc.jwks_url": oidc.jwks_url,
            "oidc.token_url": oidc.token_url,
            "oidc.device_url": oidc.device_url,
            "oidc.authorize_url": oidc.authorize_url,
            "aws_iam.sts_endpoint": config.aws_iam.sts_endpoint,
        }
    )


def _plain_catalogs(config: Config) -> Found:
    for name, catalog in config.catalogs.items():
        yield from _plain_addresses(
            {
                f"catalogs.{name}.uri": catalog.uri,
                f"catalogs.{name}.s3_endpoint": catalog.s3_endpoint,
                f"catalogs.{name}.sts_endpoint": catalog.sts_endpoint,
            }
        )


def _local_catalogs(config: Config) -> Found:
    local = [f"catalogs.{name}" for name, item in config.catalogs.items() if item.type == "warehouse"]
    if not config.catalogs:
        local = ["The default catalog iceberg, as there are no [catalogs],"]
    for name in local:
        yield (
            f"{name} is a warehouse, whose files the server opens with its own account",
            "Use catalogs of type rest",
        )


def _no_rate_limit(config: Config) -> Found:
    for key, limit in config.rate_limit:
        if limit == 0:
            yield f"rate_limit.{key} is off", "Set a number"


def _unguarded_engine(config: Config) -> Found:
    if config.engine.url is None:
        return
    for key in ("token", "control_secret"):
        if getattr(config.engine, key) is None:
            yield f"engine.url is used without engine.{key}", f"Set engine.{key}"


def _unguarded(config: Config) -> Found:
    if not config.policy.guarded:
        yield "policy.engines is empty, so that only the catalog decides", "Name a policy engine"


def _no_mask_key(config: Config) -> Found:
    if config.policy.guarded and config.policy.mask_key is None:
        yield "policy.engines is used without policy.mask_key", "Set policy.mask_key"


def _plain_opa(config: Config) -> Found:
    opa = config.opa
    yield from _plain_addresses(
        {
            f"opa.{key}": address
            for key in ("url", "row_filters_url", "column_mask_url", "batch_column_masks_url", "batched_url")
            if (address := getattr(opa, key)) is not None and not _is_on_this_machine(address)
        }
    )


CHECKS: dict[str, Callable[[Config], Found]] = {
    "allow_anonymous": _anonymous,
    "allow_plain_text": _plain_text,
    "allow_shared_identity": _shared_identity,
    "allow_any_audience": _any_audience,
    "allow_plain_identity_provider": _plain_identity_provider,
    "allow_plain_catalogs": _plain_catalogs,
    "allow_local_catalogs": _local_catalogs,
    "allow_no_rate_limit": _no_rate_limit,
    "allow_unguarded_engine": _unguarded_engine,
    "allow_unguarded": _unguarded,
    "allow_no_mask_key": _no_mask_key,
    "allow_plain_opa": _plain_opa,
}


def _plain_addresses(addresses: dict[str, str | None]) -> Found:
    for key, address in addresses.items():
        if _is_plain(address):
            yield f"{key} is an http:// address", "Write https://"


def _is_plain(address: str | None) -> bool:
    return address is not None and address.lower().startswith("http:")


def _is_on_this_machine(address: str) -> bool:
    """Whether it is on this machine, as an agent that runs beside the server is."""
    return is_loopback_host(urlsplit(address).hostname or "")
