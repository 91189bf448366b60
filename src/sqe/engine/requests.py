"""Build the gateway's own requests to the engine's Java part.

They are extensions of Spark Connect's plans, which no SQL text can produce. An HMAC under the engine's secret
authenticates the gateway and binds each request to one Spark session.
"""

from __future__ import annotations

import hashlib
import hmac
import json

import pyspark.sql.connect.proto as pb2
from google.protobuf.any_pb2 import Any

CHANGED_ROWS = "changed_rows"
EXECUTED_PLAN = "executed_plan"
LOCAL_PLAN = "local_plan"
NAMESPACES = "namespaces"
PARAMETER_TYPES = "parameter_types"
TABLE = "table"
TABLES = "tables"
UNGUARDED = "unguarded"
UPLOADED_ROWS = "uploaded_rows"
SET_TAGS = "set_tags"
STATEMENT_PLAN = "statement_plan"
WANT_PLAN = "want_plan"

_TYPE = "sqe.spark/request"
_PURPOSE = "sqe request"


def relation(name: str, argument: str, session: str, secret: str) -> pb2.Relation:
    """Return a plan whose rows are the answer to a request.

    Args:
        name: of the request.
        argument: what it is about.
        session: the UUID of the Spark session that it is made in.
        secret: the engine's.
    """
    return pb2.Relation(extension=_message(name, argument, session, secret))


def command(name: str, argument: str, session: str, secret: str) -> pb2.Command:
    """Return a plan that runs a request without rows; the arguments are those of `relation`."""
    return pb2.Command(extension=_message(name, argument, session, secret))


def _message(name: str, argument: str, session: str, secret: str) -> Any:
    text = f"{_PURPOSE}\n{session}\n{name}\n{argument}"
    proof = hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()
    request = {"request": name, "argument": argument, "proof": proof}
    return Any(type_url=_TYPE, value=json.dumps(request).encode())
