"""`[production]`: checks against unsafe settings."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import Section


class ProductionConfig(Section):
    """Checks against unsafe settings at the start of `sqe server`, and their exceptions."""

    enabled: bool = Field(
        default=False,
        description="Refuse to start with an unsafe setting that no exception below allows.",
    )
    allow_anonymous: bool = Field(
        default=False, description="Allow the provider `anonymous`: clients without credentials."
    )
    allow_plain_text: bool = Field(
        default=False, description="Allow listeners without TLS that other machines can reach."
    )
    allow_shared_identity: bool = Field(
        default=False, description="Allow the provider `client_credentials`: one identity for all clients."
    )
    allow_any_audience: bool = Field(
        default=False, description="Allow tokens that were issued for any service: no `oidc.audience`."
    )
    allow_plain_identity_provider: bool = Field(
        default=False, description="Allow `http://` addresses in `[oidc]` and `[aws_iam]`."
    )
    allow_plain_catalogs: bool = Field(
        default=False, description="Allow `http://` addresses of catalogs, their stores and their STS."
    )
    allow_local_catalogs: bool = Field(
        default=False,
        description="Allow catalogs of type `warehouse`, also the default one: the server opens their files with its "
        "own account, for every user.",
    )
    allow_no_rate_limit: bool = Field(default=False, description="Allow limits of 0 in `[rate_limit]`.")
    allow_unguarded_engine: bool = Field(
        default=False, description="Allow `engine.url` without `engine.control_secret`."
    )
    allow_unguarded: bool = Field(
        default=False, description="Allow no `policy.engines`: only the catalog decides."
    )
    allow_no_mask_key: bool = Field(
        default=False, description="Allow `policy.engines` without `policy.mask_key`: no hash masks."
    )
    allow_plain_opa: bool = Field(
        default=False, description="Allow `http://` addresses in `[opa]` that are not on this machine."
    )
