"""The interactive shell: editing, completion, history and dot commands."""
