"""The engine `file`: decides by the rules of a YAML or TOML file."""
