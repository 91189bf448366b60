"""`[policy]`: who may see which rows and columns, and who decides that."""

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
    """Who decides on privileges, row filters and column masks. Without any engine, the catalog alone decides.

    All engines have to allow what is done; row filters of all of them hold; of several masks the strongest counts.
    """

    engines: PolicyEngines = Field(
        default=(),
        description="Who is asked: `grants` are written in SQL and kept in a database; `opa` is an Open Policy Agent "
        "with policies as for Trino; `cedar` reads Cedar policies; `file` reads rules from a YAML or TOML file.",
    )
    admins: Texts = Field(
        default=(),
        description="Who may grant anything to anybody, with the engine `grants`: `user:NAME`, `role:NAME`, "
        "`group:NAME`.",
    )
    mask_key: Secret | None = Field(
        default=None,
        description="The key of hash masks (HMAC-SHA256), at least 32 characters. Without it, a hash mask refuses "
        "the table.",
    )
    timeout: Duration = Field(
        default=Duration("2s"),
        description="How long a decision may take; after that it is a refusal.",
        ge=Duration("100ms"),
        le=Duration("1min"),
    )
    cache: Duration = Field(
        default=Duration("5s"),
        description="How long an answer is used again of an engine that cannot tell whether its policies have "
        "changed, such as `opa`. 0s: not at all.",
        le=Duration("1h"),
    )
    grants_database: Secret | None = Field(
        default=None,
        description="With `grants`: where they are kept, `postgresql://...`. Unset: in `grants.db` below "
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
        """Whether anybody decides besides the catalog."""
        return bool(self.engines)
