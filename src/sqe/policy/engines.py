"""Create the decision point and its engines from the configuration; only configured engines are loaded."""

from __future__ import annotations

from collections.abc import Callable

from sqe.config.consistency import policy_inconsistencies
from sqe.config.load import refuse
from sqe.config.schema import Config
from sqe.locations import Locations, grants_file
from sqe.policy.current_names import CurrentNamesEngine
from sqe.policy.decision_point import DecisionPoint
from sqe.policy.engine import PolicyEngine


def make_decision_point(config: Config, locations: Locations) -> DecisionPoint:
    """Create the decision point for `policy.engines`, which names at least one engine.

    Raises:
        ConfigError: settings are missing or wrong, or policies are unreadable.
        PolicyUnavailableError: the database of grants does not respond.
    """
    policy = config.policy
    return DecisionPoint(
        make_engines(config, locations),
        timeout=float(policy.timeout),
        cache_seconds=float(policy.cache),
        keyed=policy.mask_key is not None,
    )


def make_engines(config: Config, locations: Locations) -> list[PolicyEngine]:
    """Create the engines in `policy.engines`, in that order. Raises ConfigError."""
    refuse(policy_inconsistencies(config))
    made: list[PolicyEngine] = []
    try:
        for name in config.policy.engines:
            engine = _MAKERS[name](config, locations)
            made.append(engine)
    except BaseException:
        for engine in made:
            engine.close()
        raise
    return made


def _grants(config: Config, _: Locations) -> PolicyEngine:
    from sqe.policy.administrators import Administrators
    from sqe.policy.grants.engine import GrantsEngine
    from sqe.policy.grants.store import GrantStore

    policy = config.policy
    database = policy.grants_database
    store = GrantStore(
        database.reveal() if database is not None else grants_file(config), timeout=float(policy.timeout)
    )
    return GrantsEngine(store, Administrators(policy.admins))


def _opa(config: Config, _: Locations) -> PolicyEngine:
    from sqe.policy.opa.engine import OpaEngine

    return CurrentNamesEngine(OpaEngine(config))


def _cedar(config: Config, _: Locations) -> PolicyEngine:
    from sqe.policy.cedar.engine import CedarEngine

    return CurrentNamesEngine(CedarEngine(config))


def _file(config: Config, _: Locations) -> PolicyEngine:
    from sqe.policy.file.engine import FileEngine

    assert config.policy.file is not None  # `policy_inconsistencies` has checked it
    return CurrentNamesEngine(FileEngine(config.policy.file))


_MAKERS: dict[str, Callable[[Config, Locations], PolicyEngine]] = {
    "grants": _grants,
    "opa": _opa,
    "cedar": _cedar,
    "file": _file,
}
