"""A fake policy engine, which answers as a test sets it, and records its questions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from sqe.model.decision import Column, Expression, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.model.session import Dialect

ANN = Principal("ann", "users_file", groups=frozenset({"eu"}), roles=frozenset({"analyst"}))
BOB = Principal("bob", "users_file")

COLUMNS = (Column("id", "bigint", 1), Column("ssn", "string", 2, ("pii",)), Column("dept", "string", 3))
ORDERS = Resource(Kind.TABLE, "lake", ("sales",), "orders", columns=COLUMNS)

Rule = Callable[[Principal, Question], Verdict]


def question(operation: Operation = Operation.SELECT, resource: Resource = ORDERS) -> Question:
    procedure = "rewrite_data_files" if operation is Operation.PROCEDURE else None
    return Question(operation, resource, procedure)


def sql(text: str, source: str = "fake: a rule") -> Expression:
    return Expression(text, Dialect.SPARK, source)


def allow(**restrictions: object) -> Verdict:
    return Verdict(allow=True, source="fake", **restrictions)  # type: ignore[arg-type]


DENY = Verdict(allow=False, source="fake: not granted")


class FakePolicy:
    """Allows everything, unless `rules` has another verdict, or something to raise, for the operation."""

    def __init__(self, name: str = "fake", version: str | None = "1") -> None:
        self.name = name
        self.version = version
        self.rules: dict[Operation, Verdict | BaseException | Rule] = {}
        self.asked: list[tuple[str, tuple[Question, ...]]] = []
        self.go_on = threading.Event()  # clear it to let `decide` wait
        self.go_on.set()
        self.waiting = threading.Event()
        self.refreshes: list[Exception | None] = []  # what the next refreshes raise
        self.closed = False

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        self.asked.append((principal.user, tuple(questions)))
        self.waiting.set()
        assert self.go_on.wait(120)
        return [self._verdict(principal, each) for each in questions]

    def refresh(self) -> None:
        error = self.refreshes.pop(0) if self.refreshes else None
        if error is not None:
            raise error

    def close(self) -> None:
        self.closed = True

    def _verdict(self, principal: Principal, asked: Question) -> Verdict:
        rule = self.rules.get(asked.operation, allow())
        if isinstance(rule, BaseException):
            raise rule
        return rule if isinstance(rule, Verdict) else rule(principal, asked)


class PlainRenderer:
    """Expressions as they are; `strength` by the length of the text, and `broken` is not allowed."""

    def render(
        self, expression: Expression, principal: Principal, columns: Sequence[Column], *, keyed: bool
    ) -> str:
        if "broken" in expression.text:
            raise RuntimeError("the parser fell over: secret 4711")
        return expression.text.replace("current_user()", f"'{principal.user}'")

    def render_mask(
        self,
        expression: Expression,
        principal: Principal,
        column: Column,
        columns: Sequence[Column],
        *,
        keyed: bool,
    ) -> str:
        return self.render(expression, principal, columns, keyed=keyed)

    def strength(self, expression: Expression) -> int:
        return len(expression.text)
