from __future__ import annotations

from pathlib import Path

import pytest

from sqe.config.schema import known_keys
from sqe.errors import tree
from sqe.reference import PAGES, configuration_page, error_meanings, errors_page

DIRECTORY = Path(__file__).parents[2] / "docs/reference"


@pytest.mark.parametrize("name", PAGES)
def test_the_committed_page_is_what_the_code_says(name: str) -> None:
    committed = (DIRECTORY / name).read_text(encoding="utf-8")
    assert committed == PAGES[name](), "Run `make docs`."


def test_every_setting_and_every_error_is_on_its_page() -> None:
    configuration, errors = configuration_page(), errors_page()
    assert all(f"| `{key}` |" in configuration for *_, key in known_keys())
    assert all(f"| `{error.code}` |" in errors for error in tree())
    assert len(error_meanings()) == len(list(tree()))
