"""Map the claims of a token to a Principal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqe.config.sections.oidc import OidcConfig
from sqe.errors import AuthenticationError
from sqe.identity.credentials import is_user_name
from sqe.model.identity import Principal

# They differ from token to token of one person; the last three are Microsoft's.
_VOLATILE = frozenset(
    {"exp", "iat", "nbf", "jti", "auth_time", "sid", "session_state", "nonce", "at_hash", "aio", "rh", "uti"}
)
_WITH_SPACES = frozenset({"scope", "scp"})  # one text with spaces between its values, as OAuth has it
_LONGEST_VALUE = 512


@dataclass(frozen=True, slots=True)
class ClaimPaths:
    """Paths of claims in a token, such as `realm_access.roles`."""

    user: str = "preferred_username"
    subject: str = "sub"
    email: str = "email"
    roles: str = "realm_access.roles"
    groups: str = "groups"

    @staticmethod
    def of(config: OidcConfig) -> ClaimPaths:
        return ClaimPaths(
            config.user_claim,
            config.subject_claim,
            config.email_claim,
            config.roles_claim,
            config.groups_claim,
        )


def to_principal(
    provider: str, claims: Mapping[str, Any], paths: ClaimPaths, user: str | None = None
) -> Principal:
    """Return the principal of verified claims; `user` is the name to take when there is none in them.

    Raises:
        AuthenticationError: there is no name, or something is not what it should be.
    """
    name = _text(claims, paths.user) or user
    if name is None:
        raise _refusal(f"it has no claim {paths.user}")
    if not is_user_name(name):
        raise _refusal(f"the claim {paths.user} is not a user's name: {name[:128]!r}")
    return Principal(
        name,
        provider,
        groups=_texts(claims, paths.groups),
        roles=_texts(claims, paths.roles),
        subject=_text(claims, paths.subject),
        email=_text(claims, paths.email),
    )


def login_key(provider: str, claims: Mapping[str, Any]) -> str:
    """Return a key that tokens of one person share while their lasting claims agree; see `Logins.start`."""
    lasting = {name: value for name, value in claims.items() if name not in _VOLATILE}
    text = json.dumps([provider, lasting], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def claim(claims: Mapping[str, Any], path: str) -> Any:
    """Return the claim at a dotted path, or None. A claim's own name may have dots: `https://example.com/roles`."""
    if path in claims:
        return claims[path]
    parts = path.split(".")
    for length in range(len(parts) - 1, 0, -1):
        inner = claims.get(".".join(parts[:length]))
        if isinstance(inner, Mapping):
            found = claim(inner, ".".join(parts[length:]))
            if found is not None:
                return found
    return None


def _text(claims: Mapping[str, Any], path: str) -> str | None:
    value = claim(claims, path)
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > _LONGEST_VALUE:
        raise _refusal(f"the claim {path} is not a short text")
    return value


def _texts(claims: Mapping[str, Any], path: str) -> frozenset[str]:
    value = claim(claims, path)
    if value is None:
        return frozenset()
    if isinstance(value, str):
        value = value.split() if path in _WITH_SPACES else [value]
    if not isinstance(value, list) or not all(
        isinstance(item, str) and len(item) <= _LONGEST_VALUE for item in value
    ):
        raise _refusal(f"the claim {path} is not a list of short texts")
    return frozenset(value)


def _refusal(reason: str) -> AuthenticationError:
    return AuthenticationError("The token is not accepted.", detail=f"the token is refused: {reason}")
