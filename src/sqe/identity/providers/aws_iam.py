"""Authenticate by AWS access keys: the user is the key's id, the password its secret, or `secret|session token`.

AWS itself says whose key it is: GetCallerIdentity of its STS, signed with that key. The ARN in the answer is looked up
in `aws_iam.users`. No secret and no session token has a `|` in it, so that the two are always told apart.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from sqe.errors import ConfigError
from sqe.identity.credentials import PresentedCredentials, is_user_name, wrong_credentials
from sqe.identity.logins.verified_credentials import VerifiedCredentials
from sqe.identity.provider_http import unavailable
from sqe.identity.providers.credential_kinds import is_access_key_id
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.identity.sts.sts_response import MalformedResponseError, read_arn, read_refusal
from sqe.model.identity import Principal

# Loaded with the first login: both take long.
if TYPE_CHECKING:
    from sqe.common.http_client import HttpClient, Response

_log = logging.getLogger(__name__)

_QUESTION = {"Action": "GetCallerIdentity", "Version": "2011-06-15"}
_SECRET = re.compile(r"[A-Za-z0-9/+=]{1,128}")
_TOKEN = re.compile(r"[A-Za-z0-9/+=_\-]{1,4096}")

# `*` in the account would accept users of that name in every account of AWS.
_PATTERN = re.compile(r"arn:aws[a-z\-]*:(?:iam|sts)::\d{12}:[A-Za-z0-9+=,.@_/*?\-]+")

# Refusals that say nothing about the key.
_TROUBLE = frozenset({"InternalFailure", "InternalError", "RequestLimitExceeded", "ServiceUnavailable"})


class ArnUsers:
    """The user of an ARN, by the first pattern that fits it."""

    def __init__(self, users: Mapping[str, str]) -> None:
        """Take ARNs in which `*` and `?` stand for what is neither `/` nor `:`. Raises ConfigError."""
        if not users:
            raise ConfigError(
                "auth.providers holds aws_iam, but aws_iam.users is empty.",
                hint='Write "arn:aws:iam::123456789012:user/alice" = "alice", for instance.',
            )
        for pattern, user in users.items():
            if _PATTERN.fullmatch(pattern) is None:
                raise ConfigError(
                    f"aws_iam.users holds '{pattern}', which is not the ARN of a user or role of one account.",
                    hint="Write arn:aws:iam::123456789012:user/NAME or arn:aws:sts::123456789012:assumed-role/ROLE/*; "
                    "the account has 12 digits.",
                )
            if not is_user_name(user):
                raise ConfigError(
                    f"aws_iam.users: '{user}' cannot be a user's name.",
                    hint="Use letters, digits and . _ - @ +",
                )
        self._users = [(_expression(pattern), user) for pattern, user in users.items()]

    def find(self, arn: str) -> str | None:
        return next((user for expression, user in self._users if expression.fullmatch(arn)), None)


class AwsIam:
    """The provider."""

    name = "aws_iam"
    challenge: str | None = 'Basic realm="SQE"'

    def __init__(
        self,
        web: Callable[[], HttpClient],
        users: Mapping[str, str],
        region: str,
        sts_endpoint: str | None,
        failed_logins: FailedLogins | None = None,
        clock: Callable[[], float] = time.monotonic,
        recheck_after: float = 300.0,
    ) -> None:
        """Ask the STS at `sts_endpoint`, or that of `region`, through what `web` makes.

        Raises:
            ConfigError: `users` cannot be used.
        """
        self._make_web = web
        self._web: HttpClient | None = None
        self._users = ArnUsers(users)
        self._region = region
        self._url = f"{(sts_endpoint or _endpoint(region)).rstrip('/')}/"
        self._failed_logins = failed_logins or FailedLogins()
        self._verified: VerifiedCredentials[Principal] = VerifiedCredentials(clock, recheck_after)
        self._lock = threading.Lock()

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        password = presented.password
        if password is None or not is_access_key_id(password.user):
            return None
        secret, bar, token = password.secret.partition("|")
        if _SECRET.fullmatch(secret) is None or (bar and _TOKEN.fullmatch(token) is None):
            raise wrong_credentials("the password is not a secret key, or secret|session token")
        known = self._verified.find(password.user, password.secret)
        if known is not None:
            return known
        attempt = (password.user, presented.address)
        self._failed_logins.check(attempt)
        try:
            principal = self._ask(password.user, secret, token or None)
        except _RefusedError as error:
            self._failed_logins.add(attempt)
            raise wrong_credentials(str(error)) from None
        self._failed_logins.clear(attempt)
        self._verified.add(password.user, password.secret, principal)
        return principal

    def close(self) -> None:
        if self._web is not None:
            self._web.close()

    def _ask(self, key_id: str, secret: str, token: str | None) -> Principal:
        """Ask AWS for the ARN of a key. Raises _RefusedError, or IdentityProviderError when AWS does not answer."""
        from sqe.identity.sts.aws_signature import Signature

        signature = Signature(key_id, secret, token, self._region)
        answer = self._client().post(self._url, _QUESTION, accept="text/xml", auth=signature)
        try:
            arn = read_arn(answer.body) if answer.status == 200 else _refused(answer)
        except MalformedResponseError as error:
            raise unavailable(
                f"the answer {answer.status} is not that of an STS: {error}", self._url
            ) from None
        user = self._users.find(arn)
        if user is None:
            raise _RefusedError(f"no pattern in aws_iam.users fits {arn!r:.300}")
        _log.info("aws_iam: %.300r is %s", arn, user)
        return Principal(user, self.name, subject=arn)

    def _client(self) -> HttpClient:
        with self._lock:
            if self._web is None:
                self._web = self._make_web()
            return self._web


class _RefusedError(Exception):
    """AWS refused the key, or its ARN is no user here."""


def _refused(answer: Response) -> str:
    """Raise what an error response means: _RefusedError, IdentityProviderError or MalformedResponseError."""
    refusal = read_refusal(answer.body)
    if answer.status not in range(400, 500) or answer.status == 429 or _is_trouble(refusal.code):
        raise unavailable(f"STS answers {answer.status} {refusal.code:.100}")
    raise _RefusedError(f"STS answers {answer.status} {refusal.code!r:.100}")


def _is_trouble(code: str) -> bool:
    return code in _TROUBLE or code.startswith("Throttl")


def _endpoint(region: str) -> str:
    return f"https://sts.{region}.amazonaws.com" + (".cn" if region.startswith("cn-") else "")


def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(_parts(pattern)))


def _parts(pattern: str) -> Iterator[str]:
    for sign in pattern:
        yield {"*": "[^/:]*", "?": "[^/:]"}.get(sign, re.escape(sign))
