"""The local executor: worker processes that run DuckDB SQL which SQE has rendered from Spark's guarded plan."""
