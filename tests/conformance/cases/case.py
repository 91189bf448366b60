"""A case: one feature that every client should have, or is known to lack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tests.conformance.case_context import CaseContext
from tests.conformance.clients.base import Ability, Client
from tests.conformance.gaps import Gap, NotOffered, never

Run = Callable[[CaseContext], None]


@dataclass(frozen=True, slots=True)
class Case:
    topic: str
    name: str
    """Short, for pytest and for gaps."""
    title: str
    """For people, in the table of docs/clients.md."""
    run: Run
    needs: tuple[Ability, ...] = ()
    gaps: Mapping[str, Gap] = field(default_factory=dict)
    """By the client's name."""

    @property
    def id(self) -> str:
        return f"{self.topic}-{self.name}"

    def gap(self, client: type[Client]) -> Gap | None:
        """Why `client` does not do this; None when it does."""
        for ability in self.needs:
            if reason := client.lacks.get(ability):
                return never(reason, raises=NotOffered)
        return self.gaps.get(client.name)


def case(
    topic: str,
    title: str,
    *,
    needs: Iterable[Ability] = (),
    gaps: Mapping[str, Gap] | None = None,
) -> Callable[[Run], Case]:
    """Make a case of a function, whose name becomes the case's."""

    def make(run: Run) -> Case:
        return Case(topic, run.__name__, title, run, tuple(needs), gaps or {})

    return make


def cases_in(names: Mapping[str, object]) -> tuple[Case, ...]:
    """All cases of a module, in its order: `CASES = cases_in(globals())`."""
    return tuple(value for value in names.values() if isinstance(value, Case))
