"""`[mtls]`: authentication with client certificates."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import Section


class MtlsConfig(Section):
    """The provider `mtls`, which takes the user from the name in a verified client certificate."""

    groups_from_ou: bool = Field(
        default=True,
        description="Take the user's groups from the certificate's organizational units. Flight SQL does not see them.",
    )
