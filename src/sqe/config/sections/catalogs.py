"""`[catalogs.NAME]`: the catalogs of every session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from sqe.config.fields import AbsolutePath, InconsistentValuesError, Section, SettingText, Url

CatalogType = Literal["rest", "warehouse"]
StorageName = Literal["vended", "web_identity", "remote_signing"]

# Parts of the names of Iceberg's properties that carry a credential, or choose the identity at the catalog or store.
_IDENTITY = re.compile(
    r"token|credential|secret|access-?key|password|auth|sigv4|sign|assume-role|access-grants|profile"
    r"|factory|impl|^header\.|^sqe\.|^prefix$|^scope$|^audience$|^resource$|sas|connection-string"
    r"|account\.key|sse\.key|^credentials|username"
)
# Properties that have a key of their own, or that SQE sets.
_OURS = {
    "uri": "uri",
    "warehouse": "warehouse",
    "type": "type",
    "default-namespace": "namespace",
    "client.region": "region",
    "s3.endpoint": "s3_endpoint",
    "s3.path-style-access": "s3_path_style",
    "client.sts.endpoint": "sts_endpoint",
    "cache-enabled": None,
    "cache.expiration-interval-ms": None,
    "rest-metrics-reporting-enabled": None,
    "from": None,
}
_OF_WAREHOUSE = frozenset({"type", "path"})


class CatalogConfig(Section):
    """A catalog of every session, under a name of your choice. The first one is current.

    Without any there is `iceberg`, of type `warehouse`, in `warehouse` below `paths.home`. A catalog of type `rest`
    gets the user's own token, and credentials that were issued for the user open its files.
    """

    type: CatalogType = Field(
        default="rest",
        description="`rest` is an Iceberg REST catalog such as Polaris or Nessie. `warehouse` is a directory that the "
        "server's own account reads and writes, for every user.",
    )
    path: AbsolutePath | None = Field(default=None, description="Of a `warehouse`: its directory.")
    uri: Url | None = Field(default=None, description="Of a `rest` catalog: its address.")
    warehouse: str | None = Field(
        default=None, description="The warehouse, where a `rest` catalog has several.", min_length=1
    )
    namespace: str = Field(
        default="default",
        description="The current namespace of a new session, which need not exist.",
        min_length=1,
    )
    storage: StorageName = Field(
        default="vended",
        description="The credentials that open the files: `vended` ones that the catalog returns with a table, those "
        "that the store's STS issues for the user's token (`web_identity`), or none, because the catalog signs each "
        "request (`remote_signing`).",
    )
    region: str | None = Field(
        default=None,
        description="The store's region. Unset: as the catalog says; `us-east-1` with `s3_endpoint` or `sts_endpoint`.",
        pattern=r"^[a-z0-9-]+$",
    )
    s3_endpoint: Url | None = Field(
        default=None,
        description="The address of a store that is not AWS's. Unset: as the catalog says, or AWS.",
    )
    s3_path_style: bool = Field(
        default=False, description="Put buckets into the path, which most stores need that are not AWS's."
    )
    sts_endpoint: Url | None = Field(
        default=None, description="With `web_identity`: the STS that exchanges the user's token for keys."
    )
    sts_role: str | None = Field(
        default=None,
        description="With `web_identity`: the ARN of the role to assume, where the store needs one.",
        pattern=r"^arn:\S+$",
    )
    options: dict[str, SettingText] = Field(
        default_factory=dict,
        description="More properties of the catalog, by Iceberg's names. None that carries or chooses credentials.",
    )

    @field_validator("options")
    @classmethod
    def _check_options(cls, options: dict[str, str]) -> dict[str, str]:
        for name in options:
            folded = name.strip().lower()
            if folded in _OURS:
                key = _OURS[folded]
                raise ValueError(
                    f"holds '{name}'; " + (f"use the key {key}" if key else "SQE decides on that")
                )
            if _IDENTITY.search(folded):
                raise ValueError(
                    f"holds '{name}', which carries or chooses credentials; every query runs as its user"
                )
        return options

    @model_validator(mode="after")
    def _check_type(self) -> CatalogConfig:
        wrong: dict[str, str] = {}
        if self.type == "warehouse":
            for key in sorted(self.model_fields_set - _OF_WAREHOUSE):
                if getattr(self, key) is not None:
                    wrong[key] = "is for catalogs of type rest; this one is of type warehouse"
            if self.path is None:
                wrong["path"] = "is missing; a catalog of type warehouse needs its directory"
        else:
            if self.path is not None:
                wrong["path"] = "is for catalogs of type warehouse; this one is of type rest"
            if self.uri is None:
                wrong["uri"] = "is missing; a catalog of type rest needs its address"
            if self.storage == "web_identity":
                if self.sts_endpoint is None:
                    wrong["sts_endpoint"] = "is missing; storage = web_identity needs it"
            else:
                for key in ("sts_endpoint", "sts_role"):
                    if getattr(self, key) is not None:
                        wrong[key] = f"is for storage = web_identity; this catalog has {self.storage}"
        if wrong:
            raise InconsistentValuesError(wrong)
        return self

    def written(self) -> Iterator[tuple[str, Any]]:
        for key, value in self:
            if (key in _OF_WAREHOUSE) if self.type == "warehouse" else (key != "path"):
                yield key, value
