"""The Star Schema Benchmark: one table of order lines, four dimensions, 13 queries."""
