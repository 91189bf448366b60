"""SQE, the Sovereign Query Engine: every query runs as the user who sent it."""

__version__ = "0.1.0"
