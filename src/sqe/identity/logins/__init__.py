"""Logins: tokens and their renewal, session tokens, and the login that `sqe login` keeps."""
