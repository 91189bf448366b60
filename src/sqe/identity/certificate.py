"""Client certificates: TLS has verified them against `server.tls_client_ca`, and the name in them is the user."""

from __future__ import annotations

from sqe.errors import AuthenticationError
from sqe.identity.credentials import Presented, is_user_name
from sqe.model.identity import Principal


class Certificate:
    name = "certificate"
    challenge: str | None = None

    def authenticate(self, presented: Presented) -> Principal | None:
        # A password or a token in the same call is what the person logs in with; the certificate is then the program's.
        if presented.certificate is None or presented.explicit:
            return None
        if not is_user_name(presented.certificate):
            raise AuthenticationError(
                "The name in the client certificate is not a user's name.",
                hint="Use letters, digits and . _ - @ + in the common name.",
            )
        return Principal(presented.certificate, self.name)
