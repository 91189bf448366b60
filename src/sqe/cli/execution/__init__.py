"""Run scripts and single statements, and report progress, results and errors."""
