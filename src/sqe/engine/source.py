"""Where an engine comes from: started here (launcher/supervisor) or already running elsewhere."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from sqe.config.schema import Config
from sqe.engine.catalogs import CATALOG_CLASS
from sqe.engine.endpoint import Endpoint
from sqe.errors import ConfigError, SqeError

_log = logging.getLogger(__name__)

_ASK_AGAIN = 5.0  # seconds, where an engine elsewhere has not proved itself


class EngineSource(Protocol):
    @property
    def note(self) -> str | None:
        """What a user who waits for the engine should know; None when it is ready."""

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
        """Whether it could not be started; a new gateway may have more luck, say with a proxy in its environment."""

    @property
    def own(self) -> bool:
        """Whether it is ours to prepare and to warm up."""

    @property
    def asks_gateway(self) -> bool:
        """Whether its Java part can ask the control endpoint, which catalogs need that know the user."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def replace(self, reason: str) -> None:
        """End an engine that does not answer any more, if it is ours, so that another is started."""

    def use_idle_time(self) -> None:
        """Called when nothing else is to be done."""


class RemoteEngine:
    """A Spark Connect server that runs elsewhere and is not ours to start or stop (`engine.url`)."""

    description = "remote"
    failed = False
    own = False

    def __init__(self, config: Config, prove: Callable[[Endpoint], None] | None = None) -> None:
        """Use the server in `engine.url`.

        Args:
            config: all settings.
            prove: raises SqeError unless it does what it is to do; it is not ready before that.

        Raises:
            ConfigError: it cannot do what the rest of the configuration asks for.
        """
        if config.engine.url is None:
            raise ConfigError("engine.url is not set.")
        self._prove = prove
        self.note: str | None = None if prove is None else "the engine has to prove that it guards"
        self._ended = threading.Event()
        self.asks_gateway = config.engine.control_secret is not None
        # A stock server has no class of ours.
        self.catalog_class = (
            CATALOG_CLASS if config.policy.guarded else "org.apache.iceberg.spark.SparkCatalog"
        )
        if config.policy.guarded and not self.asks_gateway:
            raise ConfigError(
                "The server in engine.url cannot ask what policy.engines allow.",
                hint="Set engine.control_secret, and give the server SQE's jar and the same secret; docs/engine.md "
                "has the whole of it.",
            )
        rest = [name for name, catalog in config.catalogs.items() if catalog.type == "rest"]
        if rest and not self.asks_gateway:
            raise ConfigError(
                f"The catalog {rest[0]} wants to know who asks, which the server in engine.url cannot tell it.",
                hint="Set engine.control_secret, and give the server SQE's jar and the same secret; docs/engine.md "
                "has the whole of it.",
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
        if self._prove is not None:
            threading.Thread(target=self._wait_for_proof, name="engine-proof", daemon=True).start()

    def stop(self) -> None:
        self._ended.set()

    def _wait_for_proof(self) -> None:
        """For who asks whether we are ready. Each session is put to the proof besides (sessions.py)."""
        assert self._prove is not None
        while not self._ended.is_set():
            try:
                self._prove(self._endpoint)
            except SqeError as error:
                if self.note != error.message:
                    _log.error("%s %s", error.message, error.detail or "")
                self.note = error.message
                self._ended.wait(_ASK_AGAIN)
            else:
                self.note = None
                return

    def replace(self, reason: str) -> None:
        _log.error("the engine in engine.url does not answer: %s", reason)

    def use_idle_time(self) -> None: ...
