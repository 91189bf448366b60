"""Addresses, TLS, and HTTP servers in threads. Knows no protocol above HTTP."""
