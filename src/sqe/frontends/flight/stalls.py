"""Clients that stop reading, or stop sending, in the middle of a call.

gRPC makes our thread wait for such a client, for ever if need be, and pyarrow has no way to give the call up. What a
server can do is to cut the connection; the client then learns that its call has failed, and its next one makes a new
connection. So that others who share the connection do not suffer, it is cut only when nothing else moves on it, or when
it has taken far too long.
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

from sqe.frontends.flight.callers import address

_log = logging.getLogger(__name__)

_FAR_TOO_LONG = 4
_OPEN_FILES = Path("/dev/fd")

_T = TypeVar("_T")


class _Call:
    def __init__(self, peer: str) -> None:
        self.peer = peer
        self.waits_since: float | None = None  # for the client; None while the client waits for us


class Stalls:
    """Watches the calls of one door."""

    def __init__(self, limit: float) -> None:
        """`limit`: the seconds that a client may keep us waiting."""
        self._limit = limit
        self._lock = threading.Lock()
        self._calls: set[_Call] = set()
        self._closing = threading.Event()
        self._ports: set[int] = set()
        self._thread = threading.Thread(target=self._watch, name="flight-stalls", daemon=True)
        self._thread.start()

    def listening(self, port: int) -> None:
        """Connections at this port are ours to cut."""
        self._ports.add(port)

    def sending(self, peer: str, items: Iterator[_T]) -> Iterator[_T]:
        """Pass items on to a client."""
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
        """Take items from a client."""
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
        """Cut every connection at our ports."""
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

    def _watch(self) -> None:
        while not self._closing.wait(min(1.0, self._limit / 4)):
            for peer in self._stalled():
                _log.warning("%s has stopped reading or sending; its connection is cut", peer)
                _cut_peer(peer, self._ports)

    def _stalled(self) -> list[str]:
        """Peers to be cut off."""
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
    """Copies of our ends of all connections at these ports; whoever takes one closes it."""
    for name in os.listdir(_OPEN_FILES):  # noqa: PTH208 - they come and go while we look
        connection = _socket(int(name))
        if connection is None:
            continue
        try:
            ours = connection.family in (socket.AF_INET, socket.AF_INET6)
            ours = ours and connection.getsockname()[1] in ports and bool(connection.getpeername())
        except OSError:
            ours = False  # it listens, or has been closed
        if ours:
            yield connection
        else:
            connection.close()


def _socket(descriptor: int) -> socket.socket | None:
    """A copy of a descriptor, if it is a socket's and still open."""
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
        pass  # the client was faster
    finally:
        connection.close()


def _bare(host: str) -> str:
    return host.removeprefix("::ffff:").partition("%")[0]
