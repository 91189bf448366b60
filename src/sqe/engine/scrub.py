"""Takes out of a text what could open something: tokens, keys, signatures, and the queries of addresses.

Errors of catalogs and stores carry what they were asked, and what they were asked with. Messages reach clients and
details reach our log, so both come through here.
"""

from __future__ import annotations

import re

_HIDDEN = "***"

_SECRETS: tuple[tuple[re.Pattern[str], str], ...] = (
    # A request to S3 that was signed in its address, and every other address with a query.
    (re.compile(r"(?i)\b(https?://[^\s?\"'<>]+)\?[^\s\"'<>]+"), r"\1"),
    (re.compile(r"(?i)(x-amz-[a-z0-9-]+)\s*([=:])\s*[^\s&,;\"']+"), rf"\1\2{_HIDDEN}"),
    (re.compile(r"AWS4-HMAC-SHA256\s+Credential=.*", re.DOTALL), f"AWS4-HMAC-SHA256 {_HIDDEN}"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[a-z0-9\-._~+/]{6,}=*"), rf"\1 {_HIDDEN}"),
    (re.compile(r"\beyJ[\w-]{6,}(?:\.[\w-]*){0,4}"), _HIDDEN),
    (
        re.compile(
            r"(?i)\b((?:s3\.)?(?:access-key-id|secret-access-key|session-token|client_secret|refresh_token"
            r"|access_token|webidentitytoken))([\"']?\s*[=:]\s*[\"']?)[^\s,;&\"'}]+"
        ),
        rf"\1\2{_HIDDEN}",
    ),
    # A handle of the control endpoint: a session's UUID and its proof.
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{64}\b"), _HIDDEN),
)


def scrubbed(text: str) -> str:
    """The same text with nothing in it that could be used."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text
