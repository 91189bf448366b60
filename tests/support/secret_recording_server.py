"""Run `sqe server` and write every secret that it generates to a file, for tests that search for leaks.

    python secret_recording_server.py FILE

Each line is a kind, a space and a value: `secret` for random texts (the engine's secrets, tokens of clients, ids of
logins), `session` for ids of Spark Connect sessions.
"""

from __future__ import annotations

import secrets
import sys
import uuid
from pathlib import Path

from sqe.cli.command import run

_random, _uuid4 = secrets.token_urlsafe, uuid.uuid4


def record(kind: str, value: str) -> None:
    with Path(sys.argv[1]).open("a", encoding="ascii") as file:
        file.write(f"{kind} {value}\n")


def token_urlsafe(nbytes: int | None = None) -> str:
    made = _random(nbytes)
    record("secret", made)
    return made


def uuid4() -> uuid.UUID:
    made = _uuid4()
    caller = sys._getframe(1)
    if caller.f_code.co_name == "__init__" and caller.f_globals["__name__"].startswith("pyspark.sql.connect"):
        record("session", str(made))
    return made


if __name__ == "__main__":
    secrets.token_urlsafe, uuid.uuid4 = token_urlsafe, uuid4
    sys.exit(run(["server"]))
