"""Benchmarks that need a running server; see docs/performance.md."""
