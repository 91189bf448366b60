"""Run the guard's self-test: the engine must refuse a relation that its guard has not marked.

The Java part builds such a relation on the gateway's request. If the engine returns rows or any other error, its guard
is missing or broken, and the gateway does not use the engine.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from sqe.engine.endpoint import Endpoint
from sqe.errors import EngineStartError, SqeError
from sqe.model.gateway_principal import GATEWAY

if TYPE_CHECKING:
    from sqe.engine.connect import ConnectSession

CONDITION = "SQE_UNGUARDED"


def check_guard(endpoint: Endpoint, seconds: float) -> None:
    """Run the self-test in a session of its own, for at most `seconds`. Raises SqeError."""
    outcome: Future[None] = Future()

    def check() -> None:
        try:
            _check_in_new_session(endpoint)
        except Exception as error:  # noqa: BLE001 - the waiting thread raises it
            outcome.set_exception(error)
        else:
            outcome.set_result(None)

    threading.Thread(target=check, name="guard-self-test", daemon=True).start()
    try:
        outcome.result(seconds)
    except SqeError:
        raise
    except Exception as error:
        problem = "failed" if outcome.done() else f"took longer than {seconds:g} s"
        raise EngineStartError(
            f"The self-test of the engine's guard {problem}.", detail=repr(error)
        ) from error


def _check_in_new_session(endpoint: Endpoint) -> None:
    # Importing PySpark takes a second or more; the engine's start takes longer.
    from sqe.engine.connect import ConnectSession

    session = ConnectSession(endpoint, GATEWAY)
    try:
        check_session_guard(session)
        session.release_session()
    finally:
        session.close()


def check_session_guard(session: ConnectSession) -> None:
    """Raise EngineStartError if the engine does not guard this session. Raises EngineLostError."""
    condition = session.read_unguarded()
    if condition != CONDITION:
        raise EngineStartError(
            "The guard is not loaded in the engine, which therefore enforces no policy.",
            hint="Read the engine's log; `sqe engine status` prints its path. docs/engine.md lists what a server in "
            "engine.url needs.",
            detail=f"the self-test ended with {condition or 'no error of the guard'}",
        )
