"""SQE, the Sovereign Query Engine: every query runs as the person who sent it."""

__version__ = "0.1.0"
