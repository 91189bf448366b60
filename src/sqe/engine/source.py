"""Where an engine comes from: started here (launcher/supervisor) or already running elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from sqe.config.schema import Config
from sqe.engine.endpoint import Endpoint
from sqe.errors import ConfigError


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

    def use_idle_time(self) -> None:
        """Called when nothing else is to be done."""


class RemoteEngine:
    """A Spark Connect server that runs elsewhere and is not ours to start or stop (`engine.url`)."""

    note: str | None = None
    description = "remote"
    failed = False
    own = False
    catalog_class = "org.apache.iceberg.spark.SparkCatalog"  # a stock server has no class of ours

    def __init__(self, config: Config) -> None:
        if config.engine.url is None:
            raise ConfigError("engine.url is not set.")
        self.asks_gateway = config.engine.control_secret is not None
        rest = [name for name, catalog in config.catalogs.items() if catalog.type == "rest"]
        if rest and not self.asks_gateway:
            raise ConfigError(
                f"The catalog {rest[0]} wants to know who asks, which the server in engine.url cannot tell it.",
                hint="Set engine.control_secret, and give the server SQE's jar and the same secret; docs/engine.md "
                "has the whole of it.",
            )
        token = config.engine.token
        self._endpoint = Endpoint(
            config.engine.url, token.reveal() if token is not None else None, remote=True
        )

    def endpoint(self, given_up: Callable[[], bool]) -> Endpoint:
        return self._endpoint

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def use_idle_time(self) -> None: ...
