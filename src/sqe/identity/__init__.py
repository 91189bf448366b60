"""Authenticate clients, and keep their logins and tokens."""
