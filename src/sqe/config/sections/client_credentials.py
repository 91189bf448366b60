"""`[client_credentials]`: one identity for all clients."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import Section


class ClientCredentialsConfig(Section):
    """The provider `client_credentials`, which authenticates every client as the client of `[oidc]`."""

    allow: bool = Field(
        default=False,
        description="Allow this provider. Catalogs and storage then see one identity for all users.",
    )
