"""Verify session handles: the UUID of a Spark session plus an HMAC under the engine's secret.

    handle = UUID of the Spark session "." HMAC-SHA256(engine's secret, UUID), in hexadecimal digits

The JVM makes handles. Code that runs there for one person may learn another session's UUID, which is worth nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import re

_FORM = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{64})", re.ASCII)


def make_handle(secret: str, session: str) -> str:
    """Make a handle as the JVM does it."""
    return f"{session}.{_proof(secret, session)}"


def session_of(handle: str, secret: str) -> str | None:
    """Return the session's UUID, or None when the engine with this secret did not make the handle."""
    parts = _FORM.fullmatch(handle)
    if parts is None:
        return None
    session, proof = parts.groups()
    return session if hmac.compare_digest(proof, _proof(secret, session)) else None


def _proof(secret: str, session: str) -> str:
    return hmac.new(secret.encode(), session.encode(), hashlib.sha256).hexdigest()
