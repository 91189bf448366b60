"""Read the credentials that a client presents, whatever protocol carried them."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field

from sqe.errors import AuthenticationError
from sqe.identity.providers.client_certificate import ClientCertificate

# One pattern for all providers: a user's name travels in headers, logs, metrics and Spark's session.
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@+\-]{0,127}")

_LONGEST_SECRET = 4096  # longer than any password; hashing a large one would cost us, not the client
_LONGEST_TOKEN = 16 * 1024  # with many groups in it

# A JSON Web Token, signed: its header is a JSON object, and so begins with `{"`.
_JWT = re.compile(r"eyJ[A-Za-z0-9_\-]*\.[A-Za-z0-9_\-]+\.[A-Za-z0-9_\-]*")


@dataclass(frozen=True, slots=True)
class Password:
    user: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class PresentedCredentials:
    """All credentials of one call. None is verified yet; the gateway itself saw `loopback` and `address`."""

    password: Password | None = None
    bearer: str | None = field(default=None, repr=False)
    certificate: ClientCertificate | None = None  # which TLS has verified
    claimed_user: str | None = None  # who the client says that it acts as, such as X-Trino-User
    loopback: bool = False  # whether the peer is on this machine, and no proxy stands between
    address: str | None = None  # of the peer, for limits

    @property
    def explicit(self) -> bool:
        """Whether it brought something that has to be right: a wrong password never makes a client anonymous."""
        return self.password is not None or self.bearer is not None


def from_authorization(
    header: str | None,
    *,
    certificate: ClientCertificate | None = None,
    claimed_user: str | None = None,
    loopback: bool = False,
    address: str | None = None,
) -> PresentedCredentials:
    """Read an `Authorization` header, Basic or Bearer, and put it beside the rest.

    Base64 comes with and without padding, in either alphabet: clients differ.

    Raises:
        AuthenticationError: there is a header, and it is neither.
    """
    password: Password | None = None
    bearer: str | None = None
    if header is not None:
        scheme, _, value = header.strip().partition(" ")
        value = value.strip()
        match scheme.lower():
            case "basic" if value:
                password = _basic(value)
            case "bearer" if value and len(value) <= _LONGEST_TOKEN:
                bearer = value
            case _:
                raise AuthenticationError(
                    "The Authorization header cannot be used.", hint="Send Basic or Bearer credentials."
                )
    return PresentedCredentials(password, bearer, certificate, claimed_user or None, loopback, address)


def wrong_credentials(detail: str | None = None) -> AuthenticationError:
    """Return the error for a user and a secret that do not belong together; the caller counts it as a failed login."""
    error = AuthenticationError("The user or the password is wrong.", detail=detail)
    error.wrong_credentials = True
    return error


def is_user_name(text: str) -> bool:
    return _USER.fullmatch(text) is not None


def names_in(text: str, what: str) -> frozenset[str]:
    """Parse the names of groups or roles between commas; `what` is the word for one in errors. Raises ValueError."""
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    if not all(map(is_user_name, names)):
        raise ValueError(f"a {what}'s name has other signs than letters, digits and . _ - @ +")
    return names


def is_jwt(text: str) -> bool:
    """Whether it looks like one. An unsigned one does too, and is for its verifier to refuse."""
    return _JWT.fullmatch(text) is not None


def _basic(encoded: str) -> Password:
    try:
        padded = encoded.rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4)
        data = base64.b64decode(padded.replace("-", "+").replace("_", "/"), validate=True)
    except binascii.Error:
        raise AuthenticationError("The Basic credentials cannot be read.") from None
    try:
        decoded = data.decode()
    except UnicodeDecodeError:
        decoded = data.decode("latin-1")  # what Trino's clients send, and what older HTTP says
    user, colon, secret = decoded.partition(":")
    if not colon or len(secret) > (_LONGEST_TOKEN if is_jwt(secret) else _LONGEST_SECRET):
        raise AuthenticationError("The Basic credentials cannot be read.")
    return Password(user, secret)
