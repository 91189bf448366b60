"""Encoders of Arrow columns as the JSON of Trino's pages, a column at a time."""
