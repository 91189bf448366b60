"""The frames between the gateway and a worker. Both sides import this, so it imports nothing but the standard library.

A frame is a kind, a length and a payload. The gateway sends QUERY and CANCEL; the worker sends READY once, and for each
query SCHEMA and BATCH, which are Arrow's IPC messages, and in any case END, which says how the query has ended.
"""

from __future__ import annotations

import socket
import struct
from enum import IntEnum

_HEADER = struct.Struct("<BQ")
_LARGEST = 2**31  # bytes of a payload; no frame comes near it


class Kind(IntEnum):
    QUERY = 1  # JSON
    CANCEL = 2  # JSON: the number of a query
    READY = 3
    SCHEMA = 4
    BATCH = 5
    END = 6  # JSON: {"outcome": ..., "reason": ...}


OK = "ok"
FAILED = "failed"
CANCELED = "canceled"


def send(connection: socket.socket, kind: Kind, payload: bytes | memoryview = b"") -> None:
    """Write one frame. Raises OSError."""
    connection.sendall(_HEADER.pack(kind, len(payload)))
    if payload:
        connection.sendall(payload)


def receive(connection: socket.socket) -> tuple[Kind, bytearray] | None:
    """Read one frame; None at the end of the connection. Raises OSError, ValueError."""
    header = _read(connection, _HEADER.size)
    if header is None:
        return None
    kind, length = _HEADER.unpack(header)
    if length > _LARGEST:
        raise ValueError("A frame is too long.")
    payload = _read(connection, length)
    return None if payload is None else (Kind(kind), payload)


def _read(connection: socket.socket, length: int) -> bytearray | None:
    data = bytearray(length)
    view = memoryview(data)
    done = 0
    while done < length:
        count = connection.recv_into(view[done:])
        if count == 0:
            return None
        done += count
    return data
