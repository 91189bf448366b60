"""Provide, start and supervise the Spark engine, and run statements on it."""
