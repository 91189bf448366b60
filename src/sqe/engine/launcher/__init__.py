"""Start a Spark Connect server, make its start fast, and keep it alive."""
