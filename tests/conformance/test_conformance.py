"""Run every case through every client; cases/ has the cases and the gaps of clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.conformance.case_context import CaseContext
from tests.conformance.cases.case import Case
from tests.conformance.clients.base import Client
from tests.conformance.suite import CASES, CLIENTS

pytestmark = [
    pytest.mark.engine,
    # trino-python-client leaves the sockets of its connections to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


def pairs() -> Iterator[object]:
    # Client by client, so that not all JVMs are there at once from the beginning.
    for client in CLIENTS:
        for case in CASES:
            gap = case.gap(client)
            marks = (
                [pytest.mark.xfail(reason=f"{gap.kind}: {gap.reason}", raises=gap.raises, strict=True)]
                if gap
                else []
            )
            yield pytest.param(client, case, id=f"{client.name}-{case.id}", marks=marks)


@pytest.mark.parametrize(("client", "case"), list(pairs()))
def test_conformance(
    client: type[Client], case: Case, context_of: Callable[[type[Client]], CaseContext]
) -> None:
    case.run(context_of(client))
