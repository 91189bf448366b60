"""The engine `file`: rules from a YAML or TOML file."""
