"""What Trino's SQL must be changed into for Spark: one rewrite per file, all of them in `registry.RULES`."""
