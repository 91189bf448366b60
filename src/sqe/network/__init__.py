"""Listening on the network: addresses, TLS, and HTTP servers in threads. Knows no protocol above HTTP."""
