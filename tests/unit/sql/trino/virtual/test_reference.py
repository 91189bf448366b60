from __future__ import annotations

import pyarrow as pa
import pytest

from sqe.sql.trino.scope import Scope
from sqe.sql.trino.virtual.reference import VirtualReference, is_virtual


def scope(catalog: str | None = "iceberg", namespace: str | None = "default") -> Scope:
    return Scope(catalog, namespace, "ada", None)


@pytest.mark.parametrize(
    ("catalog", "schema", "where", "virtual"),
    [
        (None, "information_schema", scope(), True),
        ("other", "INFORMATION_SCHEMA", scope(), True),
        ("system", "jdbc", scope(), True),
        ("System", "no_such_schema", scope(), True),
        (None, "jdbc", scope("system", None), True),
        (None, None, scope("system", "runtime"), True),
        (None, None, scope("iceberg", "information_schema"), True),
        (None, None, scope(), False),
        (None, "jdbc", scope(), False),
        ("iceberg", "default", scope("system", "runtime"), False),
        (None, None, scope(None, None), False),
    ],
)
def test_what_the_gateway_answers_for(
    catalog: str | None, schema: str | None, where: Scope, virtual: bool
) -> None:
    assert is_virtual(catalog, schema, "tables", where) is virtual


def test_references_can_be_kept_in_sets() -> None:
    reference = VirtualReference("v", None, "information_schema", "tables", {"table_schema": "x"})
    other = VirtualReference("v", None, "information_schema", "tables", {"table_schema": "y"})
    assert len({reference, other, VirtualReference("v", None, "information_schema", "tables")}) == 3


def test_values_of_parameters_become_conditions() -> None:
    reference = VirtualReference(
        "v",
        None,
        "information_schema",
        "tables",
        {"a": "x"},
        parameters={"a": 0, "b": 1, "c": 2, "d": 3, "e": 9},
    )
    values = [pa.scalar("y"), pa.scalar("z"), pa.scalar(5), pa.scalar(None, pa.string())]
    assert reference.bound(values).equals == {"a": "x", "b": "z"}
