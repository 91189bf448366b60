"""Cut the connections of clients that stop reading or sending in the middle of a call.

gRPC makes the server's thread wait for such a client without a limit, and pyarrow cannot end the call. The server can
only cut the connection: the client's call fails, and its next call opens a new connection. Other calls may share the
connection, so it is cut only if all of them stall, or if one has stalled for far too long.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from sqe.frontends.flight.call_authenticator import address

_log = logging.getLogger(__name__)

_FAR_TOO_LONG = 4
_OPEN_FILES = Path("/dev/fd")

_T = TypeVar("_T")


class _Call:
    def __init__(self, peer: str) -> None:
        self.peer = peer
        # When the server began to wait for the client; None: it does not wait.
        self.waits_since: float | None = None


class StallWatchdog:
    """Watches the calls of one endpoint."""

    def __init__(self, limit: float) -> None:
        """Watch calls; `limit` is how many seconds a client may stall."""
        self._limit = limit
        self._lock = threading.Lock()
        self._calls: set[_Call] = set()
        self._closing = threading.Event()
        self._ports: set[int] = set()
        self._thread = threading.Thread(target=self._run, name="flight-stalls", daemon=True)
        self._thread.start()

    def watch(self, port: int) -> None:
        """Add a port whose connections may be cut."""
        self._ports.add(port)

    def sending(self, peer: str, items: Iterator[_T]) -> Iterator[_T]:
        """Yield items that are sent to a client."""
        call = self._begin(peer)
        try:
            for item in items:
                call.waits_since = time.monotonic()
                yield item
                call.waits_since = None
        finally:
            self._end(call)
            close = getattr(items, "close", None)
            if close is not None:
                close()

    def receiving(self, peer: str, items: Iterator[_T]) -> Iterator[_T]:
        """Yield items that a client sends."""
        call = self._begin(peer)
        try:
            while True:
                call.waits_since = time.monotonic()
                try:
                    item = next(items)
                except StopIteration:
                    return
                call.waits_since = None
                yield item
        finally:
            self._end(call)

    def close(self) -> None:
        self._closing.set()
        self._thread.join(5)

    def cut_all(self) -> None:
        """Cut every connection at the watched ports."""
        for connection in _connections(self._ports):
            _cut(connection)

    def _begin(self, peer: str) -> _Call:
        call = _Call(peer)
        with self._lock:
            self._calls.add(call)
        return call

    def _end(self, call: _Call) -> None:
        with self._lock:
            self._calls.discard(call)

    def _run(self) -> None:
        while not self._closing.wait(min(1.0, self._limit / 4)):
            for peer in self._stalled():
                _log.warning("%s has stopped reading or sending: cutting its connection", peer)
                _cut_peer(peer, self._ports)

    def _stalled(self) -> list[str]:
        """Return the peers whose connections are to be cut."""
        now = time.monotonic()
        with self._lock:
            calls = list(self._calls)
        longest: dict[str, float] = {}
        moving: set[str] = set()
        for call in calls:
            since = call.waits_since
            waited = 0.0 if since is None else now - since
            if waited <= self._limit:
                moving.add(call.peer)
            longest[call.peer] = max(longest.get(call.peer, 0.0), waited)
        return [
            peer
            for peer, waited in longest.items()
            if waited > self._limit and (peer not in moving or waited > _FAR_TOO_LONG * self._limit)
        ]


def _cut_peer(peer: str, ports: set[int]) -> None:
    host, port = address(peer), peer.rpartition(":")[2]
    for connection in _connections(ports):
        if host == _bare(connection.getpeername()[0]) and port == str(connection.getpeername()[1]):
            _cut(connection)
        else:
            connection.close()


def _connections(ports: set[int]) -> Iterator[socket.socket]:
    """Yield duplicates of the sockets of all connections at these ports; the caller closes them."""
    for name in os.listdir(_OPEN_FILES):  # noqa: PTH208 - entries vanish while the directory is read
        connection = _socket(int(name))
        if connection is None:
            continue
        try:
            watched = connection.family in (socket.AF_INET, socket.AF_INET6)
            watched = watched and connection.getsockname()[1] in ports and bool(connection.getpeername())
        except OSError:
            watched = False  # a listening or closed socket
        if watched:
            yield connection
        else:
            connection.close()


def _socket(descriptor: int) -> socket.socket | None:
    """Return a duplicate of a descriptor if it is an open socket."""
    try:
        copy = os.dup(descriptor)
    except OSError:
        return None
    try:
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        return None


def _cut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # the client has closed it
    finally:
        connection.close()


def _bare(host: str) -> str:
    return host.removeprefix("::ffff:").partition("%")[0]
