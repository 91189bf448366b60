"""Result formats: one module each, all of them streaming."""
