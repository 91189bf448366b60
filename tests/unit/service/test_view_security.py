from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.fakes.engine import FakeEngine

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import UnsupportedError
from sqe.model.identity import Principal
from sqe.model.session import Dialect, RestCatalog, SessionSpec, WarehouseCatalog
from sqe.service.service import QueryService
from sqe.service.view_security import refuse_definer
from sqe.sql.statement import read

SHARED = SessionSpec((WarehouseCatalog("lake", Path("lake")),))
OWN_RIGHTS = SessionSpec((*SHARED.catalogs, RestCatalog("rest", "https://catalog.example.com")))

DEFINER = "create or replace view\n    lake.s.v\n  security definer\n  as\n    select 1 as x"
OTHERS = (
    "CREATE VIEW v AS SELECT 1 AS x",
    "CREATE VIEW v SECURITY INVOKER AS SELECT 1 AS x",
    "CREATE VIEW security AS SELECT 1 AS definer",
    "CREATE VIEW v COMMENT 'SECURITY DEFINER' AS SELECT 1 AS \"SECURITY DEFINER\"",
    "CREATE VIEW v AS SELECT security definer FROM t",
    "CREATE TABLE t AS SELECT security definer FROM s",
    "SELECT security definer FROM view",
)


@pytest.mark.parametrize(("spec", "policies"), [(SHARED, True), (OWN_RIGHTS, False), (OWN_RIGHTS, True)])
def test_a_definer_is_refused_where_users_have_different_rights(spec: SessionSpec, policies: bool) -> None:
    with pytest.raises(UnsupportedError, match="SECURITY DEFINER is not supported") as raised:
        refuse_definer(read(DEFINER, Dialect.TRINO), spec, policies=policies)
    assert raised.value.hint is not None
    assert "view_security: invoker" in raised.value.hint
    assert raised.value.position is not None
    assert (raised.value.position.line, raised.value.position.column) == (3, 3)


def test_a_definer_changes_nothing_where_all_users_have_the_same_rights() -> None:
    refuse_definer(read(DEFINER, Dialect.TRINO), SHARED, policies=False)


@pytest.mark.parametrize("text", OTHERS)
def test_other_statements_are_not_refused(text: str) -> None:
    refuse_definer(read(text, Dialect.TRINO), OWN_RIGHTS, policies=True)


@pytest.mark.parametrize("policies", [True, False])
def test_a_query_is_refused_under_policies_before_the_engine_gets_it(policies: bool) -> None:
    class Policies:
        def begin(self, query: str) -> None: ...

        def uses_protected_table(self, query: str) -> bool:
            return False

        def end(self, query: str) -> None: ...

    service = QueryService(FakeEngine(), LimitsConfig(), watch=Policies() if policies else None)
    session = service.open_session(Principal("ann", "a test"), replace(SHARED, dialect=Dialect.TRINO))
    query = service.submit(session, service.read(session, DEFINER))
    assert service.wait(session, query, 20)
    assert isinstance(service.poll(session, query).error, UnsupportedError) is policies
    service.drain(0)
