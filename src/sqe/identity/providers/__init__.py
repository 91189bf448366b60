"""Authentication providers, one module each, and the registry that builds them."""
