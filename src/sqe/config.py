"""The whole configuration: one strict TOML schema, and where each value comes from.

A value is taken from the first place that has it: a command-line flag, the environment (`SQE_ENGINE__MEMORY`
is `engine.memory`), the file, the default. Whatever is not in the schema is refused, in all of these places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, cast, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator
from pydantic.fields import FieldInfo

from sqe.config_sources import Kind, Origin, Problem, Value, gather, leaf_types, value_types
from sqe.errors import ConfigError
from sqe.units import DURATION_HELP, REDACTED, SIZE_HELP, Duration, Secret, Size

__all__ = ["Config", "Duration", "Origin", "Problem", "Resolved", "Secret", "Size", "load", "resolve"]

_MASTER = re.compile(r"local(\[(\*|[1-9]\d*)(\s*,\s*[1-9]\d*)?\])?|spark://\S+|k8s://\S+|yarn")
_SECRET_NAME = re.compile(r"(?i)secret|password|token|access[._-]?key|credential")


def _expand_home(value: object) -> object:
    return Path(value).expanduser() if isinstance(value, str | Path) else value


def _scalar_as_text(value: object) -> object:
    # Spark's settings are text; `spark.ui.enabled = false` in TOML means the text "false".
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


def _fixed_list(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


AbsolutePath = Annotated[Path, BeforeValidator(_expand_home)]
SettingText = Annotated[str, BeforeValidator(_scalar_as_text)]
LogLevel = Literal["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "OFF"]
OutputFormat = Literal["table", "csv", "tsv", "json", "jsonl", "markdown", "vertical"]
ListenerName = Literal["flight", "trino", "metrics", "health"]
Listeners = Annotated[tuple[ListenerName, ...], BeforeValidator(_fixed_list)]
ProviderName = Literal["users_file", "certificate", "anonymous"]
Providers = Annotated[tuple[ProviderName, ...], BeforeValidator(_fixed_list)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_fixed_list)]
ClientAuth = Literal["none", "optional", "required"]


# How messages and the reference page call the values of each type.
_IN_WORDS: dict[type, str] = {
    Secret: "text, kept secret",
    dict: "a table of texts",
    Size: SIZE_HELP,
    Duration: DURATION_HELP,
    Path: "a path",
    tuple: "a list of texts",
    bool: "true or false",
    int: "a whole number",
    str: "text",
}


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_default=True)


class EngineConfig(Section):
    """The Spark behind the gateway: where it runs, and with what."""

    url: str | None = Field(
        default=None,
        description="A Spark Connect server that runs elsewhere, `sc://host:port`. Unset: SQE starts its own.",
    )
    token: Secret | None = Field(
        default=None,
        description="The pre-shared token of the server in `engine.url`. An own engine makes its own.",
    )
    master: str = Field(
        default="local[*]",
        description="Where an own engine's tasks run: `local[*]`, `local[N]`, `spark://...`, `k8s://...`, `yarn`.",
    )
    memory: Size | None = Field(
        default=None,
        description="Heap of the engine's driver. Unset: a share of the machine's memory.",
        ge=Size("256MB"),
    )
    java_home: AbsolutePath | None = Field(
        default=None,
        description="A Java 17 or 21. Unset: `$JAVA_HOME` if it is one of them, else the bundled.",
    )
    ivy_settings: AbsolutePath | None = Field(
        default=None,
        description="An Ivy settings file for fetching the engine's jars through a company mirror.",
    )
    offline: bool = Field(
        default=False, description="Never use the network to fetch the engine's parts; fail instead."
    )
    class_data_sharing: bool = Field(
        default=True,
        description="Make and use an archive of the engine's classes, which halves its start-up time.",
    )
    warm_up: bool = Field(
        default=True, description="Run a few small queries after the start, so that the first is fast."
    )
    idle_timeout: Duration = Field(
        default=Duration("15min"),
        description="How long a background gateway and its engine stay after the last shell has left.",
        ge=Duration("1s"),
    )
    start_timeout: Duration = Field(
        default=Duration("120s"),
        description="How long an engine may take to become ready.",
        ge=Duration("1s"),
    )
    max_restarts: int = Field(
        default=5,
        description="How often in a row a crashed engine is started again before SQE gives up.",
        ge=0,
        le=1000,
    )
    log_level: LogLevel = Field(default="WARN", description="How much the engine writes to its log file.")
    shuffle_partitions: int | None = Field(
        default=None,
        description="Partitions of a shuffle (`spark.sql.shuffle.partitions`). Unset: from the cores.",
        ge=1,
        le=100_000,
    )
    settings: dict[str, SettingText] = Field(
        default_factory=dict,
        description="More Spark settings for an own engine, by Spark's names. The pinned ones cannot be set.",
    )

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str | None) -> str | None:
        if url is not None and not re.fullmatch(r"sc://[^\s/;]+(/.*)?", url):
            raise ValueError("is not the address of a Spark Connect server; write sc://host:port")
        if url is not None and "token=" in url:
            raise ValueError(
                "holds a token; put that into engine.token, where it is kept out of logs and listings"
            )
        return url

    @field_validator("master")
    @classmethod
    def _check_master(cls, master: str) -> str:
        if not _MASTER.fullmatch(master):
            raise ValueError(
                "is not a Spark master; write local[*], local[N], spark://..., k8s://... or yarn"
            )
        return master

    @field_validator("settings")
    @classmethod
    def _check_settings(cls, settings: dict[str, str]) -> dict[str, str]:
        foreign = [name for name in settings if not name.startswith("spark.")]
        if foreign:
            raise ValueError(
                f"holds '{foreign[0]}', which is not a Spark setting; their names begin with 'spark.'"
            )
        return settings


class TlsConfig(Section):
    """Whom SQE trusts when it connects to others."""

    ca_bundle: AbsolutePath | None = Field(
        default=None,
        description="A PEM file of trusted certificates, for Python and Java alike. Unset: the system's.",
    )


class PathsConfig(Section):
    """Where SQE keeps its files."""

    home: AbsolutePath = Field(
        default=Path("~/.sqe"),
        description="What must be kept: the default warehouse, the shell's history, `sqe.toml`.",
    )
    cache: AbsolutePath | None = Field(
        default=None,
        description="What can be made again, such as jars. Unset: `$XDG_CACHE_HOME/sqe` or `~/.cache/sqe`.",
    )


class LimitsConfig(Section):
    """What one gateway lets its users do at most."""

    concurrent_queries: int = Field(
        default=16, description="Queries that run at the same time.", ge=1, le=10_000
    )
    concurrent_queries_per_user: int = Field(
        default=8, description="Queries of one user that run at the same time.", ge=1, le=10_000
    )
    queued_queries: int = Field(
        default=1000, description="Queries that may wait for a slot; one more is refused.", ge=0, le=100_000
    )
    sessions: int = Field(default=500, description="Open sessions.", ge=1, le=100_000)
    session_idle: Duration = Field(
        default=Duration("30min"),
        description="How long a session of a network client stays open after its last request.",
        ge=Duration("1s"),
    )
    run_time: Duration | None = Field(
        default=None,
        description="How long a query may run before it is canceled. Unset: for ever.",
        ge=Duration("1ms"),
    )
    rows: int | None = Field(
        default=None, description="Rows that a query may return before it fails. Unset: any number.", ge=1
    )
    sql_bytes: Size = Field(
        default=Size("1MB"),
        description="Length of a statement's text in UTF-8.",
        ge=Size("1kB"),
        le=Size("64MB"),
    )
    sql_depth: int = Field(
        default=256, description="Nesting of a statement, such as parentheses.", ge=8, le=10_000
    )
    result_buffer: Size = Field(
        default=Size("32MB"),
        description="How much of one result the gateway holds while the client is slower than the engine.",
        ge=Size("1MB"),
    )
    result_spill: Size = Field(
        default=Size("10GB"),
        description="How much of one result is kept in a file for a slow client before the engine has to wait.",
        ge=Size("1MB"),
    )
    unread_result: Duration = Field(
        default=Duration("5min"),
        description="How long a result waits for a client that does not fetch before the query is canceled.",
        ge=Duration("1s"),
    )


class ServerConfig(Section):
    """What `sqe server` opens to the network. A gateway that a shell starts in the background opens none of it."""

    listeners: Listeners = Field(
        default=("flight", "trino", "metrics", "health"),
        description="What is opened. Leave one out to turn it off.",
    )
    flight_host: str = Field(default="127.0.0.1", description="Where Flight SQL listens.", min_length=1)
    flight_port: int = Field(
        default=50051, description="The port of Flight SQL; 0 takes a free one.", ge=0, le=65535
    )
    trino_host: str = Field(default="127.0.0.1", description="Where Trino's protocol listens.", min_length=1)
    trino_port: int = Field(
        default=8080, description="The port of Trino's protocol; 0 takes a free one.", ge=0, le=65535
    )
    metrics_host: str = Field(
        default="127.0.0.1", description="Where metrics for Prometheus are served.", min_length=1
    )
    metrics_port: int = Field(
        default=9090, description="The port of the metrics; 0 takes a free one.", ge=0, le=65535
    )
    health_host: str = Field(
        default="127.0.0.1", description="Where `/healthz` and `/readyz` are served.", min_length=1
    )
    health_port: int = Field(
        default=9091, description="The port of the health probes; 0 takes a free one.", ge=0, le=65535
    )
    plain_text: Listeners = Field(
        default=(),
        description="Listeners that do without TLS although there is a certificate, or although they can be "
        "reached from other machines. Nothing else lets a listener that is not on loopback do without.",
    )
    tls_certificate: AbsolutePath | None = Field(
        default=None,
        description="A PEM file with the server's certificate and what leads to its root. Read again when it changes.",
    )
    tls_key: AbsolutePath | None = Field(
        default=None,
        description="A PEM file with the certificate's private key, readable by its owner only.",
    )
    tls_client_ca: AbsolutePath | None = Field(
        default=None, description="A PEM file with the roots of client certificates."
    )
    tls_client_auth: ClientAuth = Field(
        default="none",
        description="Whether the listeners (but health) ask clients for a certificate.",
    )
    trusted_proxies: Texts = Field(
        default=(),
        description="Addresses or networks, such as `10.0.0.0/8`, whose `X-Forwarded-*` headers are believed.",
    )
    catalogs: dict[str, AbsolutePath] = Field(
        default_factory=dict,
        description="The catalogs of every session: names, and directories of warehouses. The first is current. "
        "Empty: `iceberg` in `warehouse` below `paths.home`.",
    )
    trino_segments: bool = Field(
        default=True,
        description="Send Trino's clients that offer it compressed rows (their spooling protocol).",
    )
    drain_timeout: Duration = Field(
        default=Duration("30s"),
        description="How long running queries may take to end after SIGTERM, before they are canceled.",
    )

    @field_validator("trusted_proxies")
    @classmethod
    def _check_networks(cls, networks: tuple[str, ...]) -> tuple[str, ...]:
        import ipaddress

        for network in networks:
            try:
                ipaddress.ip_network(network)
            except ValueError:
                raise ValueError(
                    f"holds '{network}', which is neither an address nor a network such as 10.0.0.0/8"
                ) from None
        return networks

    @field_validator("catalogs")
    @classmethod
    def _check_catalogs(cls, catalogs: dict[str, Path]) -> dict[str, Path]:
        for name in catalogs:
            if not re.fullmatch(r"[a-z_][a-z0-9_]*", name):
                raise ValueError(
                    f"holds '{name}'; a catalog's name has lower-case letters, digits and underscores"
                )
        return catalogs


class AuthConfig(Section):
    """Who may come in at the listeners of `sqe server`."""

    providers: Providers = Field(
        default=("anonymous",),
        description="Who is asked, in this order: `users_file` knows passwords, `certificate` takes the name in a "
        "verified client certificate, `anonymous` lets clients on this machine in without any credentials.",
    )
    users_file: AbsolutePath | None = Field(
        default=None,
        description="The users and their hashed passwords; `sqe users` writes it. Unset: `users` below `paths.home`.",
    )
    token_lifetime: Duration = Field(
        default=Duration("12h"),
        description="How long a token is good that a client got for its password.",
        ge=Duration("1min"),
    )
    token_idle: Duration = Field(
        default=Duration("1h"), description="How long it is good without being used.", ge=Duration("1min")
    )

    @field_validator("providers")
    @classmethod
    def _check_providers(cls, providers: tuple[str, ...]) -> tuple[str, ...]:
        if not providers or len(set(providers)) < len(providers):
            raise ValueError("is empty or names one twice")
        return providers


class ShellConfig(Section):
    """How the interactive shell and batch mode show things."""

    format: OutputFormat = Field(default="table", description="How results are written.")
    null: str = Field(default="NULL", description="The text that stands for NULL in a table.")
    timer: bool = Field(default=False, description="Print how long each statement took.")
    pager: bool = Field(default=True, description="Show results that do not fit the terminal in a pager.")
    history_size: int = Field(
        default=10_000, description="Statements that the shell remembers.", ge=0, le=1_000_000
    )
    max_width: int | None = Field(
        default=None,
        description="Width of a table in characters. Unset: as wide as the terminal.",
        ge=20,
        le=100_000,
    )


class Config(Section):
    """Every setting, checked. Attribute names are the keys of the TOML file."""

    engine: EngineConfig = EngineConfig()
    tls: TlsConfig = TlsConfig()
    paths: PathsConfig = PathsConfig()
    limits: LimitsConfig = LimitsConfig()
    server: ServerConfig = ServerConfig()
    auth: AuthConfig = AuthConfig()
    shell: ShellConfig = ShellConfig()

    def redacted(self) -> dict[str, dict[str, Any]]:
        """Return plain values by section and key, fit to be shown: sizes are text, secrets a mark."""
        return {
            section: {key: _plain(value) for key, value in getattr(self, section)}
            for section in type(self).model_fields
        }

    def to_toml(self, *, redact: bool = True, origins: Mapping[str, Origin] | None = None) -> str:
        """Write the configuration as TOML; with `origins`, each line says where its value came from."""
        lines: list[str] = []
        for section in type(self).model_fields:
            lines += [f"[{section}]"]
            tables: list[str] = []
            for key, value in getattr(self, section):
                dotted = f"{section}.{key}"
                if isinstance(value, dict):
                    entries = [
                        f"{_quoted(name)} = {_toml(text, redact=redact)}"
                        + _comment(origins, f"{dotted}.{name}")
                        for name, text in _hide_named_secrets(value).items()
                    ]
                    tables += ["", f"[{dotted}]", *entries] if entries else []
                elif value is None:
                    lines += [f"# {key} is not set"]
                else:
                    lines += [f"{key} = {_toml(value, redact=redact)}" + _comment(origins, dotted)]
            lines += [*tables, ""]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Resolved:
    """A configuration, the file that was read for it, and the origin of each value by its dotted key."""

    config: Config
    file: Path | None
    origins: Mapping[str, Origin]


def load(file: Path | None, environ: Mapping[str, str], flags: Mapping[str, Any] | None = None) -> Config:
    """Read, merge and check the configuration.

    `file` None means `$SQE_CONFIG`, else `sqe.toml` in SQE's home if there is one. The current directory is
    not looked at: a file there could decide where the engine's code comes from. `flags` are by dotted key;
    None counts as not given.

    Raises:
        ConfigError: naming the place, the key and what is allowed.
    """
    return resolve(file, environ, flags).config


def resolve(
    file: Path | None, environ: Mapping[str, str], flags: Mapping[str, Any] | None = None
) -> Resolved:
    """Do what `load` does, and tell where each value came from."""
    resolved, problems = examine(file, environ, flags)
    if resolved is None:
        if len(problems) == 1:
            raise ConfigError(problems[0].message, hint=problems[0].hint)
        raise ConfigError(
            "\n".join([f"The configuration has {len(problems)} problems:", *map(str, problems)])
        )
    return resolved


def examine(
    file: Path | None, environ: Mapping[str, str], flags: Mapping[str, Any] | None = None
) -> tuple[Resolved | None, list[Problem]]:
    """Do what `resolve` does, but return everything that is wrong instead of raising it."""
    found, values, problems = gather(known_keys(), file, environ, flags or {})
    merged: dict[str, dict[str, Any]] = {section: {} for section in Config.model_fields}
    for (section, key, *entry), value in sorted(values.items(), key=lambda item: -len(item[0])):
        if entry:
            merged[section].setdefault(key, {})[entry[0]] = value.content
        else:  # comes last: a plain value where a table belongs stays, for the schema to refuse
            merged[section][key] = value.content
    try:
        config = Config.model_validate(merged)
    except ValidationError as error:
        return None, [*problems, *_value_problems(error, values)]
    if problems:
        return None, problems
    default = Origin(Kind.DEFAULT)
    origins = {f"{section}.{key}": default for section, key in known_keys()}
    origins.update({".".join(path): value.origin for path, value in values.items()})
    return Resolved(config, found, origins), []


def known_keys() -> dict[tuple[str, str], FieldInfo]:
    """Return every setting by section and key, in the order of the schema."""
    return {(name, key): field for name, section in sections() for key, field in section.model_fields.items()}


def sections() -> Iterator[tuple[str, type[Section]]]:
    for name, field in Config.model_fields.items():
        yield name, cast("type[Section]", field.annotation)


def allowed(field: FieldInfo) -> str:
    """Say in words which values a field takes, for messages and for the reference page."""
    [kind] = leaf_types(field.annotation) - {NoneType}
    if kind is Literal:
        return "one of " + ", ".join(_choices(field))
    if kind is tuple and (choices := _item_choices(field)):
        return "a list of " + ", ".join(choices)
    if kind is dict and Path in value_types(field.annotation):
        return "a table of paths"
    low, high = (
        next((getattr(bound, name) for bound in field.metadata if hasattr(bound, name)), None)
        for name in ("ge", "le")
    )
    if low is not None and high is not None:
        return f"{_IN_WORDS[kind]}, from {low} to {high}"
    return _IN_WORDS[kind] + (
        f", at least {low}" if low is not None else f", at most {high}" if high is not None else ""
    )


def _choices(field: FieldInfo) -> tuple[str, ...]:
    return tuple(str(choice) for choice in get_args(field.annotation))


def _item_choices(field: FieldInfo) -> tuple[str, ...]:
    """The texts that a list may hold; empty: any."""
    item = get_args(field.annotation)[0]
    return tuple(map(str, get_args(item))) if get_origin(item) is Literal else ()


def _value_problems(error: ValidationError, values: Mapping[tuple[str, ...], Value]) -> Iterator[Problem]:
    for item in error.errors(include_url=False):
        path = tuple(str(part) for part in item["loc"])
        field = known_keys()[path[0], path[1]]
        if tuple in leaf_types(field.annotation):
            path = path[:2]  # the list as a whole is what somebody wrote
        value = values.get(path) or next(value for key, value in values.items() if key[:2] == path[:2])
        hidden = Secret in leaf_types(field.annotation) or (len(path) > 2 and _SECRET_NAME.search(path[2]))
        shown = "" if hidden or path not in values else f" = {_toml(value.content, redact=False)}"
        custom = item.get("ctx", {}).get("error") if item["type"] == "value_error" else None
        reason = str(custom) if custom else "is not allowed"
        hint = None if custom else f"Allowed is {allowed(field)}."
        yield Problem(f"{value.origin.place}: {'.'.join(path)}{shown} {reason}.", hint)


def _hide_named_secrets(table: Mapping[str, str | Path]) -> dict[str, str | Path | Secret]:
    # A Spark setting may be a credential, such as an S3 key; its name is all that tells.
    return {
        name: Secret(value) if isinstance(value, str) and value and _SECRET_NAME.search(name) else value
        for name, value in table.items()
    }


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: str(text) for name, text in _hide_named_secrets(value).items()}
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, Size | Duration | Secret | Path) else value


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'


def _toml(value: object, *, redact: bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_toml(item, redact=redact) for item in value) + "]"
    if isinstance(value, Secret):
        return _quoted(REDACTED if redact else value.reveal())
    if isinstance(value, int | float) and not isinstance(value, Size | Duration):
        return str(value)
    return _quoted(str(value))


def _comment(origins: Mapping[str, Origin] | None, key: str) -> str:
    return f"  # {origins[key]}" if origins else ""
