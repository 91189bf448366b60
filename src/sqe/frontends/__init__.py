"""Wire protocols; each only translates to the query service."""
