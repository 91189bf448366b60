"""Authenticate by client certificates (mutual TLS): their name is the user, organizational units are groups."""

from __future__ import annotations

from sqe.errors import AuthenticationError
from sqe.identity.credentials import PresentedCredentials, is_user_name
from sqe.model.identity import Principal

_LONGEST_GROUP = 128


class Mtls:
    name = "mtls"
    challenge: str | None = None

    def __init__(self, *, groups_from_ou: bool) -> None:
        """Take groups from the organizational units with `groups_from_ou`: the authority then decides on groups."""
        self._groups_from_ou = groups_from_ou

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        # A password or a token in the same call is what the person logs in with; the certificate is then the program's.
        certificate = presented.certificate
        if certificate is None or presented.explicit:
            return None
        if not is_user_name(certificate.name):
            raise AuthenticationError(
                "The name in the client certificate is not a user's name.",
                hint="Use letters, digits and . _ - @ + in the common name.",
            )
        units = certificate.units if self._groups_from_ou else ()
        if not all(unit and unit.isprintable() and len(unit) <= _LONGEST_GROUP for unit in units):
            raise AuthenticationError(
                "An organizational unit in the client certificate is not a group's name.",
                hint=f"Use plain text of at most {_LONGEST_GROUP} characters.",
            )
        return Principal(certificate.name, self.name, frozenset(units))
