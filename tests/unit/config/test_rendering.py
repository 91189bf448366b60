from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.config_file import write_config

from sqe.config.load import load, resolve
from sqe.errors import ConfigError
from sqe.units import Secret


def secretive(tmp_path: Path) -> Path:
    return write_config(
        tmp_path / "secret.toml",
        '[engine]\ntoken = "hunter2"\n[engine.settings]\n'
        '"spark.hadoop.fs.s3a.secret.key" = "hunter2"\n"spark.x" = "shown"',
    )


def test_secrets_are_redacted_unless_asked_for(tmp_path: Path) -> None:
    config = load(secretive(tmp_path), {})
    for text in (repr(config), str(config), config.to_toml(), str(config.redacted()["engine"]["token"])):
        assert "***" in text
    assert "hunter2" not in config.to_toml()
    assert "hunter2" not in str(config.redacted())
    assert "shown" in config.to_toml()
    assert config.engine.token == Secret("hunter2")


def test_what_is_written_reads_as_itself(tmp_path: Path) -> None:
    flags: dict[str, Any] = {
        "shell.null": 'a"\\\n\x7fé',
        "engine.memory": "2GiB",
        "limits.run_time": "1h30m",
        "server.plain_text": '["health"]',
    }
    config = load(secretive(tmp_path), {"HOME": str(tmp_path)}, flags)
    copy = write_config(tmp_path / "copy.toml", config.to_toml(redact=False))
    assert load(copy, {"HOME": "/nowhere"}) == config


CATALOGS = """
[catalogs.zoo]
uri = "https://catalog.example/iceberg"
warehouse = "main"
storage = "web_identity"
sts_endpoint = "https://store.example"
s3_path_style = true
options = {"s3.delete.batch-size" = 100, "table-default.x" = 'a"b'}

[catalogs.box]
type = "warehouse"
path = "/data/box"

[aws_iam.users]
"arn:aws:iam::1:user/*" = "ann"

[oidc]
client_secret = "hunter2"
"""


def test_catalogs_are_written_and_read_as_themselves_in_their_order(tmp_path: Path) -> None:
    file = write_config(tmp_path / "x.toml", CATALOGS)
    config = load(file, {"HOME": str(tmp_path)})
    text = config.to_toml(redact=False)
    again = load(write_config(tmp_path / "copy.toml", text), {"HOME": "/nowhere"})
    assert again == config
    assert list(again.catalogs) == ["zoo", "box"]
    assert again.catalogs["zoo"].options == {"s3.delete.batch-size": "100", "table-default.x": 'a"b'}
    assert again.aws_iam.users == {"arn:aws:iam::1:user/*": "ann"}


def test_what_is_shown_of_a_catalog_is_what_its_type_has(tmp_path: Path) -> None:
    resolved = resolve(
        write_config(tmp_path / "x.toml", CATALOGS),
        {"HOME": str(tmp_path), "SQE_CATALOGS__ZOO__REGION": "eu-1"},
    )
    shown = resolved.config.redacted()["catalogs"]
    assert shown["box"] == {"type": "warehouse", "path": "/data/box"}
    assert shown["zoo"]["storage"] == "web_identity"
    assert "path" not in shown["zoo"]
    lines = resolved.config.to_toml(origins=resolved.origins).splitlines()
    start = lines.index("[catalogs.zoo]")
    assert lines[start + 1 : start + 3] == [
        'type = "rest"  # default',
        f'uri = "https://catalog.example/iceberg"  # file {tmp_path / "x.toml"}',
    ]
    assert 'region = "eu-1"  # env SQE_CATALOGS__ZOO__REGION' in lines
    assert f'"s3.delete.batch-size" = "100"  # file {tmp_path / "x.toml"}' in lines
    assert "hunter2" not in "\n".join(lines)


def test_a_redacted_file_is_not_taken_for_a_real_one(tmp_path: Path) -> None:
    copy = write_config(tmp_path / "copy.toml", load(secretive(tmp_path), {}).to_toml())
    with pytest.raises(ConfigError, match=r"stands for a hidden secret"):
        load(copy, {})
