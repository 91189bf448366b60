"""Exit codes, as `sqe --help` documents them."""

from __future__ import annotations

from sqe.errors import ConfigError, EngineError, GatewayError, SessionError, SetupError, SqeError, UsageError

OK = 0
STATEMENT_FAILED = 1
USAGE = 2
ENGINE_FAILED = 3
INTERRUPTED = 130  # 128 + SIGINT, as shells count

_CODES: tuple[tuple[type[SqeError], int], ...] = (
    (ConfigError, USAGE),
    (UsageError, USAGE),
    (SetupError, ENGINE_FAILED),
    (EngineError, ENGINE_FAILED),
    (GatewayError, ENGINE_FAILED),
    (SessionError, ENGINE_FAILED),
)


def exit_code(error: SqeError) -> int:
    """Return the exit code of a script that ended with this error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), STATEMENT_FAILED)
