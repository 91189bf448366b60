"""Log in with a device code: the person uses a browser on any machine (RFC 8628)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.logins.token_set import Tokens
from sqe.identity.oidc.client import DeviceAuthorization, DevicePending, OidcClient

_log = logging.getLogger(__name__)

PROVIDER = "device_code"

_SLOWER = 5.0  # seconds more between two questions, when we are told to ask less often
_LONGEST_INTERVAL = 60.0


def wait_for_tokens(
    client: OidcClient,
    device: DeviceAuthorization,
    wait: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Tokens:
    """Ask until the person has logged in. `wait` is called with seconds between two questions.

    Raises:
        AuthenticationError: the person has denied it, or not come in time.
    """
    interval = device.interval
    deadline = clock() + device.expires_in
    while True:
        wait(min(interval, max(0.0, deadline - clock())))
        try:
            return client.device_token(device)
        except DevicePending as pending:
            if pending.slow_down:
                interval = min(interval + _SLOWER, _LONGEST_INTERVAL)
        except IdentityProviderError as error:
            # It may be back before the code has ended, and is not to be stormed then.
            _log.info("the identity provider does not answer: %s", error.detail)
            interval = min(2 * interval, _LONGEST_INTERVAL)
            if clock() >= deadline:
                raise
        if clock() >= deadline:
            raise AuthenticationError(
                "The login took too long.", hint="Begin again.", detail="the device code has expired"
            )
