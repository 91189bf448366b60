"""The text of a statement in the body of a request."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request

from sqe.errors import StatementTooLargeError
from sqe.frontends.trino.refusal import Refusal

_SWALLOWED = 64 * 1024 * 1024  # bytes that are read and dropped, so that the client is there to hear why


async def read_statement(request: Request, longest: int) -> str:
    """Read it, holding no more than is allowed.

    Raises:
        StatementTooLargeError: it is longer than `longest` bytes.
        Refusal: it is no text, or there is none, or far too much of it.
    """
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise Refusal(415, "The statement has to be sent as it is, without Content-Encoding.")
    declared = request.headers.get("content-length", "0")
    if not declared.isdigit() or int(declared) > _SWALLOWED:
        raise Refusal(413, "The statement is too long.", {"Connection": "close"})
    data = bytearray()
    size = 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size <= longest:
                data += chunk
            elif size > _SWALLOWED:
                raise Refusal(413, "The statement is too long.", {"Connection": "close"})
            else:
                data.clear()
    except ClientDisconnect:
        raise Refusal(400, "The request is not complete.") from None
    if size > longest:
        raise StatementTooLargeError(
            f"The statement has {size} bytes, and {longest} are allowed (limits.sql_bytes).",
            hint="Split it, or put the data into a table.",
        )
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Refusal(400, "The statement is not UTF-8.") from None
    if not text.strip():
        raise Refusal(400, "SQL statement is empty")
    return text
