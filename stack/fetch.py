"""The services that are published ready to run, fetched by the machinery of the engine's own jars."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from stack import java
from stack.store import Store

from sqe.config.load import load
from sqe.config.schema import Config
from sqe.engine.runtime import lockfile
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.ivy import Ivy
from sqe.engine.runtime.jars import provide_jars
from sqe.engine.runtime.lockfile import Jar
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.engine.runtime.report import Reporter
from sqe.engine.runtime.truststore import provide_truststore
from sqe.locations import locate

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class StackCache:
    """The stack's part of SQE's cache."""

    config: Config

    @classmethod
    def open(cls) -> StackCache:
        config = load(None, os.environ)
        place = locate(config).cache / "stack"
        return cls(config.model_copy(update={"paths": config.paths.model_copy(update={"cache": place})}))

    @cached_property
    def cache(self) -> Cache:
        return Cache(self.config)

    @cached_property
    def store(self) -> Store:
        # A directory of its own: the cache removes what killed runs left behind by its own rules.
        return Store(self.cache.writable / "made")

    def pin(self, artifact: str) -> Jar:
        [pin] = [pin for pin in lockfile.load(_HERE / "parts.lock.toml") if pin.artifact == artifact]
        return pin

    def fetch(self, pin: Jar, report: Reporter) -> Path:
        """Return the path of the pinned file, after fetching it if it is missing."""
        ivy = Ivy(
            java=java.bundled().java,
            jar=find_pyspark().ivy,
            settings=self.config.engine.ivy_settings or _HERE / "ivysettings.xml",
            truststore=provide_truststore(self.config.tls.ca_bundle, os.environ, self.cache, report),
            environ=os.environ,
        )
        [path] = provide_jars([pin], self.cache, ivy, report, offline=self.config.engine.offline)
        return path
