from __future__ import annotations

from pathlib import Path

import pytest

from sqe.errors import ConfigError
from sqe.policy.documents import StrictModel, read


class Thing(StrictModel):
    name: str
    number: int = 0


def write(tmp_path: Path, name: str, text: str | bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_yaml_and_toml_by_suffix(tmp_path: Path) -> None:
    assert read(write(tmp_path, "a.yaml", "name: x\nnumber: 3\n"), Thing, "thing") == Thing(
        name="x", number=3
    )
    assert read(write(tmp_path, "a.YML", "{name: x}"), Thing, "thing") == Thing(name="x")
    assert read(write(tmp_path, "a.toml", 'name = "x"'), Thing, "thing") == Thing(name="x")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.json", "{}", "neither YAML nor TOML"),
        ("a.yaml", "name: x\nname: y\n", "the key 'name' occurs twice"),
        ("a.toml", 'name = "x"\nname = "y"\n', "Cannot overwrite a value"),
        ("a.yaml", "name: [", "cannot be read"),
        ("a.yaml", "- x\n", "its top level has to be a mapping"),
        ("a.yaml", "", "its top level has to be a mapping"),
        ("a.yaml", "name: x\nother: 1\n", "other: Extra inputs"),
        ("a.yaml", "name: no\n", "name: Input should be a valid string"),
        ("a.yaml", "name: x\n1: x\n", "is not text"),
        ("a.yaml", "name: !!python/object/apply:os.getpid []\n", "could not determine a constructor"),
        ("a.yaml", "name: x\nnumber: '3'\n", "number: Input should be a valid integer"),
        ("a.yaml", b"name: \xff\n", "not UTF-8"),
        ("a.toml", "", "name: Field required"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, name: str, text: str | bytes, says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read(write(tmp_path, name, text), Thing, "thing")
    assert says in refused.value.message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read(tmp_path / "none.yaml", Thing, "thing")
