"""Trino's HTTP protocol over the query service."""
