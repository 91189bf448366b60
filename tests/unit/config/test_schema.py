from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from sqe.config.schema import Config, known_keys
from sqe.production import CHECKS


def test_a_configuration_cannot_be_changed() -> None:
    config = Config()
    with pytest.raises(ValidationError):
        config.limits.rows = 5


def test_every_setting_is_described() -> None:
    for key, field in known_keys().items():
        assert field.description, key
        assert field.description.endswith("."), key


def test_the_schema_can_be_imported_without_anything_heavy() -> None:
    code = "import sys, sqe.config.load; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert not {"pyspark", "pyarrow", "click", "rich", "prompt_toolkit", "sqlglot"} & set(
        loaded.stdout.split()
    )


def test_defaults_are_valid() -> None:
    assert Config() == Config.model_validate({})


def test_every_setting_has_an_effect() -> None:
    """A key that nobody reads would be a promise that is not kept."""
    source = Path(__file__).parents[3] / "src/sqe"
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for path in source.rglob("*.py")
        if source / "config" not in path.parents or path.name == "agreement.py"
    )
    read = set(re.findall(r"\.(\w+)\b", code)) | CHECKS.keys()
    assert [".".join(key) for key in known_keys() if key[-1] not in read] == []
