"""The proof that an engine's guard is there: it refuses a relation that nobody has guarded.

The Java part makes such a relation when the gateway requests it. Rows, another error, or a server that does not know
the request mean that there is no guard, or one that does not guard, and such an engine is not used.
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


def prove_engine(endpoint: Endpoint, seconds: float) -> None:
    """Open a session on an engine for the proof, and wait no longer than `seconds` for it. Raises SqeError."""
    proof: Future[None] = Future()

    def prove() -> None:
        try:
            _in_a_session(endpoint)
        except Exception as error:  # noqa: BLE001 - whoever waits has to hear of it
            proof.set_exception(error)
        else:
            proof.set_result(None)

    threading.Thread(target=prove, name="prove-guard", daemon=True).start()
    try:
        proof.result(seconds)
    except SqeError:
        raise
    except Exception as error:
        why = "it failed" if proof.done() else f"it took longer than {seconds:g} s"
        raise EngineStartError(
            f"The engine could not be tested for its guard: {why}.", detail=repr(error)
        ) from error


def _in_a_session(endpoint: Endpoint) -> None:
    # Loading PySpark takes a second or more; the engine takes longer.
    from sqe.engine.connect import ConnectSession

    session = ConnectSession(endpoint, GATEWAY)
    try:
        prove_session(session)
        session.release_session()
    finally:
        session.close()


def prove_session(session: ConnectSession) -> None:
    """Refuse an engine that does not guard this session. Raises EngineStartError, EngineLostError."""
    condition = session.read_unguarded()
    if condition != CONDITION:
        raise EngineStartError(
            "The guard is not loaded in the engine, so that policies would not hold.",
            hint="Its log may tell more: `sqe engine status` says where it is. With engine.url, docs/engine.md says "
            "what the server needs.",
            detail=f"the self-test ended with {condition or 'no error of the guard'}",
        )
