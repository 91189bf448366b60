"""The subcommands of `sqe`, one module each."""
