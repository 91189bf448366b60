"""A fake of an Iceberg REST catalog and an S3 store at one address, which fail on demand and record requests.

There is one table, `default.t`. The store takes everything and gives out nothing; the catalog commits nothing.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_BUCKET = "/lake"
_TABLES = "/v1/namespaces/default/tables"

Reply = tuple[int, str, bytes]  # status, content type, body


@dataclass(frozen=True)
class Asked:
    method: str
    path: str  # with its query
    authorization: str | None
    delegation: str | None
    body: bytes = b""

    @property
    def key_id(self) -> str:
        """Of a request to the store that is signed."""
        return (self.authorization or "").partition("Credential=")[2].partition("/")[0]


@dataclass
class RestCatalogFake:
    url: str
    overrides: dict[str, str] = field(default_factory=dict)  # of the answer to /v1/config
    config: dict[str, str] = field(default_factory=dict)  # that comes with the table
    renewed: dict[str, str] = field(default_factory=dict)  # what /v1/credentials vends later
    snapshot: bool = True  # whether the table has one, with its list of files in the store
    refused: tuple[int, str] | None = None  # status and message of everything but /v1/config
    store_refuses: tuple[int, str] = (403, "AccessDenied")  # status and S3's code of everything but PUT
    delay: float = 0.0  # seconds before each answer
    namespace: dict[str, str] = field(default_factory=dict)  # the properties of the one that there is
    asked: list[Asked] = field(default_factory=list)

    def of_catalog(self) -> list[Asked]:
        return [asked for asked in self.asked if not asked.path.startswith(_BUCKET)]

    def of_store(self) -> list[Asked]:
        return [asked for asked in self.asked if asked.path.startswith(_BUCKET)]

    def answer(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        time.sleep(self.delay)
        path = asked.path.partition("?")[0]
        if path.startswith(_BUCKET):
            return self._store(asked)
        if path == "/v1/config":
            return _json(200, {"defaults": {}, "overrides": self.overrides})
        if self.refused is not None:
            status, message = self.refused
            return _json(status, {"error": {"message": message, "type": "Refused", "code": status}})
        match asked.method, path:
            case "POST", "/v1/sign":
                return _json(200, {"uri": f"{self.url}{_BUCKET}/signed", "headers": {"x-signed": ["yes"]}})
            case "GET", "/v1/credentials":
                return _json(200, {"storage-credentials": [{"prefix": "s3", "config": self.renewed}]})
            case "GET", p if p == _TABLES:
                return _json(200, {"identifiers": [{"namespace": ["default"], "name": "t"}]})
            case "GET", p if p == _TABLES.removesuffix("/tables"):
                return _json(200, {"namespace": ["default"], "properties": self.namespace})
            case "POST", p if p == _TABLES:
                return _json(200, {"metadata-location": "s3://lake/new/v1.json", "metadata": _TABLE})
            case "GET", p if p == f"{_TABLES}/t":
                loaded = {"metadata-location": "s3://lake/t/v1.json", "metadata": self._table()}
                return _json(200, {**loaded, "config": self.config})
            case _:
                return _json(404, {"error": {"message": "There is none.", "type": "NoSuch", "code": 404}})

    def _store(self, asked: Asked) -> Reply:
        if asked.method == "PUT":
            return 200, "application/xml", b""
        status, code = self.store_refuses
        error = f"<Error><Code>{code}</Code><Message>{code}</Message></Error>"
        return status, "application/xml", error.encode()

    def _table(self) -> dict[str, Any]:
        return _TABLE | (_SNAPSHOT if self.snapshot else {})


@contextmanager
def rest_catalog() -> Iterator[RestCatalogFake]:
    """Listen on loopback for as long as the block lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    catalog = RestCatalogFake(f"http://127.0.0.1:{server.server_address[1]}")
    server.catalog = catalog  # type: ignore[attr-defined]  # the handler finds it there
    thread = threading.Thread(target=server.serve_forever, name="rest-catalog", daemon=True)
    thread.start()
    try:
        yield catalog
    finally:
        server.shutdown()
        server.server_close()
        thread.join(120)


def _json(status: int, answer: dict[str, Any]) -> Reply:
    return status, "application/json", json.dumps(answer).encode()


_COLUMN = {"id": 1, "name": "id", "required": False, "type": "long"}
_TABLE: dict[str, Any] = {
    "format-version": 2,
    "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
    "location": "s3://lake/t",
    "last-sequence-number": 1,
    "last-updated-ms": 1700000000000,
    "last-column-id": 1,
    "schemas": [{"type": "struct", "schema-id": 0, "fields": [_COLUMN]}],
    "current-schema-id": 0,
    "partition-specs": [{"spec-id": 0, "fields": []}],
    "default-spec-id": 0,
    "last-partition-id": 999,
    "sort-orders": [{"order-id": 0, "fields": []}],
    "default-sort-order-id": 0,
    "properties": {},
}
_SNAPSHOT: dict[str, Any] = {
    "current-snapshot-id": 1,
    "snapshots": [
        {
            "snapshot-id": 1,
            "sequence-number": 1,
            "timestamp-ms": 1700000000000,
            "manifest-list": "s3://lake/t/snap-1.avro",
            "schema-id": 0,
            "summary": {"operation": "append", "total-records": "1"},
        }
    ],
    "refs": {"main": {"snapshot-id": 1, "type": "branch"}},
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one segment
    timeout = 60

    def _answer(self) -> None:
        body = b""
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline().partition(b";")[0], 16):
                body += self.rfile.read(size + 2)[:-2]
            self.rfile.readline()
        body += self.rfile.read(int(self.headers.get("Content-Length") or 0))
        catalog: RestCatalogFake = self.server.catalog  # type: ignore[attr-defined]
        asked = Asked(
            self.command,
            self.path,
            self.headers["Authorization"],
            self.headers["X-Iceberg-Access-Delegation"],
            body,
        )
        status, kind, body = catalog.answer(asked)
        with suppress(ConnectionError):  # the client is tired of waiting
            self._send(status, kind, body)

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    # The base class looks for methods of these names.
    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815

    def log_message(self, _format: str, *args: object) -> None: ...
