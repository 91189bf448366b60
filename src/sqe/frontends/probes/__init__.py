"""The front end for health probes and metrics."""
