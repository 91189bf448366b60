"""Starting a Spark Connect server, making its start fast, and keeping it alive."""
