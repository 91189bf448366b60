"""The `sqe` command: shell, batch mode and subcommands."""
