"""Trino's statements that are no queries, each read by hand and written in Spark's words."""
