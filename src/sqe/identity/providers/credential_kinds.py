"""Recognise kinds of credentials by their form alone.

Some providers take any password, and send it to an identity provider. A credential of a recognisable kind must not go
there, whatever the order of the providers.
"""

from __future__ import annotations

import re

from sqe.identity.credentials import Password, is_jwt

API_KEY = "sqek_"  # a session's token begins with sqe_, a JWT with eyJ: none begins like another

# Of a person (AKIA) or of a role (ASIA).
_ACCESS_KEY_ID = re.compile(r"A[KS]IA[A-Z0-9]{12,124}")


def is_api_key(text: str) -> bool:
    return text.startswith(API_KEY)


def is_access_key_id(user: str) -> bool:
    """Whether it is the id of an AWS access key."""
    return _ACCESS_KEY_ID.fullmatch(user) is not None


def has_own_provider(password: Password) -> bool:
    """Whether a provider that takes any password has to leave this one to the provider that it is made for."""
    return is_api_key(password.secret) or is_jwt(password.secret) or is_access_key_id(password.user)
