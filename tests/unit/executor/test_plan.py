from __future__ import annotations

import pytest

from sqe.executor.failures import LocalExecutionError
from sqe.executor.plan import LocalPlan, StoreAccess
from sqe.units import Secret

STORE = StoreAccess("s3://lake/t", "127.0.0.1:9000", "eu-west-1", True, False, "key", Secret("hidden"))


def test_a_request_has_what_a_worker_needs() -> None:
    assert LocalPlan("SELECT 1 AS c0", ("/data/a.parquet",), 10, can_fail=False).request() == {
        "sql": "SELECT 1 AS c0",
        "files": ["/data/a.parquet"],
        "can_fail": False,
        "stores": [],
    }


@pytest.mark.parametrize(
    "file",
    ["a.parquet", "../a", "http://127.0.0.1/a", "/data/*.parquet", "/data/[a].parquet", "/data/a?x", "/a\0b"],
)
def test_a_file_is_an_absolute_path_and_no_pattern(file: str) -> None:
    with pytest.raises(LocalExecutionError):
        LocalPlan("SELECT 1", (file,), 0).request()


def test_an_object_needs_credentials() -> None:
    with pytest.raises(LocalExecutionError, match="credentials"):
        LocalPlan("SELECT 1", ("s3://lake/t/a.parquet",), 0).request()


def test_credentials_go_only_to_plans_that_need_them() -> None:
    assert LocalPlan("SELECT 1", ("/a",), 0, stores=(STORE,)).request()["stores"] == []
    (store,) = LocalPlan("SELECT 1", ("s3://lake/t/a",), 0, stores=(STORE,)).request()["stores"]
    assert store["secret"] == "hidden"


def test_a_plan_does_not_show_its_secrets() -> None:
    assert "hidden" not in repr(LocalPlan("SELECT 1", ("s3://lake/t/a",), 0, stores=(STORE,)))
