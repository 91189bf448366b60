"""Trino's SQL as sqlglot reads it for us, and Spark's as it writes it."""
