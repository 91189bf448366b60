from __future__ import annotations

import pytest

from sqe.errors import UnsupportedError, UsageError, UsageReason
from sqe.model.session import Dialect
from sqe.service.transactions import new_transaction, refuse_change
from sqe.sql.statement import read

CHANGES = {
    "INSERT INTO t VALUES 1": "lake",
    "INSERT INTO other.s.t VALUES 1": "other",
    'CREATE TABLE IF NOT EXISTS "Other".s.t AS SELECT 1 AS x': "Other",
    "CREATE OR REPLACE VIEW s.v AS SELECT 1 AS x": "lake",
    "CREATE SCHEMA other.s": "other",
    "CREATE SCHEMA s": "lake",
    "DROP TABLE IF EXISTS other.s.t": "other",
    "ALTER TABLE IF EXISTS other.s.t RENAME TO u": "other",
    "DELETE FROM other.s.t": "other",
    "UPDATE t SET x = 1": "lake",
    "MERGE INTO other.s.t USING s ON t.x = s.x WHEN MATCHED THEN DELETE": "other",
    "COMMENT ON COLUMN other.s.t.c IS 'x'": "other",
    "COMMENT ON COLUMN s.t.c IS 'x'": "lake",
    "TRUNCATE TABLE t": "lake",
    "ANALYZE other.s.t": "other",
    "GRANT SELECT ON t TO bob": "lake",
}


@pytest.mark.parametrize("text", CHANGES)
def test_a_change_is_refused_with_the_catalog_that_it_is_about(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        refuse_change(read(text, Dialect.TRINO), "lake")
    assert raised.value.message == f"Catalog only supports writes using autocommit: {CHANGES[text]}"
    assert raised.value.reason is UsageReason.AUTOCOMMIT


def test_procedures_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="Procedures cannot be called within a transaction"):
        refuse_change(read("CALL lake.system.rollback_to_snapshot('s.t', 1)", Dialect.TRINO), "lake")


@pytest.mark.parametrize("text", ["SELECT 1", "SHOW TABLES", "DESCRIBE t", "EXPLAIN INSERT INTO t SELECT 1"])
def test_what_only_reads_is_allowed(text: str) -> None:
    refuse_change(read(text, Dialect.TRINO), "lake")


def test_each_transaction_has_an_id_of_its_own() -> None:
    assert new_transaction() != new_transaction()
