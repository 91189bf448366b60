"""`[tls]`: whom SQE trusts."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import AbsolutePath, Section


class TlsConfig(Section):
    """Whom SQE trusts when it connects to others."""

    ca_bundle: AbsolutePath | None = Field(
        default=None,
        description="A PEM file of trusted certificates, for Python and Java alike. Unset: the system's.",
    )
