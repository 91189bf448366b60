"""`[tls]`: trusted certificates for outgoing connections."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import AbsolutePath, Section


class TlsConfig(Section):
    """Trusted certificates for outgoing connections."""

    ca_bundle: AbsolutePath | None = Field(
        default=None,
        description="A PEM file of trusted certificates, for Python and Java alike. Unset: the system's.",
    )
