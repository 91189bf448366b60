"""The sections of the configuration, one module each."""
