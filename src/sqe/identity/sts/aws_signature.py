"""Sign requests to an STS with AWS's signature version 4, by botocore."""

from __future__ import annotations

import logging
from collections.abc import Generator

import httpx
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

logging.getLogger("botocore.auth").setLevel(logging.INFO)  # below, it writes session tokens to the log

_ADDED = ("Authorization", "X-Amz-Date", "X-Amz-Security-Token")


class Signature(httpx.Auth):
    """Signs each request with the access key of the person who logs in."""

    requires_request_body = True

    def __init__(self, key_id: str, secret: str, token: str | None, region: str) -> None:
        self._signer = SigV4Auth(Credentials(key_id, secret, token), "sts", region)

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        signed = AWSRequest(
            request.method,
            str(request.url),
            headers={"Content-Type": request.headers["Content-Type"], "Host": request.headers["Host"]},
            data=request.content,
        )
        self._signer.add_auth(signed)
        request.headers.update({name: signed.headers[name] for name in _ADDED if name in signed.headers})
        yield request
