"""The engine `opa`: asks an Open Policy Agent as Trino's plugin does."""
