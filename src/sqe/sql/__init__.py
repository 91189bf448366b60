"""Read SQL text: statements, scripts, caps on size and depth. Never a security boundary."""
