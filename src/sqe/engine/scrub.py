"""Remove secrets from error texts: tokens, keys, signatures, and the query strings of URLs.

Errors of catalogs and object stores quote requests with their credentials. Messages go to clients and details to the
log, so both pass through here.
"""

from __future__ import annotations

import re

_HIDDEN = "***"

_SECRETS: tuple[tuple[re.Pattern[str], str], ...] = (
    # The query string of any URL: presigned S3 requests carry their signature there.
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
    # A session handle of the control endpoint: UUID and HMAC.
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{64}\b"), _HIDDEN),
)


def remove_secrets(text: str) -> str:
    """Return `text` with every secret replaced by `***`."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text
