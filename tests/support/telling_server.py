"""`sqe server` that writes every secret which it makes to a file, so that a test can look for them.

    python telling_server.py FILE

Each line is a kind, a space and a value: `secret` for random texts (the engine's secrets, tokens of clients, names of
logins), `session` for what Spark Connect's sessions are called.
"""

from __future__ import annotations

import secrets
import sys
import uuid
from pathlib import Path

from sqe.cli.main import main

_random, _uuid4 = secrets.token_urlsafe, uuid.uuid4


def tell(kind: str, value: str) -> None:
    with Path(sys.argv[1]).open("a", encoding="ascii") as file:
        file.write(f"{kind} {value}\n")


def token_urlsafe(nbytes: int | None = None) -> str:
    made = _random(nbytes)
    tell("secret", made)
    return made


def uuid4() -> uuid.UUID:
    made = _uuid4()
    caller = sys._getframe(1)
    if caller.f_code.co_name == "__init__" and caller.f_globals["__name__"].startswith("pyspark.sql.connect"):
        tell("session", str(made))
    return made


if __name__ == "__main__":
    secrets.token_urlsafe, uuid.uuid4 = token_urlsafe, uuid4
    main(["server"])
