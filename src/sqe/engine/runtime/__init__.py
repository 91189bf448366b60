"""Provide what the engine needs on disk: a JRE, pinned jars, a trust store, the compiled Java part."""
