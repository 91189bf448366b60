"""`python -m stack` starts the services and waits; `python -m stack prepare` only fetches and builds what they need."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time

from stack import parts
from stack.configuration import Tables
from stack.howto import Started, configuration, how_to, server
from stack.running import Stack, running
from testing.certificates import Authority

from sqe.errors import SqeError
from sqe.locations import write_private


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m stack", description=__doc__)
    parser.add_argument("command", nargs="?", choices=("run", "prepare"), default="run")
    parser.add_argument(
        "--no-polaris", action="store_true", help="leave Polaris out, whatever SQE_TEST_POLARIS says"
    )
    parser.add_argument("--nice", action="store_true", help="give way to other processes while preparing")
    arguments = parser.parse_args()
    polaris = False if arguments.no_polaris else None
    if arguments.nice:
        os.nice(10)
    try:
        if arguments.command == "prepare":
            began = time.monotonic()
            found = parts.provide(polaris)
            print(f"Everything is there after {time.monotonic() - began:.0f} s.")
            if found.no_polaris:
                print(found.no_polaris)
            return 0
        return _run(polaris)
    except SqeError as error:
        print(f"error: {error}", file=sys.stderr)
        for more in (error.detail, error.hint):
            if more:
                print(more, file=sys.stderr)
        return 1


def _run(polaris: bool | None) -> int:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)  # also while it starts
    try:
        with running(polaris) as stack:
            print(_explain(stack), flush=True)
            threading.Event().wait()
    except KeyboardInterrupt:
        print("Stopped.")
    return 0


def _explain(stack: Stack) -> str:
    authority = Authority(stack.directory / "tls")
    pair = authority.server()
    tables: Tables = {**server(pair.certificate, pair.key), **stack.tables()}
    services = {"Keycloak": stack.keycloak.issuer, "MinIO": stack.minio.endpoint, "OPA": stack.opa.url}
    for catalog in stack.catalogs:
        tables = {**tables, **catalog.tables(catalog.name)}
        services[catalog.name.capitalize()] = f"{catalog.uri} ({catalog.version})"
    config = stack.directory / "sqe.toml"
    write_private(config, configuration(tables))
    return how_to(
        Started(
            directory=stack.directory,
            config=config,
            authority=authority.certificate,
            services=services,
            catalogs=[catalog.name for catalog in stack.catalogs],
            no_polaris=stack.no_polaris,
        )
    )


if __name__ == "__main__":
    sys.exit(main())
