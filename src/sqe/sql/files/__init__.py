"""Files as tables: find them in a statement, and resolve their paths and options."""
