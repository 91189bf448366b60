"""Hash passwords with Argon2id and verify them, also against the scrypt hashes of earlier versions.

Both have the text form of the PHC: `$argon2id$v=19$m=65536,t=3,p=1$salt$hash`, `$scrypt$ln=14,r=8,p=5$salt$hash`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
import threading
from dataclasses import dataclass

_ENDING = r"\$(?P<salt>[A-Za-z0-9+/]{11,86})\$(?P<hash>[A-Za-z0-9+/]{22,86})"
_ARGON2 = re.compile(r"\$argon2id\$v=19\$m=(?P<m>\d{1,7}),t=(?P<t>\d{1,3}),p=(?P<p>\d{1,2})" + _ENDING)
_SCRYPT = re.compile(r"\$scrypt\$ln=(?P<ln>\d{1,2}),r=(?P<r>\d{1,2}),p=(?P<p>\d{1,2})" + _ENDING)

# RFC 9106's second choice but for its lanes: one thread for each hash, so that the limit below is one of cores too.
_MEMORY_KIB, _PASSES, _LANES = 64 * 1024, 3, 1
_SMALLEST_MEMORY_KIB = 1024
_SCRYPT_WORK = 8 * 5 << 14  # of the hashes that earlier versions made: N * r * p

# What a file may ask for at most. Work is in multiples of a new hash's, and of an earlier version's.
_LARGEST_MEMORY = 256 * 1024 * 1024
_LARGEST_WORK = 64

# Each takes a core and its memory: many guesses at once must not take the machine.
_AT_ONCE = threading.BoundedSemaphore(4)


@dataclass(frozen=True, slots=True)
class Argon2Hash:
    text: str

    def __str__(self) -> str:
        return self.text

    def matches(self, password: str) -> bool:
        """Compare in constant time; takes a good part of a second, as it should."""
        from argon2.exceptions import VerifyMismatchError
        from argon2.low_level import Type, verify_secret

        try:
            with _AT_ONCE:
                return verify_secret(self.text.encode(), password.encode(), Type.ID)
        except VerifyMismatchError:
            return False

    def like(self) -> Argon2Hash:
        """Return a hash of no password that takes as long to compare with."""
        head, *parts = self.text.rsplit("$", 2)
        salt, digest = (_encode(secrets.token_bytes(len(_decode(part)))) for part in parts)
        return Argon2Hash(f"{head}${salt}${digest}")


@dataclass(frozen=True, slots=True)
class ScryptHash:
    ln: int
    r: int
    p: int
    salt: bytes
    digest: bytes

    def __str__(self) -> str:
        return f"$scrypt$ln={self.ln},r={self.r},p={self.p}${_encode(self.salt)}${_encode(self.digest)}"

    def matches(self, password: str) -> bool:
        """Compare in constant time; takes a good part of a second, as it should."""
        with _AT_ONCE:
            found = hashlib.scrypt(
                password.encode(),
                salt=self.salt,
                n=1 << self.ln,
                r=self.r,
                p=self.p,
                maxmem=2 * _LARGEST_MEMORY,
                dklen=len(self.digest),
            )
        return hmac.compare_digest(found, self.digest)

    def like(self) -> ScryptHash:
        """Return a hash of no password that takes as long to compare with."""
        salt, digest = (secrets.token_bytes(len(part)) for part in (self.salt, self.digest))
        return ScryptHash(self.ln, self.r, self.p, salt, digest)


PasswordHash = Argon2Hash | ScryptHash


def hash_password(password: str, *, memory_kib: int = _MEMORY_KIB, passes: int = _PASSES) -> Argon2Hash:
    from argon2.low_level import Type, hash_secret

    salt = secrets.token_bytes(16)
    with _AT_ONCE:
        text = hash_secret(password.encode(), salt, passes, memory_kib, _LANES, 32, Type.ID)
    return Argon2Hash(text.decode())


def random_hash() -> Argon2Hash:
    """Return a hash of no password that takes as long to compare with as a new one."""
    salt, digest = _encode(secrets.token_bytes(16)), _encode(secrets.token_bytes(32))
    return Argon2Hash(f"$argon2id$v=19$m={_MEMORY_KIB},t={_PASSES},p={_LANES}${salt}${digest}")


def parse_hash(text: str) -> PasswordHash:
    """Read a hash. Raises ValueError with what is wrong, which is not the text itself."""
    if (argon2 := _ARGON2.fullmatch(text)) is not None:
        return _parse_argon2(argon2)
    if (scrypt := _SCRYPT.fullmatch(text)) is not None:
        return _parse_scrypt(scrypt)
    raise ValueError("is not a password hash of the form $argon2id$v=19$m=..,t=..,p=..$salt$hash")


def _parse_argon2(found: re.Match[str]) -> Argon2Hash:
    memory, passes, lanes = int(found["m"]), int(found["t"]), int(found["p"])
    if (
        not max(_SMALLEST_MEMORY_KIB, 8 * lanes) <= memory <= _LARGEST_MEMORY // 1024
        or not passes
        or not lanes
        or memory * passes > _LARGEST_WORK * _MEMORY_KIB * _PASSES
    ):
        raise ValueError("asks Argon2 for too little or too much work")
    # The library refuses a text that it would not have written itself.
    if any(_encode(part) != found[name] for name, part in zip(("salt", "hash"), _parts(found), strict=True)):
        raise ValueError("is not a password hash: its salt or hash is cut off")
    return Argon2Hash(found[0])


def _parse_scrypt(found: re.Match[str]) -> ScryptHash:
    ln, r, p = int(found["ln"]), int(found["r"]), int(found["p"])
    if (
        not ln >= 10
        or not r
        or not p
        or 128 * r << ln > _LARGEST_MEMORY
        or (1 << ln) * r * p > _LARGEST_WORK * _SCRYPT_WORK
    ):
        raise ValueError("asks scrypt for too little or too much work")
    return ScryptHash(ln, r, p, *_parts(found))


def _parts(found: re.Match[str]) -> tuple[bytes, bytes]:
    """Return salt and hash. Raises ValueError."""
    try:
        return _decode(found["salt"]), _decode(found["hash"])
    except binascii.Error:
        raise ValueError("is not a password hash: its salt or hash is cut off") from None


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii").rstrip("=")


def _decode(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
