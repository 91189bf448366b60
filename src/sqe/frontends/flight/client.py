"""The shell's side of the private Flight protocol: a `Connection` to a gateway."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
import pyarrow.flight as fl

from sqe.errors import GatewayError, SqeError
from sqe.frontends.flight import wire
from sqe.frontends.flight.wire import Impersonation, OpenRequest
from sqe.model.query import QueryStatus
from sqe.model.session import SessionSpec


class FlightConnection:
    """A session on a gateway. It ends with `close`, or with this process."""

    def __init__(self, location: str, token: str) -> None:
        self._headers = [(wire.AUTHORIZATION.encode(), f"Bearer {token}".encode())]
        self._client = fl.FlightClient(location)
        self._held: Iterator[fl.Result] | None = None

    def open(self, spec: SessionSpec, impersonation: Impersonation | None = None) -> None:
        """Open the session. Raises SqeError; GatewayError if no gateway listens."""
        self._held = self._stream(wire.SESSION_OPEN, OpenRequest(spec, impersonation).encode())
        with _ErrorTranslator():
            opened = wire.decode(next(self._held).body.to_pybytes())
        self._headers.append((wire.SESSION.encode(), wire.text(opened, "session").encode()))

    def execute(self, sql: str) -> FlightResult:
        query_id = wire.text(self.ask(wire.QUERY_SUBMIT, {"sql": sql}), "query")
        return FlightResult(self, query_id)

    def ask(self, action: str, fields: dict[str, Any], seconds: float = 30.0) -> dict[str, Any]:
        """Send an action and return its one answer. Raises SqeError."""
        with _ErrorTranslator():
            return wire.decode(next(self._stream(action, wire.encode(fields), seconds)).body.to_pybytes())

    def status(self, query_id: str) -> QueryStatus:
        with _ErrorTranslator():
            answer = next(self._stream(wire.QUERY_STATUS, wire.encode({"query": query_id}), 30.0))
            return wire.decode_status(answer.body.to_pybytes())

    def reader(self, query_id: str) -> fl.FlightStreamReader:
        return self._client.do_get(fl.Ticket(query_id.encode()), self._options(None))

    def close(self) -> None:
        self._held = None  # dropping the call is what ends the session at once
        self._client.close()

    def _stream(self, action: str, body: bytes, seconds: float | None = None) -> Iterator[fl.Result]:
        with _ErrorTranslator():
            answers: Iterator[fl.Result] = self._client.do_action(
                fl.Action(action, body), self._options(seconds)
            )
            return answers

    def _options(self, seconds: float | None) -> fl.FlightCallOptions:
        return fl.FlightCallOptions(headers=self._headers, timeout=seconds)


class FlightResult:
    """One running statement. Reading blocks; `status`, `cancel` and `close` may be called from another thread."""

    def __init__(self, connection: FlightConnection, query_id: str) -> None:
        self._connection = connection
        self.query_id = query_id
        self._reader: fl.FlightStreamReader | None = None
        self._ended = False

    @property
    def schema(self) -> pa.Schema:
        with self._reading():
            return self._open().schema

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        with self._reading():
            for chunk in self._open():
                yield chunk.data
            self._ended = True

    def status(self) -> QueryStatus:
        return self._connection.status(self.query_id)

    def cancel(self) -> None:
        self._connection.ask(wire.QUERY_CANCEL, {"query": self.query_id})

    def close(self) -> None:
        if not self._ended:
            self._ended = True
            if self._reader is not None:
                self._reader.cancel()
            self.cancel()

    def _open(self) -> fl.FlightStreamReader:
        if self._reader is None:
            self._reader = self._connection.reader(self.query_id)
        return self._reader

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Translate errors, and mark a failed result as ended: there is nothing left to cancel."""
        try:
            with _ErrorTranslator():
                yield
        except SqeError:
            self._ended = True
            raise


class _ErrorTranslator:
    """Raises the SqeError for an error of Flight."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, fl.FlightError | pa.ArrowException | StopIteration):
            ours = wire.decode_error(getattr(error, "extra_info", b"") or b"")
            raise (ours or GatewayError("The gateway does not answer.", detail=str(error))) from None
