"""Run a Spark Connect server without a gateway, always at the same address."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from sqe.config.load import load
from sqe.engine.control import startup_input
from sqe.engine.launcher.command import (
    MAIN_CLASS,
    TOKEN_VARIABLE,
    JvmPlan,
    network_environment,
    settings_options,
)
from sqe.engine.launcher.process import EngineProcess
from sqe.engine.runtime.provision import Runtime
from sqe.engine.settings import spark_settings


class SparkServer:
    def __init__(
        self,
        runtime: Runtime,
        directory: Path,
        *,
        cores: int = 1,
        heap: int = 1 << 30,
        environment: Mapping[str, str] | None = None,
        java_options: Sequence[str] = (),
    ) -> None:
        directory.mkdir()
        self._runtime = runtime
        self._environment = environment or {}
        self._directory = directory
        self._cores = cores
        self._heap = heap
        self._java_options = java_options
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.url = f"sc://localhost:{self.port}"
        self.token = "correct-token"  # noqa: S105 - of a server that lives for one measurement
        self.process = self.start()

    def start(self) -> EngineProcess:
        master = f"local[{self._cores}]"
        config = load(None, {}, {"engine.master": master, "paths.home": str(self._directory / "home")})
        plan = JvmPlan.of(self._runtime, config.engine.master, self._heap, None)
        settings = spark_settings(config, jars=self._runtime.jars, cores=self._cores, scratch=self._directory)
        own = {
            "spark.connect.grpc.binding.port": str(self.port),
            "spark.plugins": "sqe.spark.identity.ControlPlugin",  # as docs/engine.md says for such a server
        }
        options = settings_options({**settings, **own})
        self.process = EngineProcess(
            plan.command(self._directory / "arguments", [*self._java_options, *options, MAIN_CLASS]),
            self._directory / "stderr",
            {
                **network_environment(config.engine.master),
                TOKEN_VARIABLE: self.token,
                **self._environment,
            },
            startup_input(None, locked=False),
        )
        self.process.wait_ready(120)
        return self.process
