"""Password hashes: scrypt, in the text form of the PHC: `$scrypt$ln=14,r=8,p=5$salt$hash`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
import threading
from dataclasses import dataclass

_PHC = re.compile(
    r"\$scrypt\$ln=(?P<ln>\d{1,2}),r=(?P<r>\d{1,2}),p=(?P<p>\d{1,2})"
    r"\$(?P<salt>[A-Za-z0-9+/]{11,86})\$(?P<hash>[A-Za-z0-9+/]{22,86})"
)

# OWASP's second choice of equals: 16 MiB and some 150 ms of one core. Larger ones in a file are taken up to the bounds.
_LN, _R, _P = 14, 8, 5
_LARGEST_MEMORY = 256 * 1024 * 1024
_LARGEST_WORK = 64  # times the default's

# Each takes a core and its memory: many guesses at once must not take the machine.
_AT_ONCE = threading.BoundedSemaphore(4)


@dataclass(frozen=True, slots=True)
class PasswordHash:
    """What is kept of a password."""

    ln: int
    r: int
    p: int
    salt: bytes
    digest: bytes

    def __str__(self) -> str:
        return f"$scrypt$ln={self.ln},r={self.r},p={self.p}${_encode(self.salt)}${_encode(self.digest)}"

    def matches(self, password: str) -> bool:
        """Compare in constant time; takes a good part of a second, as it should."""
        return hmac.compare_digest(self._of(password), self.digest)

    def _of(self, password: str) -> bytes:
        return _scrypt(password, self.ln, self.r, self.p, self.salt, len(self.digest))

    def like(self) -> PasswordHash:
        """A hash of nothing that takes as long to compare with."""
        return PasswordHash(
            self.ln, self.r, self.p, secrets.token_bytes(16), secrets.token_bytes(len(self.digest))
        )


def hash_password(password: str, *, ln: int = _LN, r: int = _R, p: int = _P) -> PasswordHash:
    salt = secrets.token_bytes(16)
    return PasswordHash(ln, r, p, salt, _scrypt(password, ln, r, p, salt, 32))


def some_hash() -> PasswordHash:
    """A hash of nothing, with the default's cost."""
    return PasswordHash(_LN, _R, _P, secrets.token_bytes(16), secrets.token_bytes(32))


def parse_hash(text: str) -> PasswordHash:
    """Read a hash. Raises ValueError with what is wrong, which is not the text itself."""
    found = _PHC.fullmatch(text)
    if found is None:
        raise ValueError("is not a password hash of the form $scrypt$ln=..,r=..,p=..$salt$hash")
    ln, r, p = int(found["ln"]), int(found["r"]), int(found["p"])
    work = (1 << ln) * r * p
    if (
        not ln >= 10
        or not r
        or not p
        or 128 * r << ln > _LARGEST_MEMORY
        or work > _LARGEST_WORK * (_R * _P << _LN)
    ):
        raise ValueError("asks scrypt for too little or too much work")
    try:
        return PasswordHash(ln, r, p, _decode(found["salt"]), _decode(found["hash"]))
    except binascii.Error:
        raise ValueError("is not a password hash: its salt or hash is cut off") from None


def _scrypt(password: str, ln: int, r: int, p: int, salt: bytes, length: int) -> bytes:
    with _AT_ONCE:
        return hashlib.scrypt(
            password.encode(), salt=salt, n=1 << ln, r=r, p=p, maxmem=2 * _LARGEST_MEMORY, dklen=length
        )


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii").rstrip("=")


def _decode(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
