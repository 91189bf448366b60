"""The only door to the engine: every front end submits, polls, fetches and cancels here."""
