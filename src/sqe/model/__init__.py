"""Frozen values that every room shares; no I/O."""
