"""Run one statement over Trino's HTTP protocol, and keep its types, rows or error."""

from __future__ import annotations

import http.client
import json
import time
import urllib.parse
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

_SECONDS = 300.0
_TRIES = 200  # of a request that the server answers with 503: it is busy, and says so
_HEADERS = {
    "X-Trino-User": "admin",
    "X-Trino-Source": "parity",
    "X-Trino-Time-Zone": "UTC",
    "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
}


@dataclass(frozen=True)
class Answer:
    """The types and rows of a result, or the name and message of an error."""

    types: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    error: str | None = None
    message: str = ""

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Answer:
        if "error" in value:
            return Answer(error=value["error"], message=value.get("message", ""))
        return Answer(tuple(value["types"]), tuple(tuple(row) for row in value["rows"]))


class Client:
    """One connection to a server that speaks Trino's protocol."""

    def __init__(self, url: str) -> None:
        parts = urllib.parse.urlsplit(url)
        self._connection = http.client.HTTPConnection(
            parts.hostname or "localhost", parts.port, timeout=_SECONDS
        )

    def run(self, sql: str) -> Answer:
        page = self._request("POST", "/v1/statement", sql.encode())
        types: tuple[str, ...] = ()
        rows: list[tuple[Any, ...]] = []
        while True:
            if page.get("columns"):
                types = tuple(column["type"] for column in page["columns"])
            rows += [tuple(row) for row in page.get("data") or ()]
            if error := page.get("error"):
                return Answer(error=error.get("errorName") or "UNNAMED", message=error.get("message") or "")
            if not page.get("nextUri"):
                return Answer(types, tuple(rows))
            parts = urllib.parse.urlsplit(page["nextUri"])
            page = self._request("GET", parts.path + (f"?{parts.query}" if parts.query else ""))

    def close(self) -> None:
        self._connection.close()

    def _request(self, method: str, path: str, body: bytes | None = None) -> dict[str, Any]:
        status, content = self._exchange(method, path, body)
        tries = 1
        while status == http.client.SERVICE_UNAVAILABLE and tries < _TRIES:
            time.sleep(0.1)
            status, content = self._exchange(method, path, body)
            tries += 1
        if status != http.client.OK:
            return {"error": {"errorName": f"HTTP_{status}", "message": content.decode()[:200]}}
        page: dict[str, Any] = json.loads(content)
        return page

    def _exchange(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        try:
            return self._exchange_once(method, path, body)
        except (http.client.RemoteDisconnected, ConnectionError):
            # The server closes connections that were idle; no case changes anything, so it may run twice.
            self._connection.close()
            return self._exchange_once(method, path, body)

    def _exchange_once(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        self._connection.request(method, path, body=body, headers=_HEADERS)
        response = self._connection.getresponse()
        return response.status, response.read()


def run_all(url: str, statements: Iterable[str], threads: int = 4) -> list[Answer]:
    """Run the statements, a few at a time, and return their answers in the same order."""
    waiting = list(enumerate(statements))
    answers: dict[int, Answer] = {}

    def work(share: list[tuple[int, str]]) -> None:
        client = Client(url)
        try:
            for number, sql in share:
                answers[number] = client.run(sql)
        finally:
            client.close()

    with ThreadPoolExecutor(threads) as pool:
        for future in [pool.submit(work, waiting[first::threads]) for first in range(threads)]:
            future.result()
    return [answers[number] for number, _ in waiting]
