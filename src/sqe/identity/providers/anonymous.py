"""Accept clients on this machine without credentials, for trying things out."""

from __future__ import annotations

from sqe.errors import AuthenticationError
from sqe.identity.credentials import PresentedCredentials, is_user_name
from sqe.model.identity import Principal

ANONYMOUS = "anonymous"


class Anonymous:
    name = "anonymous"
    challenge: str | None = None

    def __init__(self, *, any_name: bool) -> None:
        """`any_name`: a client may call itself what it likes. Only where no other provider vouches for names."""
        self._any_name = any_name

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        if not presented.loopback or presented.explicit or presented.certificate is not None:
            return None
        user = presented.claimed_user or ANONYMOUS
        if user != ANONYMOUS and not self._any_name:
            return None
        if not is_user_name(user):
            raise AuthenticationError("That is not a user's name.", hint="Use letters, digits and . _ - @ +")
        return Principal(user, self.name)
