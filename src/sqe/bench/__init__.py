"""Benchmarks of `sqe bench`: suites, engines, and comparisons of their times and answers."""
