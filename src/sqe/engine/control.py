"""Define what an engine knows of the gateway's control endpoint, and write it to the JVM's standard input.

The endpoint itself is in the package `control`.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqe.executor.failures import LocalExecutionError
from sqe.executor.stores import Store, StoreAccess
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog


@dataclass(frozen=True, slots=True)
class ControlTls:
    """Client key, client certificate and trusted authority of an engine on another machine, each as PEM."""

    key: str = field(repr=False)  # PKCS #8, not encrypted
    certificate: str  # with its chain, if there is one
    authority: str  # that signed the endpoint's certificate


@dataclass(frozen=True, slots=True)
class ControlLink:
    """Address of the control endpoint, and the secret that authenticates one engine."""

    url: str  # http://127.0.0.1:port, or https://host:port with `tls`
    secret: str = field(repr=False)
    tls: ControlTls | None = None


class Control(Protocol):
    """The gateway's control endpoint, as engines see it."""

    def link(self) -> ControlLink | None:
        """Return the link for a new engine, with a secret of its own; None without an endpoint."""

    def bind(self, session: str, principal: Principal, catalogs: Sequence[RestCatalog]) -> None:
        """Let the Spark session with this UUID act for `principal` on these catalogs."""

    def unbind(self, session: str) -> None:
        """Refuse this session's requests from now on. Ignores sessions that are not bound."""

    def open_stores(
        self, session: str, stores: Sequence[Store], reference: str | None
    ) -> tuple[StoreAccess, ...]:
        """Return the principal's credentials for the stores of one plan.

        Args:
            session: the UUID of the Spark session that made the plan.
            stores: the stores that the plan reads.
            reference: names the vended credentials that the engine has handed over for this plan, if there are any.

        Raises:
            LocalExecutionError: not all stores can be opened.
        """


class NoControl:
    """No control endpoint: sessions cannot have catalogs that need the user's identity."""

    def link(self) -> ControlLink | None:
        return None

    def bind(self, session: str, principal: Principal, catalogs: Sequence[RestCatalog]) -> None: ...

    def unbind(self, session: str) -> None: ...

    def open_stores(
        self, session: str, stores: Sequence[Store], reference: str | None
    ) -> tuple[StoreAccess, ...]:
        raise LocalExecutionError("There are no storage credentials without a control endpoint.")


@dataclass(frozen=True, slots=True)
class GuardSettings:
    """Settings of an engine whose guard asks the control endpoint for decisions."""

    timeout: float  # seconds that a decision may take at the endpoint
    mask_key: str | None = field(default=None, repr=False)  # of hash masks


def startup_input(link: ControlLink | None, *, locked: bool, guarding: GuardSettings | None = None) -> str:
    """Return the text that a JVM reads first from its standard input: `key=value` lines and an empty one.

    No other process can read a pipe, unlike a command line or an environment.

    Args:
        link: to the control endpoint, if there is one.
        locked: whether the engine refuses every kind of plan that could reach another user's session.
        guarding: settings of the guard. They imply `locked`: a statement that runs code could undo a row filter.
    """
    properties = {
        "locked": "true" if locked or guarding is not None else "false",
        "guarded": "true" if guarding is not None else "false",
    }
    if guarding is not None:
        properties["guard.timeout"] = str(int(guarding.timeout * 1000))
        if guarding.mask_key is not None:
            properties["guard.mask_key"] = _one_line(guarding.mask_key)
    if link is not None:
        properties |= {"control.url": link.url, "control.secret": link.secret}
        if link.tls is not None:
            properties |= {
                "control.key": _one_line(link.tls.key),
                "control.certificate": _one_line(link.tls.certificate),
                "control.authority": _one_line(link.tls.authority),
            }
    return "".join(f"{key}={value}\n" for key, value in properties.items()) + "\n"


def _one_line(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
