from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.config_file import write_config

from sqe.config.load import examine, load, resolve
from sqe.config.names import RESERVED_CATALOGS
from sqe.errors import ConfigError

REST = 'uri = "https://c"'


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        (
            f'[catalogs.lake]\n{REST}\nregoin = "eu-1"',
            "unknown key 'catalogs.lake.regoin'",
            "Did you mean 'catalogs.lake.region'?",
        ),
        ("[catalogs.lake]", "catalogs.lake.uri is missing; a catalog of type rest needs its address", None),
        ('[catalogs.lake]\ntype = "warehouse"', "catalogs.lake.path is missing", None),
        ('[catalogs]\nlake = "/x"', "'catalogs.lake' is a section", "Write [catalogs.NAME]"),
        ("catalogs = 5", "'catalogs' is a section", "Write [catalogs.NAME]"),
        (f"[catalogs.Lake]\n{REST}", "catalogs holds 'Lake'; a catalog's name has lower-case letters", None),
        (f'[catalogs."a-b"]\n{REST}', "catalogs holds 'a-b'; a catalog's name", None),
        (f"[catalogs.system]\n{REST}", "catalogs holds 'system', which is a name of SQE's or Spark's", None),
        (
            '[catalogs.lake]\ntype = "hive"',
            'catalogs.lake.type = "hive" is not allowed',
            "one of rest, warehouse",
        ),
        (
            f'[catalogs.lake]\n{REST}\npath = "/x"',
            'catalogs.lake.path = "/x" is for catalogs of type warehouse; this one is of type rest',
            None,
        ),
        (
            '[catalogs.lake]\ntype = "warehouse"\npath = "/x"\nstorage = "vended"',
            'catalogs.lake.storage = "vended" is for catalogs of type rest; this one is of type warehouse',
            None,
        ),
        (
            f'[catalogs.lake]\n{REST}\nstorage = "web_identity"',
            "catalogs.lake.sts_endpoint is missing; storage = web_identity needs it",
            None,
        ),
        (
            f'[catalogs.lake]\n{REST}\nsts_role = "arn:x"',
            'catalogs.lake.sts_role = "arn:x" is for storage = web_identity; this catalog has vended',
            None,
        ),
        ('[catalogs.lake]\nuri = "s3://c"', 'catalogs.lake.uri = "s3://c" is not an address', None),
        (f"[catalogs.lake]\n{REST}\nregion = 5", "catalogs.lake.region = 5 is not allowed", "text"),
        (f"[catalogs.lake]\n{REST}\noptions = 5", "catalogs.lake.options = 5 is not allowed", "table of"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, words: str, hint: str | None) -> None:
    file = write_config(tmp_path / "x.toml", text)
    with pytest.raises(ConfigError) as caught:
        load(file, {})
    assert caught.value.message.startswith(f"{file}: ")
    assert words in caught.value.message
    assert (hint or "") in (caught.value.hint or "")
    assert (hint is None) == (caught.value.hint is None)


def test_all_that_is_wrong_with_a_catalog_is_told_at_once(tmp_path: Path) -> None:
    file = write_config(tmp_path / "x.toml", '[catalogs.lake]\npath = "/x"\nstorage = "web_identity"')
    _, problems = examine(file, {})
    assert [str(problem).split(": ", 1)[1].split(" ")[0] for problem in problems] == [
        "catalogs.lake.path",
        "catalogs.lake.uri",
        "catalogs.lake.sts_endpoint",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "token",
        "Token",
        "credential",
        "s3.access-key-id",
        "s3.secret-access-key",
        "s3.session-token",
        "rest.access-key-id",
        "rest.secret-access-key",
        "rest.session-token",
        "rest.auth.type",
        "rest.auth.basic.password",
        "rest.sigv4-enabled",
        "rest.signing-region",
        "rest.client.proxy.username",
        "oauth2-server-uri",
        "token-refresh-enabled",
        "token-exchange-enabled",
        "scope",
        "audience",
        "resource",
        "header.Authorization",
        "header.X-Iceberg-Access-Delegation",
        "io-impl",
        "catalog-impl",
        "client.factory",
        "s3.client-factory-impl",
        "client.credentials-provider",
        "client.credentials-provider.handle",
        "client.assume-role.arn",
        "s3.remote-signing-enabled",
        "s3.signer.uri",
        "s3.access-grants.enabled",
        "s3.sse.key",
        "adls.sas-token.account",
        "adls.connection-string.account",
        "gcs.oauth2.token",
        "metrics-reporter-impl",
        "sqe.handle",
        "uri",
        "warehouse",
        "type",
        "client.region",
        "s3.endpoint",
        "rest-metrics-reporting-enabled",
    ],
)
def test_options_cannot_say_who_asks(tmp_path: Path, name: str) -> None:
    file = write_config(
        tmp_path / "x.toml", f'[catalogs.lake]\n{REST}\n[catalogs.lake.options]\n"{name}" = "hunter2"'
    )
    with pytest.raises(ConfigError, match="holds") as caught:
        load(file, {})
    assert f"'{name}'" in caught.value.message
    assert "hunter2" not in f"{caught.value.message} {caught.value.hint}"


@pytest.mark.parametrize(
    "name",
    ["s3.delete.batch-size", "rest.client.connection-timeout-ms", "table-default.write.format.default"],
)
def test_other_options_are_passed_on(tmp_path: Path, name: str) -> None:
    file = write_config(tmp_path / "x.toml", f"[catalogs.lake]\n{REST}\noptions.{name} = 5")
    assert load(file, {}).catalogs["lake"].options == {name: "5"}


def test_catalogs_come_from_every_place_entry_by_entry(tmp_path: Path) -> None:
    file = write_config(
        tmp_path / "etc/x.toml",
        f'[catalogs.zoo]\n{REST}\noptions = {{a = "1", b = "1"}}\n[catalogs.own]\ntype = "warehouse"\npath = "d"',
    )
    environ = {
        "HOME": str(tmp_path),
        "SQE_CATALOGS__ZOO__OPTIONS": '{b = "2", c = "2"}',
        "SQE_CATALOGS__ZOO__S3_PATH_STYLE": "true",
        "SQE_CATALOGS__MY_LAKE__URI": "https://m",
        "SQE_CATALOGS__BOX__TYPE": "warehouse",
        "SQE_CATALOGS__BOX__PATH": "~/box",
    }
    resolved = resolve(file, environ, {"catalogs.zoo.region": "eu-1", "catalogs.zoo.options.c.d": "3"})
    catalogs = resolved.config.catalogs
    assert list(catalogs) == ["zoo", "own", "box", "my_lake"]
    assert catalogs["zoo"].options == {"a": "1", "b": "2", "c": "2", "c.d": "3"}
    assert (catalogs["zoo"].region, catalogs["zoo"].s3_path_style) == ("eu-1", True)
    assert catalogs["own"].path == tmp_path / "etc/d"
    assert catalogs["box"].path == tmp_path / "box"
    assert catalogs["my_lake"].uri == "https://m"
    origins = {key: str(origin) for key, origin in resolved.origins.items()}
    assert origins["catalogs.zoo.uri"] == f"file {file}"
    assert origins["catalogs.zoo.options.b"] == "env SQE_CATALOGS__ZOO__OPTIONS"
    assert origins["catalogs.zoo.region"] == "flag"
    assert origins["catalogs.box.storage"] == "default"


def test_an_empty_variable_unsets_a_field(tmp_path: Path) -> None:
    file = write_config(tmp_path / "x.toml", f'[catalogs.lake]\n{REST}\nwarehouse = "w"')
    assert load(file, {"SQE_CATALOGS__LAKE__WAREHOUSE": ""}).catalogs["lake"].warehouse is None


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("SQE_CATALOGS__LAKE__URL", "https://x", "Did you mean 'SQE_CATALOGS__LAKE__URI'?"),
        ("SQE_CATALOGS_LAKE_URI", "https://x", "unknown variable 'SQE_CATALOGS_LAKE_URI'. Did you mean"),
        ("SQE_CATALOGS__lake__URI", "https://x", "unknown variable 'SQE_CATALOGS__lake__URI'. Did you mean"),
        ("SQE_CATALOGS", "{}", "unknown variable 'SQE_CATALOGS'"),
        ("SQE_CATALOGS__LAKE__OPTIONS", "a=b", "SQE_CATALOGS__LAKE__OPTIONS: is not a TOML inline table"),
        (
            "SQE_CATALOGS__LAKE__URI",
            "x",
            'SQE_CATALOGS__LAKE__URI: catalogs.lake.uri = "x" is not an address',
        ),
        ("SQE_SERVER__CATALOGS", '{lake = "/x"}', "unknown variable 'SQE_SERVER__CATALOGS'"),
    ],
)
def test_what_is_wrong_in_the_environment_is_named(tmp_path: Path, name: str, text: str, words: str) -> None:
    _, problems = examine(None, {"HOME": str(tmp_path), name: text})
    assert [words in str(problem) for problem in problems] == [True], problems


@pytest.mark.parametrize("flag", ["catalogs.lake", "catalogs", "catalogs.lake.url", "catalogs.lake.uri.x"])
def test_unknown_flags_are_refused(flag: str) -> None:
    with pytest.raises(ConfigError, match="unknown setting"):
        load(None, {}, {flag: "x"})


def test_the_model_reserves_the_same_names() -> None:
    from sqe.errors import UsageError
    from sqe.model.session import WarehouseCatalog

    for name in RESERVED_CATALOGS:
        with pytest.raises(UsageError):
            WarehouseCatalog(name, None)
