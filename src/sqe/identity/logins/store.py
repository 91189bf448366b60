"""Hold logins with tokens in memory, renew the tokens ahead of their end, and end logins when their time is over.

A `Principal` carries the name of its login, never a token. Its users get the token here each time, so that a
renewed or revoked one takes effect at once.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from cachetools import FIFOCache

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.logins.token_set import Renewer, Tokens
from sqe.model.identity import Principal
from sqe.units import Duration

_log = logging.getLogger(__name__)

_RETRY_AFTER = 2.0  # seconds, after the identity provider did not answer
_LONGEST_WAIT = (
    30.0  # for a renewal that another thread has begun; its calls have shorter limits of their own
)
_RENEWALS_AT_ONCE = 4  # those ahead of time; a slow identity provider must not keep housekeeping
_HINT = "Log in again."

RENEWED, REFUSED, SILENT = "renewed", "refused", "unavailable"  # what `observe` is called with


@dataclass(slots=True)
class _Login:
    id: str
    key: str
    principal: Principal
    tokens: Tokens
    renewer: Renewer | None
    started: float
    used: float
    received: float  # when the tokens came, to know how long they live
    holds: int = 0
    retry_at: float = 0.0
    submitted: bool = False  # whether a renewal ahead of time is under way, or waits for its turn
    renewing: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True, slots=True)
class _Ended:
    principal: Principal
    reason: str
    detail: str | None

    def error(self) -> AuthenticationError:
        return AuthenticationError(
            f"The login of {self.principal.user} has ended: {self.reason}.", hint=_HINT, detail=self.detail
        )


class Logins:
    def __init__(
        self,
        *,
        ahead: float,
        lifetime: float,
        idle: float,
        at_most: int,
        on_end: Callable[[Principal, AuthenticationError], None],
        observe: Callable[[str], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Hold logins.

        Args:
            ahead: seconds before their end at which tokens are renewed; at most a third of their life.
            lifetime: seconds after which a login ends in any case.
            idle: seconds without use after which it ends, unless a session holds it.
            at_most: so many logins; a new one ends the least recently used that no session holds.
            on_end: called for each login that has ended, by `keep_fresh` and never while a lock is held.
            observe: called with the result of each renewal: RENEWED, REFUSED or SILENT.
            clock: as `time.time`.
        """
        self._ahead = ahead
        self._lifetime = lifetime
        self._idle = idle
        self._at_most = at_most
        self._on_end = on_end
        self._observe = observe
        self._clock = clock
        self._lock = threading.Lock()
        self._logins: OrderedDict[str, _Login] = OrderedDict()  # the least recently used first
        self._by_key: dict[str, str] = {}
        self._ended: FIFOCache[str, _Ended] = FIFOCache(at_most)  # so that those who ask later learn why
        self._untold: deque[_Ended] = deque()
        self._pool = ThreadPoolExecutor(_RENEWALS_AT_ONCE, thread_name_prefix="renew-tokens")

    def __len__(self) -> int:
        with self._lock:
            return len(self._logins)

    def start(self, principal: Principal, key: str, tokens: Tokens, renewer: Renewer | None) -> Principal:
        """Begin a login, or hand new tokens to the live one with this key, which keeps its id.

        `key` says who it is and with which claims (`claims.login_key`): a client that renews its own token goes on in
        the session that it has, and one whose roles have changed does not. `renewer` None: the tokens cannot be renewed
        here. Returns the principal with `login` set. Raises AuthenticationError when there are too many logins.
        """
        now = self._clock()
        with self._lock:
            login = self._logins.get(self._by_key.get(key, ""))
            if login is not None and self._reason_to_end(login, now) is None:
                # Of two tokens that a client brings itself the one that lasts longer is kept, whichever came first.
                if renewer is not None or tokens.expires_at >= login.tokens.expires_at:
                    login.tokens, login.renewer, login.received, login.retry_at = tokens, renewer, now, 0.0
                self._touch(login, now)
                return login.principal
            if login is not None:
                self._finish(login, self._reason_to_end(login, now) or "it was replaced")
            self._make_room()
            name = secrets.token_urlsafe(16)
            known = replace(principal, login=name)
            self._logins[name] = _Login(name, key, known, tokens, renewer, now, now, now)
            self._by_key[key] = name
            return known

    def tokens(self, login: str) -> Tokens:
        """Return the tokens of a login, renewed first when they are about to end.

        Raises:
            AuthenticationError: the login has ended; the message says why.
            IdentityProviderError: its tokens have expired, and the identity provider does not answer.
        """
        found = self._live(login)
        now = self._clock()
        if self._due(found, now):
            # While another thread renews, tokens that are still good will do.
            good = found.tokens.expires_at > now
            if found.renewing.acquire(timeout=0 if good else _LONGEST_WAIT):
                try:
                    if self._due(found, self._clock()):
                        self._renew(found)
                finally:
                    found.renewing.release()
        tokens = self._live(login).tokens
        if tokens.expires_at <= self._clock():
            raise IdentityProviderError(
                f"The token of {found.principal.user} has expired, and the identity provider does not answer.",
                hint="Try again in a moment.",
            )
        return tokens

    def alive(self, principal: Principal) -> bool:
        """Whether the principal's login still holds; counts as its use. Without tokens there is nothing to end."""
        if principal.login is None:
            return True
        now = self._clock()
        with self._lock:
            login = self._logins.get(principal.login)
            if login is None or self._reason_to_end(login, now) is not None:
                return False
            self._touch(login, now)
            return True

    def hold(self, login: str) -> None:
        """Keep a login from becoming idle, and renew it ahead: a session uses it. Raises AuthenticationError."""
        found = self._live(login)
        with self._lock:
            found.holds += 1

    def release(self, login: str) -> None:
        """Undo one `hold`; harmless after the end."""
        with self._lock:
            found = self._logins.get(login)
            if found is not None and found.holds:
                found.holds -= 1
                self._touch(found, self._clock())

    def end(self, login: str, reason: str) -> None:
        """End a login now. `reason` completes the sentence "The login of alice has ended: ..."."""
        with self._lock:
            found = self._logins.get(login)
            if found is not None:
                self._finish(found, reason)

    def keep_fresh(self) -> None:
        """End logins that are over, begin to renew those held, and call `on_end`. Waits for no identity provider."""
        now = self._clock()
        with self._lock:
            for login in list(self._logins.values()):
                reason = self._reason_to_end(login, now)
                if reason is not None:
                    self._finish(login, reason)
                elif login.holds and not login.submitted and self._due(login, now):
                    login.submitted = True
                    self._pool.submit(self._renew_ahead, login).add_done_callback(_log_a_bug)
        while self._untold:
            ended = self._untold.popleft()
            self._on_end(ended.principal, ended.error())

    def close(self) -> None:
        """Forget all tokens, without a call of `on_end`."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._logins.clear()
            self._by_key.clear()

    def _live(self, login: str) -> _Login:
        now = self._clock()
        with self._lock:
            found = self._logins.get(login)
            if found is not None:
                reason = self._reason_to_end(found, now)
                if reason is None:
                    self._touch(found, now)
                    return found
                self._finish(found, reason)
            ended = self._ended.get(login)
        raise ended.error() if ended is not None else AuthenticationError("The login has ended.", hint=_HINT)

    def _due(self, login: _Login, now: float) -> bool:
        # After a call without an answer there is a pause: those who have waited for it would each wait as long.
        if login.renewer is None or login.retry_at > now:
            return False
        life = login.tokens.expires_at - login.received
        return login.tokens.expires_at - now <= min(self._ahead, life / 3)

    def _renew_ahead(self, login: _Login) -> None:
        try:
            with login.renewing:
                with self._lock:
                    still_there = self._logins.get(login.id) is login
                if still_there and self._due(login, self._clock()):
                    self._renew(login)
        finally:
            login.submitted = False

    def _renew(self, login: _Login) -> None:
        """Exchange the tokens, or end the login when that is refused; `login.renewing` is held."""
        old, renewer = login.tokens, login.renewer
        if renewer is None:
            return
        try:
            fresh = renewer.renew(old)
        except IdentityProviderError as error:
            self._observe(SILENT)
            _log.warning(
                "the tokens of %s are not renewed yet: %s",
                login.principal.user,
                error.detail or error.message,
            )
            login.retry_at = self._clock() + _RETRY_AFTER
            return
        except AuthenticationError as error:
            self._observe(REFUSED)
            with self._lock:
                if login.tokens is old:
                    reason = "the identity provider does not renew it"
                    self._finish(login, reason, error.detail or error.message)
            return
        now = self._clock()
        self._observe(RENEWED)
        with self._lock:
            if login.tokens is old:  # else the person has logged in again meanwhile
                login.tokens, login.received, login.retry_at = fresh, now, 0.0
        _log.info(
            "renewed the tokens of %s: good for %s",
            login.principal.user,
            Duration(round(fresh.expires_at - now)),
        )

    def _reason_to_end(self, login: _Login, now: float) -> str | None:
        if now - login.started >= self._lifetime:
            return f"it has lasted {Duration(self._lifetime)}, the longest that is allowed"
        if not login.holds and now - login.used >= self._idle:
            return f"it was not used for {Duration(self._idle)}"
        if login.tokens.expires_at > now:
            return None
        if login.renewer is None:
            return "its token has expired, and cannot be renewed here"
        refresh_ends = login.tokens.refresh_expires_at
        if refresh_ends is not None and refresh_ends <= now:
            return "the time in which it could be renewed is over"
        return None

    def _touch(self, login: _Login, now: float) -> None:
        login.used = now
        self._logins.move_to_end(login.id)

    def _make_room(self) -> None:
        if len(self._logins) < self._at_most:
            return
        for login in self._logins.values():
            if not login.holds:
                self._finish(login, "there were too many logins, and it was unused for longest")
                return
        raise AuthenticationError(
            "Too many people are logged in.", hint="Try again later.", detail="auth.logins are all in use"
        )

    def _finish(self, login: _Login, reason: str, detail: str | None = None) -> None:
        """End it; the lock is held."""
        if self._logins.pop(login.id, None) is None:
            return
        if self._by_key.get(login.key) == login.id:
            del self._by_key[login.key]
        ended = _Ended(login.principal, reason, detail)
        self._ended[login.id] = ended
        self._untold.append(ended)
        _log.info(
            "the login of %s has ended: %s%s",
            login.principal.user,
            reason,
            f" ({detail})" if detail else "",
        )


def _log_a_bug(done: Future[None]) -> None:
    if not done.cancelled() and (error := done.exception()) is not None:
        _log.error("a renewal of tokens failed in a way that it should not", exc_info=error)
