from __future__ import annotations

from pathlib import Path

import pytest

from sqe.executor.failures import LocalExecutionError
from sqe.executor.plan import LocalPlan
from sqe.executor.stores import Store, StoreAccess, StoreKeys
from sqe.units import Secret

NOW = 1_000_000.0
FILE = "s3://lake/sales/orders/data/1.parquet"
STORE = Store(
    "lake", "s3://lake/sales/orders/", "127.0.0.1:9000", "us-east-1", path_style=True, use_tls=False
)


def access(*, store: Store = STORE, expires_at: float | None = None) -> StoreAccess:
    return StoreAccess(store, StoreKeys("AKIA", Secret("hidden"), Secret("token"), expires_at))


def plan(*files: str, size: int = 1000, stores: tuple[StoreAccess, ...] = ()) -> LocalPlan:
    return LocalPlan("SELECT 1 AS c0", files, size, can_fail=False, stores=stores)


def test_a_request_has_what_a_worker_needs() -> None:
    assert plan("/data/1.parquet").request() == {
        "sql": "SELECT 1 AS c0",
        "files": ["/data/1.parquet"],
        "can_fail": False,
        "sizes": [],
        "scans": [],
        "stores": [],
        "ca_file": "",
    }


@pytest.mark.parametrize(
    "file",
    [
        *("a.parquet", "../a", "http://127.0.0.1/a", "gs://lake/a", "/data/*.parquet", "/data/[a].parquet"),
        *("/data/a?x", "/a\0b"),
    ],
)
def test_a_file_is_an_absolute_path_and_no_pattern(file: str) -> None:
    with pytest.raises(LocalExecutionError):
        plan(file, stores=(access(),)).request()


def test_an_object_needs_credentials() -> None:
    with pytest.raises(LocalExecutionError, match="credentials"):
        plan(FILE).request()


def test_a_worker_gets_the_keys_of_the_stores_that_are_read() -> None:
    [store] = plan(FILE, "/data/1.parquet", stores=(access(),)).request()["stores"]
    assert store == {
        "scope": "s3://lake/sales/orders/",
        "endpoint": "127.0.0.1:9000",
        "region": "us-east-1",
        "url_style": "path",
        "use_ssl": False,
        "key_id": "AKIA",
        "secret": "hidden",
        "session_token": "token",
    }


def test_no_row_of_a_store_leaves_before_all_are_read() -> None:
    assert plan(FILE, stores=(access(),)).request()["can_fail"] is True


def test_keys_of_a_plan_that_reads_no_store_stay_here() -> None:
    assert plan("/data/1.parquet", stores=(access(),)).request()["stores"] == []


@pytest.mark.parametrize(
    "file",
    [
        "s3://lake/sales/orders_2/data/1.parquet",
        "s3://lake2/sales/orders/data/1.parquet",
        "s3://lake/1.parquet",
    ],
)
def test_a_file_outside_of_all_scopes_is_not_read(file: str) -> None:
    with pytest.raises(LocalExecutionError, match="without credentials"):
        plan(FILE, file, stores=(access(),)).request()


@pytest.mark.parametrize("scope", ["s3://lake/sales/orders", "", "/"])
def test_a_scope_is_a_directory(scope: str) -> None:
    store = Store("lake", scope, "127.0.0.1:9000", "us-east-1", path_style=True, use_tls=False)
    with pytest.raises(LocalExecutionError, match="scope"):
        plan(FILE, stores=(access(store=store),)).request()


def test_a_store_with_tls_needs_certificates(tmp_path: Path) -> None:
    store = Store("lake", STORE.scope, "lake.test", "us-east-1", path_style=True, use_tls=True)
    secure = plan(FILE, stores=(access(store=store),))
    assert secure.needs_certificates
    with pytest.raises(LocalExecutionError, match="certificates"):
        secure.request()
    assert not plan(FILE, stores=(access(),)).needs_certificates


@pytest.mark.parametrize(
    ("size", "left", "enough"),
    [
        (1000, 61, True),
        (1000, 59, False),
        (8 << 30, 1000, False),
        (8 << 30, 1100, True),
        (8 << 30, None, True),
    ],
)
def test_keys_have_to_outlive_the_read(size: int, left: float | None, enough: bool) -> None:
    given = access(expires_at=None if left is None else NOW + left)
    if enough:
        assert plan(FILE, size=size).opened([given], NOW).stores == (given,)
    else:
        with pytest.raises(LocalExecutionError, match="end before"):
            plan(FILE, size=size).opened([given], NOW)


def test_no_text_of_a_plan_has_a_secret() -> None:
    opened = plan(FILE, stores=(access(),))
    for text in (repr(opened), str(opened), f"{opened.stores}"):
        assert "hidden" not in text
        assert "token'" not in text
