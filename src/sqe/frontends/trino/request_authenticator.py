"""Authenticate requests: every one, also those with a secret address."""

from __future__ import annotations

import asyncio
import ipaddress
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from starlette.requests import Request

from sqe.errors import AuthenticationError
from sqe.frontends.trino import header_names as names
from sqe.frontends.trino.addresses import client_address, on_this_machine
from sqe.frontends.trino.client_request import single
from sqe.frontends.trino.endpoint import Refusal
from sqe.frontends.trino.settings import Network
from sqe.identity.chain import Authenticator
from sqe.identity.credentials import PresentedCredentials, from_authorization
from sqe.identity.providers.client_certificate import read_certificate
from sqe.model.identity import Principal

# In the scope's extensions: the verified client certificate, as `ssl` returns it.
_CERTIFICATE = "sqe.certificate"
_ANONYMOUS = "anonymous"
_ONE_LABEL = re.compile(r"[A-Za-z0-9_\-]+|(?:[A-Za-z0-9_\-]+\.)*localhost")
_THREADS = 8


class RequestAuthenticator:
    def __init__(
        self,
        authenticator: Authenticator,
        trusted_proxies: tuple[Network, ...] = (),
        challenge: Callable[[Request], str] | None = None,
    ) -> None:
        """Authenticate with `authenticator`.

        Args:
            authenticator: checks the credentials.
            trusted_proxies: whose headers give the client's address.
            challenge: returns a further challenge for clients without credentials.
        """
        self._authenticator = authenticator
        self._trusted = trusted_proxies
        self._challenge = challenge
        # Verifying a password is slow on purpose, and must block neither the event loop nor the threads for pages.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="trino-login")

    async def principal(self, request: Request) -> Principal:
        """Return the principal of a request. Raises Refusal."""
        claimed = single(request.headers, names.USER)
        try:
            presented = self._presented(request, claimed)
            if presented.explicit:
                loop = asyncio.get_running_loop()
                principal = await loop.run_in_executor(
                    self._threads, self._authenticator.authenticate, presented
                )
            else:
                principal = self._authenticator.authenticate(presented)
        except AuthenticationError as error:
            text = f"{error.message} {error.hint}" if error.hint else error.message
            challenges = [self._authenticator.challenge]
            if self._challenge is not None:
                challenges.append(self._challenge(request))
            raise Refusal(401, text, {"WWW-Authenticate": ", ".join(challenges)}) from None
        if claimed is not None and claimed != principal.user:
            raise Refusal(403, f"Access Denied: User {principal.user} cannot impersonate user {claimed}")
        _refuse_web_pages(request, principal)
        return principal

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _presented(self, request: Request, claimed: str | None) -> PresentedCredentials:
        certificate = read_certificate(request.scope.get("extensions", {}).get(_CERTIFICATE))
        authorization = single(request.headers, "authorization")
        # With credentials, X-Trino-User must match the principal; `principal` refuses impersonation as Trino does.
        label = None if authorization or certificate else claimed
        return from_authorization(
            authorization,
            certificate=certificate,
            claimed_user=label,
            loopback=on_this_machine(request),
            address=client_address(request, self._trusted),
        )


def _refuse_web_pages(request: Request, principal: Principal) -> None:
    """Refuse requests of web pages, which a browser would send with the user's rights. Raises Refusal.

    No client of Trino is a web page, so that a request with an Origin is refused. A page whose host name resolves to
    this machine (DNS rebinding) sends no Origin with GET; its host name gives it away.
    """
    site = request.headers.get("sec-fetch-site", "none")
    navigation = request.method == "GET" and request.headers.get("sec-fetch-mode") == "navigate"
    if "origin" in request.headers or (site not in ("none", "same-origin") and not navigation):
        raise Refusal(403, "Requests from web pages are not allowed.")
    if principal.provider == _ANONYMOUS and not _is_own_name(request.url.hostname):
        raise Refusal(403, "Without credentials, use localhost or the IP address of this server.")


def _is_own_name(host: str | None) -> bool:
    if host is None:
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return _ONE_LABEL.fullmatch(host) is not None
    return True
