"""Verify JSON Web Tokens: signature, issuer, audience and time. Nothing in a token counts before its signature.

The algorithm comes from our list and the key from the issuer; the token's header only chooses among them.
"""

from __future__ import annotations

import base64
import binascii
import json
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from joserfc import jws
from joserfc.errors import (
    ExpiredTokenError,
    InvalidClaimError,
    JoseError,
    MissingClaimError,
    SecurityWarning,
)
from joserfc.jwt import ClaimsOption, JWTClaimsRegistry

from sqe.errors import AuthenticationError
from sqe.identity.oidc.jwks import Jwks

LONGEST = 16 * 1024

# Headers that bring a key along, or that change what the others mean.
_FORBIDDEN = ("jwk", "jku", "x5u", "crit", "b64", "zip", "enc")
_TYPES = frozenset({"jwt", "at+jwt", "application/at+jwt", "application/jwt"})
# Keycloak's names for tokens that are not for a service: ID tokens, and those that get other tokens.
_NOT_FOR_ACCESS = frozenset({"id", "refresh", "offline", "logout"})
_LATEST = 2**53  # seconds: every integer up to it is exact as a float
_KEY_TYPES = {"RS": "RSA", "PS": "RSA", "ES": "EC"}


class _Registry(jws.JWSRegistry):
    max_header_length = 4096
    max_payload_length = LONGEST
    max_signature_length = 2048


@dataclass(frozen=True, slots=True)
class JwtRules:
    issuer: str
    audience: str | None  # None: any
    algorithms: tuple[str, ...]
    leeway: float  # seconds that two clocks may be apart


class JwtVerifier:
    def __init__(self, rules: JwtRules, keys: Jwks, clock: Callable[[], float] = time.time) -> None:
        self._rules = rules
        self._keys = keys
        issuer: ClaimsOption = {"essential": True, "value": rules.issuer}
        options: dict[str, ClaimsOption] = {"iss": issuer, "exp": {"essential": True}}
        if rules.audience is not None:
            options["aud"] = {"essential": True, "value": rules.audience}
        self._checked = (*options, "nbf", "iat")
        # Their types say int; a clock with fractions is compared as well.
        self._registry = JWTClaimsRegistry(cast("Any", clock), cast("Any", rules.leeway), **options)

    def verify(self, token: str, *, from_issuer: bool = False) -> Mapping[str, Any]:
        """Return the claims of a valid token.

        `from_issuer`: it came from the identity provider itself a moment ago. Then its key must be found, also when
        strangers have just made us look for keys that do not exist.

        Raises:
            AuthenticationError: it is not good; what is wrong with it is for the log.
            IdentityProviderError: there are no keys to tell.
        """
        header = self._header(token)
        key = self._keys.key(header["kid"], urgent=from_issuer)
        if key.key_type != _KEY_TYPES[header["alg"][:2]] or key.get("alg", header["alg"]) != header["alg"]:
            _refuse(f"its key is not one for {header['alg']}")
        registry = _Registry(algorithms=[header["alg"]], strict_check_header=False)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SecurityWarning)  # our list decides what may be used
                payload = jws.deserialize_compact(token, key, [header["alg"]], registry).payload
        except (JoseError, ValueError) as error:
            _refuse(f"its signature is not right ({type(error).__name__})")
        claims = _json_object(payload, "claims")
        self._check(claims)
        return claims

    def _header(self, token: str) -> dict[str, Any]:
        if len(token) > LONGEST:
            _refuse(f"it is longer than {LONGEST} characters")
        if not token.isascii() or token.count(".") != 2:
            _refuse("it is not a signed JSON Web Token")
        header = _json_object(_decoded(token.partition(".")[0]), "header")
        algorithm, kid, kind = header.get("alg"), header.get("kid"), header.get("typ", "JWT")
        if algorithm not in self._rules.algorithms:
            _refuse(f"the algorithm {str(algorithm)[:32]!r} is not among oidc.algorithms")
        if not isinstance(kid, str) or not kid:
            _refuse("it does not name its key")
        if not isinstance(kind, str) or kind.lower() not in _TYPES:
            _refuse(f"it is a {str(kind)[:32]!r}, not an access token")
        if found := [name for name in _FORBIDDEN if name in header]:
            _refuse(f"its header holds {found[0]}")
        return header

    def _check(self, claims: Mapping[str, Any]) -> None:
        if str(claims.get("typ", "")).lower() in _NOT_FOR_ACCESS:
            _refuse(f"it is of the type {claims['typ']}, not an access token")
        # An integer can be too large for the clock's arithmetic, which the registry lets pass.
        for name in ("exp", "nbf", "iat"):
            if isinstance(claims.get(name), int) and abs(claims[name]) > _LATEST:
                _refuse(f"{name} is not accepted: it is not a NumericDate value")
        checked = {name: claims[name] for name in self._checked if claims.get(name) is not None}
        try:
            self._registry.validate(checked)
        except ExpiredTokenError:
            _refuse("it has expired")
        except (InvalidClaimError, MissingClaimError) as error:
            name = error.claim.partition(",")[0]  # of several that are missing, the first
            value = str(claims.get(name))[:200]
            reasons = {
                "iss": f"it is of {value!r}, not of oidc.issuer",
                "aud": f"it is for {value}, not for oidc.audience",
            }
            _refuse(reasons.get(name, f"{name} is not accepted: {error.description}"))


def issuer_of(token: str) -> str | None:
    """Return the issuer that a token names, unverified: only to choose the provider that verifies it."""
    issuer = unverified_claims(token).get("iss")
    return issuer if isinstance(issuer, str) else None


def unverified_claims(token: object) -> Mapping[str, Any]:
    """Return the claims of a token, unverified; none if it is not a token."""
    try:
        return _json_object(_decoded(str(token).split(".")[1]), "claims")
    except (AuthenticationError, IndexError):
        return {}


def _decoded(part: str) -> bytes:
    if len(part) > LONGEST:
        _refuse(f"it is longer than {LONGEST} characters")
    try:
        return base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        _refuse("it is not base64")


def _json_object(data: bytes, what: str) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        _refuse(f"its {what} are not a JSON object")
    return value


def _refuse(reason: str) -> NoReturn:
    raise AuthenticationError("The token is not accepted.", detail=f"the token is refused: {reason}")
