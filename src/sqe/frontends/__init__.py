"""Front ends: each translates one wire protocol to the query service."""
