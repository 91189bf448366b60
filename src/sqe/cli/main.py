"""Start the `sqe` command: in the preloaded shell if there is one, else in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from sqe.cli.preload.client import run_in_preloaded_shell


def main() -> None:
    """Run `sqe` and `sqe-cli`."""
    code = run_in_preloaded_shell(sys.argv[1:])
    if code is not None:
        os._exit(code)  # there is nothing to write or to wait for
    from sqe.cli.command import run

    sys.exit(run())


def server_main(argv: Sequence[str] | None = None) -> None:
    """Run `sqe-server`, which is the same as `sqe server`."""
    from sqe.cli.command import run

    sys.exit(run(["server", *(sys.argv[1:] if argv is None else argv)]))


if __name__ == "__main__":
    main()
