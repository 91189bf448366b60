from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sqe.frontends.flight.proto import FlightSql_pb2

ROOT = Path(__file__).parents[4]
FOLDER = Path("src/sqe/frontends/flight/proto")


def test_the_generated_python_is_what_the_proto_files_give(tmp_path: Path) -> None:
    subprocess.run(
        [ROOT / "scripts/proto.sh", tmp_path],
        env={**os.environ, "PYTHON": sys.executable},
        check=True,
        timeout=120,
    )
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == ["FlightSql_pb2.py", "FlightSql_pb2.pyi", "Flight_pb2.py", "Flight_pb2.pyi"]
    for name in made:
        assert (tmp_path / name).read_text() == (ROOT / FOLDER / name).read_text(), f"run make proto: {name}"


@pytest.mark.parametrize("name", ["Flight.proto", "FlightSql.proto"])
def test_the_proto_files_keep_their_licence(name: str) -> None:
    assert "Licensed to the Apache Software Foundation" in (ROOT / FOLDER / name).read_text()[:200]


def test_the_pinned_protoc_makes_what_the_lowest_allowed_protobuf_can_read() -> None:
    generated = re.search(
        r"Protobuf Python Version: (\d+)\.", (ROOT / FOLDER / "FlightSql_pb2.py").read_text()
    )
    assert generated is not None
    lowest = re.search(r'"protobuf>=(\d+)', (ROOT / "pyproject.toml").read_text())
    assert lowest is not None
    assert int(lowest[1]) == int(generated[1])


def test_every_message_of_flight_sql_is_known() -> None:
    names = set(FlightSql_pb2.DESCRIPTOR.message_types_by_name)
    assert {"CommandStatementQuery", "CommandStatementIngest", "ActionCancelQueryRequest"} <= names
