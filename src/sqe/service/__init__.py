"""The query service: every front end submits, polls, fetches and cancels through it, and nothing else does."""
