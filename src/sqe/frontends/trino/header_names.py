"""The names of the headers in Trino's protocol."""

from __future__ import annotations

from typing import Final

USER: Final = "X-Trino-User"
SOURCE: Final = "X-Trino-Source"
CATALOG: Final = "X-Trino-Catalog"
SCHEMA: Final = "X-Trino-Schema"
TIME_ZONE: Final = "X-Trino-Time-Zone"
SESSION: Final = "X-Trino-Session"
PREPARED_STATEMENT: Final = "X-Trino-Prepared-Statement"
TRANSACTION_ID: Final = "X-Trino-Transaction-Id"
CLIENT_INFO: Final = "X-Trino-Client-Info"
CLIENT_TAGS: Final = "X-Trino-Client-Tags"
CLIENT_CAPABILITIES: Final = "X-Trino-Client-Capabilities"
TRACE_TOKEN: Final = "X-Trino-Trace-Token"  # noqa: S105 - a name
QUERY_DATA_ENCODING: Final = "X-Trino-Query-Data-Encoding"

SET_CATALOG: Final = "X-Trino-Set-Catalog"
SET_SCHEMA: Final = "X-Trino-Set-Schema"
SET_PATH: Final = "X-Trino-Set-Path"
SET_SESSION: Final = "X-Trino-Set-Session"
CLEAR_SESSION: Final = "X-Trino-Clear-Session"
SET_ROLE: Final = "X-Trino-Set-Role"
ADDED_PREPARE: Final = "X-Trino-Added-Prepare"
DEALLOCATED_PREPARE: Final = "X-Trino-Deallocated-Prepare"
STARTED_TRANSACTION_ID: Final = "X-Trino-Started-Transaction-Id"
CLEAR_TRANSACTION_ID: Final = "X-Trino-Clear-Transaction-Id"

TIME_ZONE_PROPERTY: Final = "time_zone_id"  # the session property in which Trino keeps SET TIME ZONE
