"""`[opa]`: the Open Policy Agent."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import AbsolutePath, Section, SettingText, Url
from sqe.units import Secret


class OpaConfig(Section):
    """The Open Policy Agent that `policy.engines` may name. What it is asked and answers is as for Trino's plugin."""

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
        default=None, description="The rule that filters a list of names. Unset: they are asked one by one."
    )
    ca_bundle: AbsolutePath | None = Field(
        default=None, description="A PEM file of whom to trust there. Unset: as in `tls.ca_bundle`."
    )
    token: Secret | None = Field(
        default=None, description="What is shown there as `Authorization: Bearer`. Unset: nothing."
    )
    context: dict[str, SettingText] = Field(
        default_factory=dict, description="Entries of `context.properties`, which each question has."
    )
