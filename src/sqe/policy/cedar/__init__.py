"""The engine `cedar`: Cedar's policies from files, evaluated in this process."""
