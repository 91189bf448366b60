"""sqlglot dialects: Trino's and Spark's SQL as the gateway reads it, and Spark's as the gateway writes it."""
