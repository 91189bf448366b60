"""Trino's SQL: its lexer and types, the translation to Spark's SQL, and the virtual tables."""
