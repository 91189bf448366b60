"""The shell's side of the Flight protocol: a `Connection` on a gateway."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.flight as fl

from sqe.errors import GatewayError, SqeError
from sqe.frontends.flight import wire
from sqe.model.query import QueryStatus
from sqe.model.session import SessionSpec

_READ_AHEAD = 4  # batches that wait in the client; the rest waits in the gateway


class FlightConnection:
    """A session on a gateway. It ends with this object, or with this process."""

    def __init__(self, location: str, token: str) -> None:
        self._headers = [(wire.AUTHORIZATION.encode(), f"Bearer {token}".encode())]
        self._client = fl.FlightClient(location)
        self._held: Iterator[fl.Result] | None = None

    def open(self, spec: SessionSpec) -> None:
        """Open the session. Raises SqeError; GatewayError when nobody listens."""
        self._held = self._stream(wire.SESSION_OPEN, wire.encode_spec(spec))
        with _Translated():
            opened = wire.decode(next(self._held).body.to_pybytes())
        self._headers.append((wire.SESSION.encode(), wire.text(opened, "session").encode()))

    def execute(self, sql: str) -> FlightResult:
        query_id = wire.text(self.ask(wire.QUERY_SUBMIT, {"sql": sql}), "query")
        return FlightResult(self, query_id)

    def ask(self, action: str, fields: dict[str, Any], seconds: float = 30.0) -> dict[str, Any]:
        """One question, one answer."""
        with _Translated():
            return wire.decode(next(self._stream(action, wire.encode(fields), seconds)).body.to_pybytes())

    def status(self, query_id: str) -> QueryStatus:
        with _Translated():
            answer = next(self._stream(wire.QUERY_STATUS, wire.encode({"query": query_id}), 30.0))
            return wire.decode_status(answer.body.to_pybytes())

    def reader(self, query_id: str) -> fl.FlightStreamReader:
        return self._client.do_get(fl.Ticket(query_id.encode()), self._options(None))

    def close(self) -> None:
        self._held = None  # dropping the call is what ends the session at once
        self._client.close()

    def _stream(self, action: str, body: bytes, seconds: float | None = None) -> Iterator[fl.Result]:
        with _Translated():
            answers: Iterator[fl.Result] = self._client.do_action(
                fl.Action(action, body), self._options(seconds)
            )
            return answers

    def _options(self, seconds: float | None) -> fl.FlightCallOptions:
        return fl.FlightCallOptions(headers=self._headers, timeout=seconds)


class FlightResult:
    """One running statement, read on a thread of its own so that the caller can be interrupted while it waits."""

    def __init__(self, connection: FlightConnection, query_id: str) -> None:
        self._connection = connection
        self.query_id = query_id
        self._items: queue.Queue[pa.Schema | pa.RecordBatch | SqeError | None] = queue.Queue(_READ_AHEAD)
        self._reader: fl.FlightStreamReader | None = None
        self._schema: pa.Schema | None = None
        self._ended = False
        self._closed = threading.Event()
        threading.Thread(target=self._read, name=f"read-{query_id}", daemon=True).start()

    @property
    def schema(self) -> pa.Schema:
        if self._schema is None:
            item = self._next()
            self._schema = item if isinstance(item, pa.Schema) else pa.schema([])
        return self._schema

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        _ = self.schema
        while not self._ended:
            item = self._next()
            if isinstance(item, pa.RecordBatch):
                yield item

    def status(self) -> QueryStatus:
        return self._connection.status(self.query_id)

    def cancel(self) -> None:
        self._connection.ask(wire.QUERY_CANCEL, {"query": self.query_id})

    def close(self) -> None:
        if not self._ended:
            self._closed.set()
            self.cancel()

    def _next(self) -> pa.Schema | pa.RecordBatch | None:
        while True:
            try:
                # With a timeout, because a plain wait cannot be interrupted by Ctrl-C on every platform.
                item = self._items.get(timeout=0.5)
                break
            except queue.Empty:
                continue
        if item is None or isinstance(item, SqeError):
            self._ended = True
            if item is not None:
                raise item
        return item

    def _read(self) -> None:
        try:
            with _Translated():
                reader = self._connection.reader(self.query_id)
                self._put(reader.schema)
                for chunk in reader:
                    if not self._put(chunk.data):
                        reader.cancel()
                        return
            self._put(None)
        except SqeError as error:
            self._put(error)

    def _put(self, item: pa.Schema | pa.RecordBatch | SqeError | None) -> bool:
        while not self._closed.is_set():
            try:
                self._items.put(item, timeout=0.2)
                return True
            except queue.Full:
                continue
        return False


class _Translated:
    """Turns Flight's errors back into ours."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, fl.FlightError | pa.ArrowException | StopIteration):
            ours = wire.decode_error(getattr(error, "extra_info", b"") or b"")
            raise (ours or GatewayError("The gateway does not answer.", detail=str(error))) from None
