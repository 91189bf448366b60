"""Errors of the Flight SQL front end, as its clients show them.

gRPC has a status, a text and details. The server's text is `TABLE_NOT_FOUND: ...`; its details are JSON, for the
clients that hand them on.
"""

from __future__ import annotations

import json
import re

from tests.conformance.clients.base import Failed

# ADBC puts gRPC's status before it, as in `NOT_FOUND: [FlightSQL] TABLE_NOT_FOUND: ...`, and JDBC the whole statement.
_NAMED = re.compile(r"(?:^(?!.*\[FlightSQL\])|\[FlightSQL\] |\": )(?P<name>[A-Z]+(?:_[A-Z]+)+): ")


def failed(kind: str, message: str, details: bytes | str | None = None) -> Failed:
    named = _NAMED.search(message)
    name = named["name"] if named else None
    if not details:
        return Failed(kind, message, name=name)
    fields = json.loads(details)
    assert fields["code"] == name, f"the details say {fields['code']} and the message {message}"
    return Failed(
        kind, message, name=name, sqlstate=fields["sqlstate"], line=fields["line"], column=fields["column"]
    )
