"""The engine `cedar`: evaluates Cedar policies from files in this process."""
