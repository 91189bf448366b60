"""Check the address of a listener, and bind it before anything slow happens."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqe.common.loopback import is_loopback
from sqe.errors import ConfigError

BACKLOG = 512


class _Place(NamedTuple):
    family: socket.AddressFamily
    address: tuple[Any, ...]  # as this family writes it


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port, and the keys in the configuration that name them."""

    listener: str
    host: str
    port: int
    section: str | None = None  # with `host` and `port` of its own; None: it is one of the server's listeners

    @property
    def host_key(self) -> str:
        return f"{self.section}.host" if self.section else f"server.{self.listener}_host"

    @property
    def port_key(self) -> str:
        return f"{self.section}.port" if self.section else f"server.{self.listener}_port"

    def url(self, scheme: str, port: int) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}:{port}"

    def is_loopback(self) -> bool:
        """Return whether only this machine can reach it. Raises ConfigError for an unknown host."""
        return all(is_loopback(str(place.address[0])) for place in self._resolve())

    def listen(self) -> socket.socket:
        """Bind the address and listen. Raises ConfigError naming the key."""
        place = self._resolve()[0]
        # The protocol is named because asyncio turns Nagle's delay off only for sockets that say they are TCP.
        opened = socket.socket(place.family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if place.family == socket.AF_INET6:
                opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, self.host != "::")
            opened.bind(place.address)
            opened.listen(BACKLOG)
        except OSError as error:
            opened.close()
            raise self._refusal(error) from error
        return opened

    def check_free(self) -> None:
        """Raise ConfigError when another program has it.

        For a server that binds by itself: gRPC silently shares a taken port with its holder.
        """
        if self.port:
            self.listen().close()

    def _resolve(self) -> list[_Place]:
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        except (socket.gaierror, UnicodeError) as error:
            raise ConfigError(
                f"{self.host_key}: the host '{self.host}' is not known.",
                hint="Write an address of this machine.",
            ) from error
        return [_Place(family, place) for family, _, _, _, place in found]

    def _refusal(self, error: OSError) -> ConfigError:
        match error.errno:
            case errno.EADDRINUSE:
                return ConfigError(
                    f"{self.port_key}: the port {self.port} on {self.host} is taken.",
                    hint=f"End the program that has it, set {self.port_key} to another port or to 0 for a free one"
                    + ("." if self.section else ", or leave this listener out of server.listeners."),
                )
            case errno.EACCES:
                return ConfigError(
                    f"{self.port_key}: this user may not listen on the port {self.port}.",
                    hint="Set a port above 1023.",
                )
            case errno.EADDRNOTAVAIL:
                return ConfigError(f"{self.host_key}: {self.host} is not an address of this machine.")
            case _:
                return ConfigError(f"{self.host_key}: cannot listen on {self.host}: {error.strerror}.")
