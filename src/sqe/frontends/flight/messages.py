"""Encode and decode Flight SQL's messages, each packed in a `google.protobuf.Any`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from google.protobuf import any_pb2
from google.protobuf.message import DecodeError, Message

from sqe.errors import UnsupportedError, UsageError
from sqe.frontends.flight.proto import FlightSql_pb2

_M = TypeVar("_M", bound=Message)

_TYPES: Mapping[str, Any] = {
    descriptor.full_name: getattr(FlightSql_pb2, name)
    for name, descriptor in FlightSql_pb2.DESCRIPTOR.message_types_by_name.items()
}


def pack(message: Message) -> bytes:
    packed = any_pb2.Any()
    packed.Pack(message)
    return bytes(packed.SerializeToString())


def unpack(data: bytes, what: str) -> Message:
    """Read any of Flight SQL's messages; `what` names its role in error messages. Raises SqeError."""
    packed = parse(any_pb2.Any, data, what)
    name = packed.type_url.rpartition("/")[2]
    if not name:
        raise UsageError(f"The {what} is not a Flight SQL message.")
    if name not in _TYPES:
        raise UnsupportedError(f"The Flight SQL message '{name[:200]}' is not supported.")
    message: Message = parse(_TYPES[name], packed.value, what)
    return message


def unpack_as(kind: type[_M], data: bytes, what: str) -> _M:
    """Read one kind of message. Raises SqeError."""
    message = unpack(data, what)
    if not isinstance(message, kind):
        raise UsageError(f"The {what} is a {type(message).__name__}, which is not allowed there.")
    return message


def parse(kind: type[_M], data: bytes, what: str) -> _M:
    """Read a message that is not packed. Raises UsageError."""
    message: _M = kind()
    try:
        message.ParseFromString(data)
    except DecodeError:
        raise UsageError(f"The {what} is not a valid message.") from None
    return message
