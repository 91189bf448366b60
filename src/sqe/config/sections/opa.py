"""`[opa]`: the Open Policy Agent."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import AbsolutePath, Section, SettingText, Url
from sqe.units import Secret


class OpaConfig(Section):
    """The Open Policy Agent that `policy.engines` may name. Its input and output are those of Trino's plugin."""

    url: Url | None = Field(
        default=None, description="The rule that allows, such as `https://opa:8181/v1/data/trino/allow`."
    )
    row_filters_url: Url | None = Field(
        default=None, description="The rule that gives row filters. Unset: there are none."
    )
    column_mask_url: Url | None = Field(
        default=None, description="The rule that gives the mask of one column. Unset: there are none."
    )
    batch_column_masks_url: Url | None = Field(
        default=None,
        description="The rule that gives the masks of all columns of a table at once, instead of `column_mask_url`.",
    )
    batched_url: Url | None = Field(
        default=None,
        description="The rule that filters a list of names. Unset: SQE asks about them one by one.",
    )
    ca_bundle: AbsolutePath | None = Field(
        default=None, description="A PEM file of trusted certificates for OPA. Unset: `tls.ca_bundle`."
    )
    token: Secret | None = Field(
        default=None, description="The token for `Authorization: Bearer`. Unset: no header."
    )
    context: dict[str, SettingText] = Field(
        default_factory=dict, description="Entries of `context.properties` in each request."
    )
