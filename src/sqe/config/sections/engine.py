"""`[engine]`: the Spark Connect server behind the gateway."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, field_validator

from sqe.config.fields import AbsolutePath, RedactedValueError, Section, SettingText, Texts
from sqe.units import Duration, Secret, Size

_MASTER = re.compile(r"local(\[(\*|[1-9]\d*)(\s*,\s*[1-9]\d*)?\])?|spark://\S+|k8s://\S+|yarn")
_SHORTEST_SECRET = 32  # characters

LogLevel = Literal["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "OFF"]


class EngineConfig(Section):
    """The Spark Connect server behind the gateway."""

    url: str | None = Field(
        default=None,
        description="A Spark Connect server that runs elsewhere, `sc://host:port`. Unset: SQE starts its own.",
    )
    token: Secret | None = Field(
        default=None,
        description="The pre-shared token of the server in `engine.url`. An own engine makes its own.",
    )
    control_secret: Secret | None = Field(
        default=None,
        description="The secret that the server in `engine.url` presents when it requests users' tokens; at least 32 "
        "characters. An own engine gets a fresh one at each start.",
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
        default=True,
        description="Run a few small queries after the start, so that the first is fast. For the shell: keep a process "
        "in which `sqe -e` starts faster.",
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
    log_level: LogLevel = Field(default="WARN", description="The level of the engine's log file.")
    shuffle_partitions: int | None = Field(
        default=None,
        description="Partitions of a shuffle (`spark.sql.shuffle.partitions`). Unset: from the cores.",
        ge=1,
        le=100_000,
    )
    java_options: Texts = Field(
        default=(),
        description="More options for an own engine's JVM, such as another garbage collector: `-X...`, `-XX:...` or "
        "`-Dname=value`.",
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
            raise RedactedValueError(
                "holds a token; put it into engine.token, which logs and listings do not show"
            )
        return url

    @field_validator("control_secret")
    @classmethod
    def _check_control_secret(cls, secret: Secret | None) -> Secret | None:
        if secret is not None and len(secret.reveal()) < _SHORTEST_SECRET:
            raise ValueError(f"has less than {_SHORTEST_SECRET} characters and could be guessed")
        return secret

    @field_validator("master")
    @classmethod
    def _check_master(cls, master: str) -> str:
        if not _MASTER.fullmatch(master):
            raise ValueError(
                "is not a Spark master; write local[*], local[N], spark://..., k8s://... or yarn"
            )
        return master

    @field_validator("java_options")
    @classmethod
    def _check_java_options(cls, options: tuple[str, ...]) -> tuple[str, ...]:
        for option in options:
            if not option.startswith(("-X", "-D")):
                raise ValueError(f"holds '{option}', which does not begin with -X or -D")
            if option.startswith("-Dspark."):
                raise ValueError("holds a Spark setting; put that into engine.settings")
            if option.startswith("-Xlog") and "file=" not in option:
                raise ValueError(f"holds '{option}', which needs a file: -Xlog:...:file=/where/to.log")
        return options

    @field_validator("settings")
    @classmethod
    def _check_settings(cls, settings: dict[str, str]) -> dict[str, str]:
        foreign = [name for name in settings if not name.startswith("spark.")]
        if foreign:
            raise ValueError(
                f"holds '{foreign[0]}', which is not a Spark setting; their names begin with 'spark.'"
            )
        return settings
