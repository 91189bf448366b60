"""A gateway whose engine is a fake: real sockets, real listeners, no Spark."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.fakes.engine import FakeEngine

from sqe.config.schema import Config
from sqe.engine.endpoint import Endpoint
from sqe.engine.interface import Engine
from sqe.engine.source import EngineSource
from sqe.identity.service import IdentityService
from sqe.locations import locate, private_directory
from sqe.server.core import GatewayCore
from sqe.server.listeners import Listeners, OpenListener
from sqe.server.network_server import NetworkServer
from sqe.service.service import QueryService

SECONDS = 120.0


class FakeSource:
    """An engine's origin that has nothing to start."""

    description = "fake"
    failed = False
    own = False
    asks_gateway = False
    catalog_class = "none"
    restarts = 2

    def __init__(self, engine: FakeEngine) -> None:
        self._engine = engine

    @property
    def note(self) -> str | None:
        return self._engine.note

    def endpoint(self, given_up: Callable[[], bool]) -> Endpoint:
        raise AssertionError("nobody asks a fake engine where it is")

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def replace(self, reason: str) -> None: ...

    def use_idle_time(self) -> None: ...


class FakeCore(GatewayCore):
    """The parts that both kinds of gateways share, on a fake engine."""

    def __init__(
        self, engine: FakeEngine, config: Config, run_directory: Path, identity: IdentityService | None = None
    ) -> None:
        self.engine = engine
        super().__init__(config, locate(config), run_directory, identity, shared=identity is not None)

    def _make_source(self) -> EngineSource:
        return FakeSource(self.engine)

    def _make_engine(self, scratch: Path) -> Engine:
        return self.engine

    @staticmethod
    def _load_engine_client() -> None: ...


class FakeGateway:
    """A network server on a fake engine."""

    def __init__(self, engine: FakeEngine, config: Config, run_directory: Path) -> None:
        self.engine = engine
        self.run_directory = run_directory
        self.opened = threading.Event()
        self.open_listeners: dict[str, OpenListener] = {}
        self.listeners = Listeners(config)
        self._core = core = FakeCore(engine, config, run_directory, self.listeners.identity)
        server = NetworkServer(config, core, self.listeners, self._note_listeners)
        self.run, self.stop, self.reload = server.run, core.stop, server.reload

    @property
    def service(self) -> QueryService:
        return self._core.service

    def _note_listeners(self, listeners: Sequence[OpenListener]) -> None:
        self.open_listeners = {listener.name: listener for listener in listeners}
        self.opened.set()


@contextmanager
def fake_gateway(config: Config, engine: FakeEngine | None = None) -> Iterator[FakeGateway]:
    """Run one until the end of the block. `config` needs `paths.home` to be a short path."""
    with tempfile.TemporaryDirectory(prefix="sqe-") as directory:
        gateway = FakeGateway(engine or FakeEngine(), config, private_directory(Path(directory) / "run"))
        thread = threading.Thread(target=gateway.run, name="gateway", daemon=True)
        thread.start()
        try:
            assert gateway.opened.wait(SECONDS)
            yield gateway
        finally:
            gateway.engine.released.set()
            gateway.stop(drain=1.0)
            thread.join(SECONDS)
            assert not thread.is_alive()
