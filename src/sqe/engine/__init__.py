"""The Spark side: what it needs on disk, how it is started and kept alive, how statements run on it."""
