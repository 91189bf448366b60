"""Answer the engine's Java part: catalogs, tokens, credentials and decisions for a session's principal."""
