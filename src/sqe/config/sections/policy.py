"""`[policy]`: policy engines for privileges, row filters and column masks."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from sqe.config.fields import AbsolutePath, Section, Texts, as_list
from sqe.units import Duration, Secret

PolicyEngineName = Literal["grants", "opa", "cedar", "file"]
PolicyEngines = Annotated[tuple[PolicyEngineName, ...], BeforeValidator(as_list)]

_ADMIN = re.compile(r"(?:user|role|group):\S(?:.*\S)?")
_SHORTEST_KEY = 32  # characters


class PolicyConfig(Section):
    """Policy engines for privileges, row filters and column masks. Without any, only the catalog decides.

    All engines have to allow an operation; all their row filters apply, and of several masks the strongest.
    """

    engines: PolicyEngines = Field(
        default=(),
        description="The policy engines: `grants` are written in SQL and stored in a database; `opa` is an "
        "Open Policy Agent with policies as for Trino; `cedar` reads Cedar policies; `file` reads rules "
        "from a YAML or TOML file.",
    )
    admins: Texts = Field(
        default=(),
        description="The administrators of the engine `grants`, who may grant everything: `user:NAME`, `role:NAME`, "
        "`group:NAME`.",
    )
    mask_key: Secret | None = Field(
        default=None,
        description="The key of hash masks (HMAC-SHA256), at least 32 characters. Without it, a hash mask refuses "
        "the table.",
    )
    timeout: Duration = Field(
        default=Duration("2s"),
        description="How long a decision may take; after that access is denied.",
        ge=Duration("100ms"),
        le=Duration("1min"),
    )
    cache: Duration = Field(
        default=Duration("5s"),
        description="How long SQE caches the answers of an engine that cannot tell whether its policies have "
        "changed, such as `opa`. 0s: not at all.",
        le=Duration("1h"),
    )
    grants_database: Secret | None = Field(
        default=None,
        description="With `grants`: their database, `postgresql://...`. Unset: `grants.db` below "
        "`paths.home`.",
    )
    file: AbsolutePath | None = Field(default=None, description="With `file`: the rules, in YAML or TOML.")
    cedar_policies: AbsolutePath | None = Field(
        default=None, description="With `cedar`: a file of policies, or a directory of them."
    )
    cedar_entities: AbsolutePath | None = Field(
        default=None, description="With `cedar`: a JSON file of more entities. Unset: none."
    )

    @field_validator("engines")
    @classmethod
    def _check_engines(cls, engines: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(engines)) < len(engines):
            raise ValueError("names one twice")
        return engines

    @field_validator("admins")
    @classmethod
    def _check_admins(cls, admins: tuple[str, ...]) -> tuple[str, ...]:
        for admin in admins:
            if not _ADMIN.fullmatch(admin):
                raise ValueError(f"holds '{admin}'; write user:NAME, role:NAME or group:NAME")
        return admins

    @field_validator("mask_key")
    @classmethod
    def _check_mask_key(cls, key: Secret | None) -> Secret | None:
        if key is not None and len(key.reveal()) < _SHORTEST_KEY:
            raise ValueError(f"has less than {_SHORTEST_KEY} characters and could be guessed")
        return key

    @property
    def guarded(self) -> bool:
        """Whether there are policy engines."""
        return bool(self.engines)
