"""The configuration: one strict TOML schema, and where each value comes from.

A value is taken from the first place that has it: a command-line flag, the environment (`SQE_ENGINE__MEMORY` is
`engine.memory`), the file, the default. Whatever is not in the schema is refused, in all of these places.
"""
