"""How an engine's Java part reaches the gateway's control endpoint, and which of its sessions may ask for what.

The endpoint itself is in the room `control`; the engine knows only this much of it.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqe.model.identity import Principal
from sqe.model.session import RestCatalog


@dataclass(frozen=True, slots=True)
class ControlTls:
    """What an engine on another machine presents, and whom it trusts, each as PEM."""

    key: str = field(repr=False)  # PKCS #8, not encrypted
    certificate: str  # with its chain, if there is one
    authority: str  # who has to have signed the endpoint's own certificate


@dataclass(frozen=True, slots=True)
class ControlLink:
    """Where the control endpoint is, and the secret that shows that it is this engine who asks."""

    url: str  # http://127.0.0.1:port, or https://host:port with `tls`
    secret: str = field(repr=False)
    tls: ControlTls | None = None


class Control(Protocol):
    """The gateway's control endpoint, as far as engines are concerned."""

    def link(self) -> ControlLink | None:
        """What a new engine is to be told, with a secret of its own; None: nothing listens."""

    def bind(self, session: str, principal: Principal, catalogs: Sequence[RestCatalog]) -> None:
        """Let the Spark session with this UUID act for `principal` on these catalogs."""

    def unbind(self, session: str) -> None:
        """The session is over; what asks for it from now on is refused. Unknown ones are ignored."""


class NoControl:
    """Nothing listens: sessions cannot have catalogs that want to know who asks."""

    def link(self) -> ControlLink | None:
        return None

    def bind(self, session: str, principal: Principal, catalogs: Sequence[RestCatalog]) -> None: ...

    def unbind(self, session: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Guarding:
    """That the engine's guard asks the control endpoint for decisions, and what it needs besides."""

    timeout: float  # seconds that a decision may take at the endpoint
    mask_key: str | None = field(default=None, repr=False)  # of hash masks


def introduction(link: ControlLink | None, *, locked: bool, guarding: Guarding | None = None) -> str:
    """What a JVM reads from its standard input before anything else: `key=value` lines and an empty one.

    A pipe is the one way to it that no other process can look into. With `guarding`, what crosses from one person to
    another is refused as well: a filter would be worth little where the next statement runs code of its own.
    """
    said = {
        "locked": "true" if locked or guarding is not None else "false",
        "guarded": "true" if guarding is not None else "false",
    }
    if guarding is not None:
        said["guard.timeout"] = str(int(guarding.timeout * 1000))
        if guarding.mask_key is not None:
            said["guard.mask_key"] = _one_line(guarding.mask_key)
    if link is not None:
        said |= {"control.url": link.url, "control.secret": link.secret}
        if link.tls is not None:
            said |= {
                "control.key": _one_line(link.tls.key),
                "control.certificate": _one_line(link.tls.certificate),
                "control.authority": _one_line(link.tls.authority),
            }
    return "".join(f"{key}={value}\n" for key, value in said.items()) + "\n"


def _one_line(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
