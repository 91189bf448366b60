"""Metrics of a running server, for its operators."""
