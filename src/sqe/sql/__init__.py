"""Reading SQL text: splitting scripts, caps on size and depth, files named as tables."""
