"""Plans over a fake S3 store, on real workers."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from testing.certificates import Authority, Pair
from tests.fakes.object_store import ObjectStore, object_store

from sqe.executor.failures import LocalExecutionError
from sqe.executor.plan import LocalPlan
from sqe.executor.pool import Capacity, LocalExecutor
from sqe.executor.stores import Store, StoreAccess, StoreKeys
from sqe.units import Secret

ROWS = "s3://lake/sales/orders/data/{}"


@pytest.fixture(scope="module")
def trusted() -> list[Path]:
    """The file of certificates that the executor goes by, if there is one."""
    return []


@pytest.fixture(scope="module")
def executor(tmp_path_factory: pytest.TempPathFactory, trusted: list[Path]) -> Iterator[LocalExecutor]:
    capacity = Capacity(memory=512 << 20, workers=1, cores=1, max_scan=1 << 30, spill=1 << 20, wait=60)
    made = LocalExecutor(
        capacity, tmp_path_factory.mktemp("executor"), lambda: trusted[-1] if trusted else None
    )
    yield made
    made.close()


@pytest.fixture
def store() -> Iterator[ObjectStore]:
    with object_store() as store:
        yield store


def put(store: ObjectStore, name: str, *numbers: int) -> str:
    content = io.BytesIO()
    pq.write_table(pa.table({"n": pa.array(numbers, pa.int64())}), content)
    store.objects[f"lake/sales/orders/data/{name}"] = content.getvalue()
    return ROWS.format(name)


def access(store: ObjectStore, key_id: str = "AKIA-ALICE", *, tls: bool = False) -> StoreAccess:
    place = Store(
        "lake", "s3://lake/sales/orders/", store.endpoint, "us-east-1", path_style=True, use_tls=tls
    )
    return StoreAccess(place, StoreKeys(key_id, Secret("secret-of-a-key"), Secret("session-of-a-key")))


def plan(*files: str, stores: tuple[StoreAccess, ...] = ()) -> LocalPlan:
    quoted = ", ".join("'{}'".format(file.replace("'", "''")) for file in files)
    sql = f"SELECT CAST(sum(n) AS BIGINT) AS c0 FROM read_parquet([{quoted}])"
    return LocalPlan(sql, files, 1000, can_fail=False, stores=stores)


def run(executor: LocalExecutor, plan: LocalPlan) -> list[object]:
    return [row for batch in executor.run(plan, "tag") for row in batch.column(0).to_pylist()]


def test_objects_are_read_with_the_keys_of_the_plan(executor: LocalExecutor, store: ObjectStore) -> None:
    files = (put(store, "1.parquet", 1, 2), put(store, "2.parquet", 39))
    assert run(executor, plan(*files, stores=(access(store),))) == [42]
    assert {request.key_id for request in store.requests} == {"AKIA-ALICE"}
    assert {request.session_token for request in store.requests} == {"session-of-a-key"}
    assert {request.object for request in store.requests} == set(store.objects)


def test_keys_without_a_session_and_a_bucket_in_the_hosts_name(
    executor: LocalExecutor, store: ObjectStore
) -> None:
    file = put(store, "1.parquet", 3)
    given = access(store)
    given = StoreAccess(
        replace(given.store, endpoint=store.endpoint.replace("127.0.0.1", "localhost"), path_style=False),
        replace(given.keys, session_token=None),
    )
    assert run(executor, plan(file, stores=(given,))) == [3]
    assert {request.session_token for request in store.requests} == {None}
    assert {request.object for request in store.requests} == set(store.objects)


def test_a_plan_reads_a_store_and_this_machine(
    executor: LocalExecutor, store: ObjectStore, tmp_path: Path
) -> None:
    pq.write_table(pa.table({"n": [40]}), tmp_path / "local.parquet")
    file = put(store, "1.parquet", 2)
    assert run(executor, plan(file, str(tmp_path / "local.parquet"), stores=(access(store),))) == [42]


@pytest.mark.parametrize(
    "name",
    ["city=Den%20Haag/1.parquet", "a b+c.parquet", "ü'&=,;:@$.parquet", "a*b.parquet", "x[1]{2}.parquet"],
)
def test_objects_are_opened_by_their_exact_names(
    executor: LocalExecutor, store: ObjectStore, name: str
) -> None:
    file = put(store, name, 7)
    assert run(executor, plan(file, stores=(access(store),))) == [7]


def test_the_next_plan_has_no_keys_of_the_one_before(executor: LocalExecutor, store: ObjectStore) -> None:
    file = put(store, "1.parquet", 1)
    assert run(executor, plan(file, stores=(access(store),))) == [1]
    store.requests.clear()
    with pytest.raises(LocalExecutionError) as refused:
        run(executor, plan(file, stores=(access(store, "AKIA-BOB"),)))
    assert {request.key_id for request in store.requests} == {"AKIA-BOB"}
    assert refused.value.delivered is False
    assert refused.value.reason.isalnum()  # the name of a class
    with pytest.raises(LocalExecutionError, match="without credentials"):
        run(executor, plan(file))


def test_a_plan_reads_no_other_object(executor: LocalExecutor, store: ObjectStore) -> None:
    file, other = put(store, "1.parquet", 1), put(store, "2.parquet", 2)
    asked = replace(plan(other, stores=(access(store),)), files=(file,))
    with pytest.raises(LocalExecutionError):
        run(executor, asked)
    assert store.requests == []


def test_keys_that_end_in_the_middle_are_a_failure_before_the_first_row(
    executor: LocalExecutor, store: ObjectStore
) -> None:
    files = tuple(put(store, f"{each}.parquet", each) for each in range(8))
    store.requests_left = 5
    with pytest.raises(LocalExecutionError) as ended:
        run(executor, plan(*files, stores=(access(store),)))
    assert ended.value.delivered is False


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("stranger"), "Another authority")


def test_a_store_with_tls_is_trusted_by_the_gateways_certificates(
    executor: LocalExecutor, authority: Authority, stranger: Authority, trusted: list[Path]
) -> None:
    pair: Pair = authority.server()
    with object_store(pair) as store:
        asked = plan(put(store, "1.parquet", 5), stores=(access(store, tls=True),))
        trusted.append(authority.certificate)
        assert run(executor, asked) == [5]
        store.requests.clear()
        trusted.append(stranger.certificate)
        with pytest.raises(LocalExecutionError):
            run(executor, asked)
        trusted.clear()
        with pytest.raises(LocalExecutionError, match="certificates"):
            run(executor, asked)
        assert store.requests == []


def test_a_certificate_for_another_name_is_not_trusted(
    executor: LocalExecutor, authority: Authority, trusted: list[Path]
) -> None:
    trusted.append(authority.certificate)
    with object_store(authority.server(), "127.0.0.2") as store:
        file = put(store, "1.parquet", 5)
        with pytest.raises(LocalExecutionError):
            run(executor, plan(file, stores=(access(store, tls=True),)))
        assert store.requests == []


def test_no_process_shows_keys(executor: LocalExecutor, store: ObjectStore) -> None:
    file = put(store, "1.parquet", 1)
    assert run(executor, plan(file, stores=(access(store),))) == [1]
    [worker] = executor._idle
    for shown in ("cmdline", "environ"):
        text = Path(f"/proc/{worker.pid}/{shown}").read_bytes()
        assert b"of-a-key" not in text
        assert b"AKIA" not in text


def test_results_of_a_store_are_not_kept_for_another_principal(tmp_path: Path, store: ObjectStore) -> None:
    capacity = Capacity(
        memory=512 << 20, workers=1, cores=1, max_scan=1 << 30, spill=1 << 20, wait=60, result_cache=1 << 20
    )
    executor = LocalExecutor(capacity, tmp_path)
    try:
        file = put(store, "1.parquet", 1)
        assert run(executor, plan(file, stores=(access(store),))) == [1]
        with pytest.raises(LocalExecutionError):
            run(executor, plan(file, stores=(access(store, "AKIA-BOB"),)))
    finally:
        executor.close()
