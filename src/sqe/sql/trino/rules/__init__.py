"""Rules that rewrite Trino's SQL for Spark, one per module; `registry.RULES` lists them."""
