"""Names that a catalog cannot have."""

from __future__ import annotations

# Spark's own, and those of the gateway's virtual tables.
RESERVED_CATALOGS = frozenset({"spark_catalog", "system", "session", "builtin", "global_temp"})
