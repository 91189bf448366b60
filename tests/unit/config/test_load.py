from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.config_file import write_config

from sqe.config.load import examine, load, resolve
from sqe.errors import ConfigError
from sqe.units import Duration, Size


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_the_defaults_need_nothing(home: Path) -> None:
    config = load(None, {"HOME": str(home)})
    assert config.engine.master == "local[*]"
    assert config.engine.idle_timeout == Duration("15min")
    assert config.limits.sql_bytes == Size("1MB")
    assert config.paths.home == home / ".sqe"
    assert config.engine.settings == {}


def test_flags_beat_the_environment_which_beats_the_file(home: Path, tmp_path: Path) -> None:
    file = write_config(
        tmp_path / "x.toml",
        '[engine]\nmemory = "1GB"\nmaster = "local[2]"\nlog_level = "INFO"\nmax_restarts = 1',
    )
    environ = {"HOME": str(home), "SQE_ENGINE__MEMORY": "2GB", "SQE_ENGINE__MASTER": "local[4]"}
    resolved = resolve(file, environ, {"engine.memory": "3GB", "engine.log_level": None})
    engine = resolved.config.engine
    assert (engine.memory, engine.master, engine.log_level, engine.max_restarts) == (
        Size("3GB"),
        "local[4]",
        "INFO",
        1,
    )
    origins = {key: str(origin) for key, origin in resolved.origins.items()}
    assert origins["engine.memory"] == "flag"
    assert origins["engine.master"] == "env SQE_ENGINE__MASTER"
    assert origins["engine.log_level"] == f"file {file}"
    assert origins["engine.offline"] == "default"


def test_the_file_is_named_by_the_variable_or_lies_in_the_home(home: Path, tmp_path: Path) -> None:
    write_config(home / ".sqe/sqe.toml", "[limits]\nrows = 1")
    named = write_config(tmp_path / "named.toml", "[limits]\nrows = 2")
    moved = write_config(tmp_path / "moved/sqe.toml", "[limits]\nrows = 3").parent
    assert load(None, {"HOME": str(home)}).limits.rows == 1
    assert load(None, {"HOME": str(home), "SQE_CONFIG": str(named)}).limits.rows == 2
    assert load(None, {"HOME": str(home), "SQE_PATHS__HOME": str(moved)}).limits.rows == 3


def test_a_file_in_the_current_directory_is_not_read(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_config(tmp_path / "sqe.toml", "[limits]\nrows = 1")
    monkeypatch.chdir(tmp_path)
    assert load(None, {"HOME": str(home)}).limits.rows is None


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ('[engine]\nmemroy = "1GB"', "unknown key 'engine.memroy'", "Did you mean 'engine.memory'?"),
        ("[limit]\nrows = 1", "unknown section 'limit'", "Did you mean 'limits'?"),
        ("engine = 1", "'engine' is a section", "Write [engine]"),
        ('[engine]\nmemory = "lots"', 'engine.memory = "lots" is not a size', None),
        ("[engine]\nmemory = 512", "engine.memory = 512 is not a size", None),
        ('[engine]\nmemory = "1MB"', 'engine.memory = "1MB" is not allowed', "at least 256MB"),
        ("[engine]\nidle_timeout = 30", "engine.idle_timeout = 30 is not a duration", None),
        ("[engine]\noffline = 1", "engine.offline = 1 is not allowed", "true or false"),
        ("[engine]\nmax_restarts = true", "engine.max_restarts = true is not allowed", "from 0 to 1000"),
        ('[engine]\nlog_level = "loud"', 'engine.log_level = "loud" is not allowed', "one of TRACE, DEBUG"),
        ('[engine]\nmaster = "mesos://x"', 'engine.master = "mesos://x" is not a Spark master', None),
        ('[engine]\nurl = "https://x"', "is not the address of a Spark Connect server", None),
        ('[engine]\nurl = "sc://x:1/;token=abc"', "holds a token", None),
        ('[engine]\njava_options = ["-jar"]', "'-jar', which does not begin with -X or -D", None),
        ('[engine]\njava_options = ["-Dspark.x=1"]', "holds a Spark setting", None),
        ('[engine]\njava_options = ["-Xlog:gc"]', "'-Xlog:gc', which needs a file", None),
        ('[engine.settings]\n"hive.x" = "1"', "'hive.x', which is not a Spark setting", None),
        ("[engine]\nsettings = 5", "engine.settings = 5 is not allowed", "a table of texts"),
        ("[limits]\nrows = 0", "limits.rows = 0 is not allowed", "at least 1"),
        (
            "[server]\nlisteners = 5",
            "server.listeners = 5 is not allowed",
            "a list of flight, trino, metrics",
        ),
        ('[server]\nlisteners = ["web"]', 'server.listeners = ["web"] is not allowed', "a list of flight"),
        ('[server]\ntrusted_proxies = ["x"]', "holds 'x', which is neither an address nor a network", None),
        ("[server]\ntrino_port = 70000", "server.trino_port = 70000 is not allowed", "from 0 to 65535"),
        ('[server]\ntls_client_auth = "yes"', "is not allowed", "one of none, optional, required"),
        ("[auth]\nproviders = []", "auth.providers = [] is empty or names one twice", None),
        ('[auth]\nproviders = ["certificate"]', "is not allowed", "a list of oidc_password, bearer_token"),
        (
            '[oidc]\nissuer = "ftp://idp"',
            'oidc.issuer = "ftp://idp" is not an address such as https://',
            None,
        ),
        ('[oidc]\nissuer = "https:///realm"', "is not an address such as https://", None),
        ('[oidc]\nissuer = "https://idp:x"', "is not an address such as https://", None),
        ('[oidc]\nissuer = "https://idp/a b"', "is not an address such as https://", None),
        ('[oidc]\nissuer = "https://idp/#x"', "has a part behind '#'", None),
        ("[oidc]\nissuer = 5", "oidc.issuer = 5 is not allowed", "an address such as https://"),
        ('[oidc]\nalgorithms = ["HS256"]', "is not allowed", "a list of RS256"),
        ("[oidc]\nalgorithms = []", "is empty, so that no token could be accepted", None),
        ('[oidc]\nscopes = ["openid email"]', "holds 'openid email', which is not one scope", None),
        ('[oidc]\nclient_id = ""', "is not allowed", "text"),
        ('[oidc]\ntimeout = "1h"', "is not allowed", "from 100ms to 1min"),
        ('[aws_iam.users]\nalice = "alice"', "aws_iam.users holds 'alice'; write", None),
        ("[rate_limit]\nqueries_per_user = -1", "is not allowed", "from 0 to"),
        ('[engine]\ncontrol_secret = "short"', "has less than 32 characters", None),
        ("[production]\nenabled = 1", "production.enabled = 1 is not allowed", "true or false"),
        ("[limits\nrows = 0", "is not valid TOML", None),
        ("[limits]\nrows = 1\nrows = 2", "is not valid TOML", None),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, text: str, words: str, hint: str | None) -> None:
    file = write_config(tmp_path / "x.toml", text)
    with pytest.raises(ConfigError) as caught:
        load(file, {})
    assert caught.value.message.startswith(f"{file}: ")
    assert words in caught.value.message
    assert (hint or "") in (caught.value.hint or "")
    assert (hint is None) == (caught.value.hint is None)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (
            "SQE_ENGINE__MEMROY",
            "1GB",
            "unknown variable 'SQE_ENGINE__MEMROY'. Did you mean 'SQE_ENGINE__MEMORY'?",
        ),
        ("SQE_ENGINE_MEMORY", "1GB", "Did you mean 'SQE_ENGINE__MEMORY'?"),
        ("SQE_ENGINE__memory", "1GB", "Did you mean 'SQE_ENGINE__MEMORY'?"),
        ("SQE_ENGINE__OFFLINE", "perhaps", 'SQE_ENGINE__OFFLINE: engine.offline = "perhaps" is not allowed'),
        ("SQE_LIMITS__ROWS", "many", 'SQE_LIMITS__ROWS: limits.rows = "many" is not allowed'),
        ("SQE_ENGINE__SETTINGS", "spark.x=1", "SQE_ENGINE__SETTINGS: is not a TOML inline table"),
        ("SQE_SERVER__LISTENERS", "flight,trino", "SQE_SERVER__LISTENERS: is not a TOML list"),
        ("SQE_CONFIG", "/nowhere/x.toml", "/nowhere/x.toml: cannot be read"),
    ],
)
def test_what_is_wrong_in_the_environment_is_named(home: Path, name: str, text: str, words: str) -> None:
    _, problems = examine(None, {"HOME": str(home), name: text})
    assert [words in str(problem) for problem in problems] == [True]


def test_other_variables_are_none_of_our_business(home: Path) -> None:
    load(None, {"HOME": str(home), "SQE_HISTORY": "x", "SQEEZE__X": "1", "PATH": "/bin"})


def test_unknown_flags_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"unknown setting 'engine.memroy'"):
        load(None, {}, {"engine.memroy": "1GB"})


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    file = write_config(tmp_path / "x.toml", '[engine]\nmemroy = "1GB"\nmemory = "x"\n[limits]\nrows = 0')
    with pytest.raises(ConfigError) as caught:
        load(file, {"SQE_SHELL__FORMAT": "xml"})
    for words in ("4 problems", "engine.memroy", "engine.memory", "limits.rows", "SQE_SHELL__FORMAT"):
        assert words in caught.value.message


def test_an_empty_variable_unsets(tmp_path: Path) -> None:
    file = write_config(tmp_path / "x.toml", "[limits]\nrows = 5")
    assert load(file, {"SQE_LIMITS__ROWS": ""}).limits.rows is None
    assert load(file, {"SQE_SHELL__NULL": ""}).shell.null == ""


def test_variables_have_the_type_of_their_setting(home: Path) -> None:
    environ = {
        "HOME": str(home),
        "SQE_ENGINE__OFFLINE": "True",
        "SQE_LIMITS__ROWS": "7",
        "SQE_ENGINE__JAVA_HOME": "~/j",
    }
    config = load(None, environ)
    assert config.engine.offline is True
    assert config.limits.rows == 7
    assert config.engine.java_home == home / "j"


def test_relative_paths_start_at_the_file(home: Path, tmp_path: Path) -> None:
    file = write_config(tmp_path / "etc/x.toml", '[tls]\nca_bundle = "ca.pem"\n[paths]\ncache = "~/c"')
    config = load(file, {"HOME": str(home)})
    assert config.tls.ca_bundle == tmp_path / "etc/ca.pem"
    assert config.paths.cache == home / "c"


def test_spark_settings_are_merged_entry_by_entry(home: Path, tmp_path: Path) -> None:
    file = write_config(
        tmp_path / "x.toml", '[engine.settings]\nspark.a.b = 1\n"spark.c" = "file"\nspark.d = true'
    )
    environ = {"HOME": str(home), "SQE_ENGINE__SETTINGS": '{"spark.c" = "env"}'}
    config = load(file, environ, {"engine.settings.spark.e": "flag"})
    assert config.engine.settings == {
        "spark.a.b": "1",
        "spark.c": "env",
        "spark.d": "true",
        "spark.e": "flag",
    }


def test_lists_come_from_every_place(home: Path, tmp_path: Path) -> None:
    file = write_config(
        tmp_path / "x.toml", '[server]\nlisteners = ["trino"]\n[auth]\nproviders = ["users_file"]'
    )
    config = load(file, {"HOME": str(home), "SQE_AUTH__PROVIDERS": '["users_file", "anonymous"]'})
    assert config.server.listeners == ("trino",)
    assert config.auth.providers == ("users_file", "anonymous")
    assert config.redacted()["server"]["listeners"] == ["trino"]


def test_a_wrong_secret_is_not_repeated(tmp_path: Path) -> None:
    file = write_config(tmp_path / "x.toml", "[engine]\ntoken = 7415963")
    with pytest.raises(ConfigError) as caught:
        load(file, {})
    assert "engine.token" in caught.value.message
    assert "7415963" not in f"{caught.value.message} {caught.value.hint}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[oidc]\ntoken_url = "https://alice:hunter2@idp"', "holds a user or a password"),
        ('[oidc]\ntoken_url = "https://hunter2@idp:port"', "holds a user or a password"),
        ('[engine]\nurl = "sc://x:1/;token=hunter2"', "holds a token"),
    ],
)
def test_an_address_must_not_hold_credentials(tmp_path: Path, text: str, words: str) -> None:
    file = write_config(tmp_path / "x.toml", text)
    with pytest.raises(ConfigError, match=words) as caught:
        load(file, {})
    assert "hunter2" not in f"{caught.value.message} {caught.value.hint}"


def test_a_file_with_a_secret_must_be_private(tmp_path: Path) -> None:
    file = write_config(tmp_path / "x.toml", '[engine]\ntoken = "hunter2"')
    file.chmod(0o644)
    with pytest.raises(ConfigError, match=r"every user of this machine can read it") as caught:
        load(file, {})
    assert "hunter2" not in caught.value.message
