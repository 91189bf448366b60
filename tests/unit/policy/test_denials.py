from __future__ import annotations

from dataclasses import replace

import pytest
from tests.fakes.policy import ORDERS, question

from sqe.model.decision import Operation, Refusal
from sqe.policy.denials import denied, describe_request, unsupported


@pytest.mark.parametrize("operation", [*Operation])
def test_every_operation_has_words(operation: Operation) -> None:
    assert describe_request(question(operation)).endswith(" lake.sales.orders")


def test_a_refusal_names_what_was_wanted() -> None:
    assert denied(question()).reason == "Access denied: cannot select from lake.sales.orders."
    files = question(resource=replace(ORDERS, metadata="files"))
    assert denied(files).reason == "Access denied: cannot select from lake.sales.orders.files."
    refused = unsupported(question(Operation.MERGE))
    assert refused.refusal is Refusal.UNSUPPORTED
    assert refused.reason.startswith("Cannot merge into lake.sales.orders: ")
