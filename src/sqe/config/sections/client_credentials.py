"""`[client_credentials]`: one identity for everybody."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import Section


class ClientCredentialsConfig(Section):
    """The provider `client_credentials`, which logs everybody in as the client of `[oidc]`."""

    allow: bool = Field(
        default=False,
        description="Let this provider be used. Catalogs and storage then see one identity, whoever asks.",
    )
