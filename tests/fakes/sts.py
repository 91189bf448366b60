"""Serve a fake STS whose responses a test sets, and record its requests."""

from __future__ import annotations

import datetime
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

CREDENTIALS = """<?xml version="1.0" encoding="UTF-8"?>
<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
 <AssumeRoleWithWebIdentityResult>
  <AssumedRoleUser><Arn></Arn><AssumeRoleId></AssumeRoleId></AssumedRoleUser>
  <Credentials>
   <AccessKeyId>{key}</AccessKeyId>
   <SecretAccessKey>secret of {key}</SecretAccessKey>
   <SessionToken>session of {key}</SessionToken>
   <Expiration>{end}</Expiration>
  </Credentials>
 </AssumeRoleWithWebIdentityResult>
 <ResponseMetadata><RequestId>1</RequestId></ResponseMetadata>
</AssumeRoleWithWebIdentityResponse>"""

REFUSAL = """<?xml version="1.0" encoding="UTF-8"?>
<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
 <Error><Type></Type><Code>{code}</Code><Message>{message}</Message></Error><RequestId>1</RequestId>
</ErrorResponse>"""


@dataclass
class FakeSts:
    """`answer` is sent if set; else keys that live for `life` seconds, named after the token."""

    url: str = ""
    life: float = 300.0
    answer: tuple[int, str] | None = None
    silent: threading.Event | None = None  # answers wait for it
    asked: list[dict[str, str]] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)

    def refuse(self, code: str, message: str = "no", status: int = 400) -> None:
        self.answer = (status, REFUSAL.format(code=code, message=message))

    def respond(self, form: dict[str, str]) -> tuple[int, str]:
        if self.silent is not None:
            self.silent.wait(120)
        if self.answer is not None:
            return self.answer
        end = datetime.datetime.fromtimestamp(time.time() + self.life, datetime.UTC)
        key = f"{len(self.asked)} for {form['WebIdentityToken']}"
        return 200, CREDENTIALS.format(key=key, end=end.isoformat().replace("+00:00", "Z"))


@contextmanager
def fake_sts() -> Iterator[FakeSts]:
    sts = FakeSts()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            sts.asked.append(form)
            sts.targets.append(self.path)
            status, text = sts.respond(form)
            data = text.encode()
            self.send_response(status)
            self.send_header("content-type", "text/xml")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    sts.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield sts
    finally:
        if sts.silent is not None:
            sts.silent.set()
        server.shutdown()
        server.server_close()
        thread.join(120)
