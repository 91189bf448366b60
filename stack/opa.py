"""Run OPA with a directory of Rego policies that it watches."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stack import go_build
from stack.fetch import StackCache
from stack.ports import HOST, free_ports
from stack.process import ServiceProcess, answers
from stack.report import LineReporter

VERSION = "1.22.0"
# The policies of the documentation, with which OPA starts unless others are given.
EXAMPLES = Path(__file__).parent.parent / "docs" / "policy" / "opa"
_START_SECONDS = 60.0


class Opa:
    def __init__(self, binary: Path, directory: Path, port: int, policies: Path = EXAMPLES) -> None:
        """Copy the directory `policies`, without its tests, to `self.policies`, where tests may change it."""
        self.binary = binary
        self._address = f"{HOST}:{port}"
        self._process = ServiceProcess("opa", directory)
        self.url = f"http://{self._address}"
        self.policies = directory / "opa-policies"
        self.policies.mkdir()
        for file in sorted(policies.glob("*.rego")):
            if not file.name.endswith("_test.rego"):
                shutil.copy(file, self.policies)

    @property
    def process(self) -> ServiceProcess:
        return self._process

    def start(self) -> None:
        command = ["run", "--server", f"--addr={self._address}", "--disable-telemetry", "--watch", "--bundle"]
        self._process.start([str(self.binary), *command, str(self.policies)], environ=os.environ)
        self._process.wait_until(lambda: answers(f"{self.url}/health?bundles"), _START_SECONDS)

    def stop(self) -> None:
        self._process.stop()

    def endpoint(self, rule: str, package: str = "trino") -> str:
        """Return the address of a rule, such as `allow`."""
        return f"{self.url}/v1/data/{package}/{rule}"

    def put(self, name: str, text: str) -> None:
        """Write a policy atomically; OPA loads it in a moment."""
        new = self.policies.with_name(f"new-{name}")
        new.write_text(text, encoding="utf-8")
        new.replace(self.policies / name)


def binary() -> Path:
    """Return the command, built if it is missing."""
    return go_build.provide(go_build.OPA, StackCache.open(), LineReporter(None))


@contextmanager
def running_opa(directory: Path, policies: Path = EXAMPLES) -> Iterator[Opa]:
    """Run OPA alone, for tests that need nothing else of the stack."""
    [port] = free_ports(1)
    opa = Opa(binary(), directory, port, policies)
    opa.start()
    try:
        yield opa
    finally:
        opa.stop()
