"""Run a guarded engine, with a gateway whose decisions a test sets."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from testing.command import clean_environment
from tests.fakes.control_endpoint import Answer, FakeControl, control_endpoint

from sqe.config.load import load
from sqe.engine.control import GuardSettings
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.sessions import EngineSessions, SparkEngineSession
from sqe.errors import SqeError
from sqe.locations import locate, private_directory
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec, WarehouseCatalog

ADMIN = "root"


@dataclass
class Rule:
    """The rights of a user on a table."""

    filter: str | None = None
    masks: dict[str, str] = field(default_factory=dict)
    restricted: list[str] = field(default_factory=list)
    denied: set[str] = field(default_factory=set)  # operations

    @property
    def hides(self) -> bool:
        return self.filter is not None or bool(self.masks) or bool(self.restricted)


@dataclass
class Rules:
    """The gateway's decisions: allow everything without a rule, and apply Trino's rules to writes."""

    by: dict[tuple[str, str], Rule] = field(default_factory=dict)  # user, table

    def set(self, user: str, table: str, **rule: Any) -> None:
        self.by[user, table] = Rule(**rule)

    def decide(self, principal: Principal, questions: list[dict[str, Any]]) -> Answer:
        return 200, {
            "user": principal.user,
            "decisions": [self._one(principal.user, each) for each in questions],
        }

    def _one(self, user: str, asked: dict[str, Any]) -> dict[str, Any]:
        name = ".".join([asked["catalog"], *asked["namespace"], *([asked["name"]] if asked["name"] else [])])
        rule = self.by.get((user, name), Rule())
        operation = asked["operation"]
        if operation in rule.denied:
            return refused("denied", f"Access denied: cannot {operation} {name}.")
        plain = operation in {"describe", "list", "show_create", "drop", "set_tags", "create_table", "rename"}
        if plain or not rule.hides:
            return allowed(Rule(restricted=rule.restricted) if operation == "describe" else Rule())
        if operation == "select" and asked["metadata"] is None:
            return allowed(rule)
        if operation in {"insert", "delete"} and not rule.masks and not rule.restricted:
            return allowed(rule)
        return refused("unsupported", f"{operation} is not supported on {name}, which has a policy.")


def allowed(rule: Rule) -> dict[str, Any]:
    return {
        "allow": True,
        "filter": rule.filter,
        "masks": rule.masks,
        "restricted": rule.restricted,
        "protected": rule.hides,
    }


def refused(refusal: str, reason: str) -> dict[str, Any]:
    return {"allow": False, "refusal": refusal, "reason": reason}


@dataclass
class GuardedEngine:
    sessions: EngineSessions
    control: FakeControl
    warehouse: Path
    rules: Rules = field(default_factory=Rules)
    opened: dict[str, SparkEngineSession] = field(default_factory=dict)

    def open(self, user: str) -> SparkEngineSession:
        spec = SessionSpec((WarehouseCatalog("lake", self.warehouse),))
        session = self.sessions.open(spec, Principal(user, "a test", login=user))
        session.ready(lambda: False)
        return session

    def session(self, user: str) -> SparkEngineSession:
        if user not in self.opened:
            self.opened[user] = self.open(user)
        return self.opened[user]

    def run(self, user: str, sql: str, query: str = "q") -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        for item in self.session(user).stream(sql, query, lambda progress: None):
            if isinstance(item, pa.RecordBatch):
                rows += [tuple(row.values()) for row in item.to_pylist()]
        return rows

    def failure(self, user: str, sql: str) -> SqeError:
        with pytest.raises(SqeError) as raised:
            self.run(user, sql)
        return raised.value

    def facts(self, user: str, *name: str) -> str:
        return self.session(user).table_facts(name, "q")

    def set_tags(
        self, user: str, table: str, tags: Mapping[str, Sequence[str]], unset: Sequence[str] = ()
    ) -> None:
        change = {"table": table.split("."), "set": dict(tags), "unset": list(unset)}
        self.session(user).set_tags(json.dumps(change), "q")

    def columns(self, user: str, sql: str) -> list[str]:
        return list(self.session(user).describe(sql, "d").names)

    def forget(self) -> None:
        """Remove all rules and close all sessions, for the next test."""
        self.rules = Rules()
        self.control.decide = self.rules.decide
        self.control.questions.clear()
        for session in self.opened.values():
            session.close()
        self.opened.clear()


@contextmanager
def guarded_engine(
    mask_key: str = "a key of the tests",
    *,
    log_level: str = "WARN",
    settings: Mapping[str, str] | None = None,
) -> Iterator[GuardedEngine]:
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    given = {"SQE_ENGINE__MEMORY": "2GB", "SQE_ENGINE__LOG_LEVEL": log_level, **(settings or {})}
    config = load(None, clean_environment(home) | given)
    locations = locate(config)
    with control_endpoint(lambda principal, catalog: (503, {})) as control:
        supervisor = Supervisor(
            config,
            locations,
            private_directory(locations.run / "test"),
            control=control,
            locked=True,
            guarding=GuardSettings(10.0, mask_key),  # a machine that is busy with other tests takes its time
        )
        supervisor.start()
        try:
            sessions = EngineSessions(supervisor, private_directory(home / "memory"), control, guarded=True)
            engine = GuardedEngine(sessions, control, home / "lake")
            engine.forget()
            yield engine
            engine.forget()
        finally:
            supervisor.stop()
            shutil.rmtree(home, ignore_errors=True)
