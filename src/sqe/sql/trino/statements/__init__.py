"""Translators of Trino's statements other than queries, one module per kind of statement."""
