"""`sqe policy test` with the worked example of docs/policy/file.md, on a real engine with the guard on."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from testing.command import Done, Sqe
from tests.support.config_file import write_config

pytestmark = [pytest.mark.engine, pytest.mark.slow, pytest.mark.timeout(600)]

SECONDS = 400.0  # an engine starts, and a dozen statements are the first of their kind in it

EXAMPLE = Path(__file__).parents[2] / "docs/policy/file"
MASKS = Path(__file__).parents[1] / "fixtures/policy"
KEY = "a key of at least thirty-two characters"


def run(sqe: Sqe, tmp_path: Path, rules: Path, *arguments: str) -> Done:
    config = write_config(
        tmp_path / "sqe.toml", f'[policy]\nengines = ["file"]\nfile = "{rules}"\nmask_key = "{KEY}"\n'
    )
    process = sqe.start("--config", str(config), "policy", "test", *arguments)
    try:
        out, err = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
    return Done(process.returncode, out, err)


def test_the_example_does_what_its_cases_say(alone: Sqe, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(
        """
setup: [CREATE SCHEMA shop, "CREATE TABLE shop.products AS SELECT 'pen' AS name, 2 AS price"]
cases:
  - {user: eve, query: SELECT * FROM iceberg.shop.products, expect: {rows: [[pencil, 2]]}}
  - {user: eve, query: SELECT * FROM iceberg.shop.products, expect: {refused: ACCESS_DENIED}}
  - {user: eve, query: SELECT * FROM iceberg.shop.nothing, expect: {rows: []}}
"""
    )
    done = run(
        alone,
        tmp_path,
        EXAMPLE / "rules.yaml",
        str(EXAMPLE / "cases.yaml"),
        str(wrong),
        "--junit",
        str(report),
    )
    assert done.code == 1, done.err
    lines = done.out.splitlines()
    suites = {suite.get("name"): suite for suite in ET.parse(report).getroot()}
    assert suites["cases"].get("failures") == "0", done.out
    assert [line for line in lines if line.startswith("ok")] == lines[
        : int(suites["cases"].get("tests") or 0)
    ]
    assert suites["wrong"].get("failures") == "3"
    assert "        missing row: ['pencil', 2]" in lines
    assert "        unexpected row: ['pen', 2]" in lines
    assert "        expected the refusal 'ACCESS_DENIED', but there were 1 rows" in lines
    assert lines[-1].endswith("cases passed.")
    assert "No engine is running." in alone.run("engine", "status").out  # it leaves nothing behind


def test_masks_of_every_type_and_a_setup_that_fails(alone: Sqe, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("setup: SELECT nothing\ncases: [{user: eve, query: SELECT 1, expect: {count: 1}}]")
    done = run(alone, tmp_path, MASKS / "rules.yaml", str(MASKS / "cases.yaml"), str(broken))
    assert [line for line in done.out.splitlines() if not line.startswith("ok")] == [], done.out
    assert done.out, done.err
    assert done.code == 2
    assert "A statement in `setup` failed" in done.err
    assert "SELECT nothing" in done.err
