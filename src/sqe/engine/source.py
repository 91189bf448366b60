"""Define the source of the engine: a process of the gateway (launcher/supervisor) or a server elsewhere."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from sqe.config.schema import Config
from sqe.engine.catalog_settings import CATALOG_CLASS
from sqe.engine.endpoint import Endpoint
from sqe.errors import ConfigError, SqeError

_log = logging.getLogger(__name__)

_CONTROL_HINT = (
    "Set engine.control_secret, and give the server SQE's jar and the same secret; see docs/engine.md."
)
_RETRY_SECONDS = 5.0  # between self-tests of a remote engine that has not passed one


class EngineSource(Protocol):
    """Provides the endpoint of the engine."""

    @property
    def note(self) -> str | None:
        """Why the engine is not ready, for users who wait for it; None when it is."""

    @property
    def description(self) -> str:
        """One word for `sqe engine status`."""

    @property
    def catalog_class(self) -> str:
        """Spark's name for an Iceberg catalog on this engine."""

    def endpoint(self, given_up: Callable[[], bool]) -> Endpoint:
        """Wait for the engine until it is ready or the caller has given up. Raises SqeError."""

    @property
    def failed(self) -> bool:
        """Whether the engine could not start; another gateway may succeed, for instance with a proxy."""

    @property
    def own(self) -> bool:
        """Whether the gateway started the engine, so that it may warm it up."""

    @property
    def asks_gateway(self) -> bool:
        """Whether the engine can call the control endpoint, as catalogs that need the user's identity require."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def replace(self, reason: str) -> None:
        """End an engine that does not answer any more, if it is ours, so that another is started."""

    def use_idle_time(self) -> None:
        """Do background work; the gateway calls it when it is idle."""


class RemoteEngine:
    """A Spark Connect server that the gateway neither starts nor stops (`engine.url`)."""

    description = "remote"
    failed = False
    own = False

    def __init__(self, config: Config, self_test: Callable[[Endpoint], None] | None = None) -> None:
        """Use the server in `engine.url`.

        Args:
            config: all settings.
            self_test: raises SqeError unless the server enforces policies; the engine is not ready before it passes.

        Raises:
            ConfigError: the server lacks something that the rest of the configuration requires.
        """
        if config.engine.url is None:
            raise ConfigError("engine.url is not set.")
        self._self_test = self_test
        self.note: str | None = (
            None if self_test is None else "the self-test of the engine's guard has not passed yet"
        )
        self._ended = threading.Event()
        self.asks_gateway = config.engine.control_secret is not None
        # A stock server does not have SQE's classes.
        self.catalog_class = (
            CATALOG_CLASS if config.policy.guarded else "org.apache.iceberg.spark.SparkCatalog"
        )
        if config.policy.guarded and not self.asks_gateway:
            raise ConfigError(
                "The server in engine.url cannot ask policy.engines for decisions.",
                hint=_CONTROL_HINT,
            )
        rest = [name for name, catalog in config.catalogs.items() if catalog.type == "rest"]
        if rest and not self.asks_gateway:
            raise ConfigError(
                f"The catalog {rest[0]} needs the user's identity, which the server in engine.url does not have.",
                hint=_CONTROL_HINT,
            )
        token, secret = config.engine.token, config.engine.control_secret
        self._endpoint = Endpoint(
            config.engine.url,
            token.reveal() if token is not None else None,
            request_secret=secret.reveal() if secret is not None else None,
            remote=True,
        )

    def endpoint(self, given_up: Callable[[], bool]) -> Endpoint:
        return self._endpoint

    def start(self) -> None:
        if self._self_test is not None:
            threading.Thread(target=self._repeat_self_test, name="engine-self-test", daemon=True).start()

    def stop(self) -> None:
        self._ended.set()

    def _repeat_self_test(self) -> None:
        """Run the guard's self-test for readiness probes until it passes. Each session runs its own (sessions.py)."""
        assert self._self_test is not None
        while not self._ended.is_set():
            try:
                self._self_test(self._endpoint)
            except SqeError as error:
                if self.note != error.message:
                    _log.error("%s %s", error.message, error.detail or "")
                self.note = error.message
                self._ended.wait(_RETRY_SECONDS)
            else:
                self.note = None
                return

    def replace(self, reason: str) -> None:
        _log.error("the engine in engine.url does not answer: %s", reason)

    def use_idle_time(self) -> None: ...
