"""Random queries over random tables have the rows in DuckDB that they have in Spark."""

from __future__ import annotations

import os
from random import Random

import pytest
from tests.executor.differential import Differential
from tests.executor.random_queries import Generator
from tests.executor.random_tables import Tables

pytestmark = pytest.mark.engine

AT_LENGTH = "SQE_TEST_AT_LENGTH" in os.environ
QUERIES = 150 if AT_LENGTH else 40  # over one set of tables
SEEDS = range(134) if AT_LENGTH else range(2)
ZONE = "Etc/UTC"  # has a session of its own
FIRST_SEED = int(os.environ.get("SQE_TEST_SEED", "1"))


@pytest.mark.parametrize("number", SEEDS)
def test_random_queries_have_the_same_rows(differential: Differential, number: int) -> None:
    seed = FIRST_SEED + number
    random = Random(seed)
    differential.interpret(ZONE)
    schema = f"lake.random{seed}"
    made = Tables(random, schema, 5)
    for statement in made.statements:
        outcome = differential.spark(statement, ZONE)
        assert outcome.error is None, (outcome.error, statement)
    generator = Generator(random, made.tables)
    local, wrong = 0, []
    for each in range(QUERIES):
        query = generator.query()
        found = differential.compare(query.sql, zone=ZONE, ordered=query.ordered, tolerance=query.tolerance)
        local += found.local
        if found.difference is not None:
            wrong.append(f"query {each} of seed {seed}: {query.sql}\n  {found.difference}")
    differential.spark(f"DROP SCHEMA {schema} CASCADE", ZONE)
    assert not wrong, "\n".join(wrong)
    assert local > QUERIES // 3, f"seed {seed}: {local} queries ran on the local executor"
