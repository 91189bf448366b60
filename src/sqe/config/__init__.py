"""The configuration: one strict TOML schema, and the origin of each value.

A value comes from the first source that has it: a command-line flag, the environment (`SQE_ENGINE__MEMORY` is
`engine.memory`), the file, the default. Keys that are not in the schema are refused in all sources.
"""
