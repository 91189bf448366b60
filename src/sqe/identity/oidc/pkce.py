"""Create PKCE verifiers and challenges (RFC 7636, S256)."""

from __future__ import annotations

import base64
import hashlib
import secrets

METHOD = "S256"


def new_verifier() -> str:
    """Return a secret that is kept until the end of the login."""
    return secrets.token_urlsafe(48)


def challenge_of(verifier: str) -> str:
    """Return the hash of a verifier, which is sent at the beginning of the login."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
