"""The engine `opa`: Trino's questions to an Open Policy Agent, and what its answers mean."""
