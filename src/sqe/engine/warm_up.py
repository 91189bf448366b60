"""Warm a fresh engine up with statements that load classes and compile code before users need them.

They also bring Iceberg's classes into the class data archive.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from sqe.engine.sessions import EngineSessions
from sqe.errors import SqeError
from sqe.model.gateway_principal import GatewayPrincipal
from sqe.model.session import SessionSpec, WarehouseCatalog

_log = logging.getLogger(__name__)

STATEMENTS: tuple[str, ...] = (
    "SELECT 1 AS x",
    "CREATE TABLE t (id BIGINT, name STRING, price DECIMAL(10,2), day DATE, at TIMESTAMP)",
    "INSERT INTO t SELECT id, string(id), id, current_date(), current_timestamp() FROM range(100)",
    "SELECT * FROM t WHERE id > 10 ORDER BY name LIMIT 5",
    "SELECT day, count(*), sum(price), max(at) FROM t GROUP BY day ORDER BY 2 DESC",
    "SELECT a.name, b.price FROM t a JOIN t b ON a.id = b.id WHERE a.id IN (1, 2, 3)",
    "SHOW TABLES",
    "DESCRIBE t",
    "DELETE FROM t WHERE id = 1",
)


def warm_up(sessions: EngineSessions, user: str, wanted: Callable[[], bool]) -> bool:
    """Run STATEMENTS in a temporary warehouse, and stop between two of them when `wanted` returns false.

    Returns whether that is done: false when it was not wanted to the end, so that it can be tried again. An engine on
    which a statement fails is not warmed up again.
    """
    session = sessions.open(SessionSpec((WarehouseCatalog("warm_up", None),)), GatewayPrincipal(user))
    try:
        session.ready(lambda: not wanted())
        for statement in STATEMENTS:
            if not wanted():
                return False
            for _ in session.stream(statement, "warm-up", lambda progress: None):
                pass
    except SqeError as error:
        if not wanted():
            return False
        _log.warning("warming up stopped: %s", error.message)
    finally:
        session.close()
    return True
