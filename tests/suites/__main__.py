"""Run the test suites of other projects on a server: `make client-suites SUITES=directory`.

The directory has a checkout of each project of `suites.toml`, of the version there, and ibis's checkout has its data
(`github.com/ibis-project/testing-data`) in `ci/ibis-testing-data`. Each suite runs in a virtual environment of its own
beside its checkout, and writes its results to `NAME.xml` there. The port 8080 has to be free, as dbt-trino's tests
connect to no other. `PYTEST_ARGS` goes to pytest, after the tests of the suite: `PYTEST_ARGS="-k snapshot"`.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from testing.command import INTERPRETED, JAVA_OPTIONS, QUICK_JAVA, WARM_UP
from testing.server import RunningServer, running_server
from tests.parity.client import Client
from tests.suites.data import load_ibis, load_tpch

HERE = Path(__file__).parent
CATALOGS = ("delta", "hive", "iceberg", "memory", "tpcds", "tpch")
SETTINGS = {
    "server__trino_port": "8080",
    "rate_limit__queries_per_user": "0",
    "rate_limit__queries_per_address": "0",
    "engine__settings": INTERPRETED,
}
TEST_SECONDS = 300


def main(directory: Path, names: list[str]) -> int:
    suites = tomllib.loads((HERE / "suites.toml").read_text())
    chosen = {name: suite for name, suite in suites.items() if name in (names or suites)}
    for name, suite in chosen.items():
        if not (directory / name).is_dir():
            raise SystemExit(
                f"{directory / name} is missing: check out {suite['version']} of {suite['repository']} there."
            )
    os.environ.setdefault(JAVA_OPTIONS, json.dumps(QUICK_JAVA))
    os.environ.setdefault(WARM_UP, "false")
    with tempfile.TemporaryDirectory(prefix="sqe-suites-") as scratch:
        warehouses = {name: Path(scratch) / name for name in CATALOGS}
        with running_server(catalogs=warehouses, settings=SETTINGS) as server:
            server.wait_until_ready()
            _load(server, warehouses, directory, chosen)
            codes = [_run(directory / name, suite) for name, suite in chosen.items()]
    return max(codes)


def _load(
    server: RunningServer, warehouses: Mapping[str, Path], directory: Path, chosen: Mapping[str, Any]
) -> None:
    client = Client(server.trino)

    def run(sql: str) -> None:
        answer = client.run(sql)
        if answer.error is not None:
            sys.stderr.write(f"{answer.error}: {answer.message}\n  {sql}\n")

    for catalog in CATALOGS:
        run(f"CREATE SCHEMA IF NOT EXISTS {catalog}.default")
    load_tpch(run, warehouses["tpch"])
    if "ibis" in chosen:
        load_ibis(run, warehouses, directory / "ibis")


def _run(checkout: Path, suite: Mapping[str, Any]) -> int:
    environment = checkout.parent / f"{checkout.name}.venv"
    python = environment / "bin/python"
    if not python.exists():
        venv.create(environment, with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", *suite["install"]], cwd=checkout, check=True
        )
    command = [
        python,
        "-m",
        "pytest",
        "-q",
        "-rfE",
        "--tb=short",
        f"--timeout={TEST_SECONDS}",
        f"--junit-xml={checkout}.xml",
        *suite["tests"],
        *shlex.split(os.environ.get("PYTEST_ARGS", "")),
    ]
    variables = os.environ | suite["environment"] | {"PYTHONPATH": str(HERE)}
    return subprocess.run(command, cwd=checkout, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute(), sys.argv[2:]))
