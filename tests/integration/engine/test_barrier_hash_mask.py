"""Masks that hash: equal values stay equal, and the key is where it has to be and nowhere else."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from pathlib import Path

import pytest
from tests.support.class_data import archive_options, path_with_archive
from tests.support.cluster import standalone_cluster
from tests.support.guard_test_bed import MASK_KEY, GuardTestBed, running_test_bed

from sqe.config.load import load
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.report import QuietReporter

pytestmark = pytest.mark.engine

SCOPE = "column of-a-table 2"
MASKED = {
    "lake.db.t": {
        "filter": "id > 0",
        "masks": {
            "name": f"sqe_hmac(name, '{SCOPE}')",
            "code": f"sqe_hmac(CAST(n AS STRING), '{SCOPE}')",
        },
    }
}
TABLE = (
    "CREATE TABLE lake.db.t (id INT, name STRING, n INT, code STRING) USING iceberg",
    "INSERT INTO lake.db.t VALUES (1, 'Ann', 7, 'x'), (2, 'Zoë', 8, 'y'), (3, NULL, NULL, 'z'), (4, '', 7, 'x')",
)


def hashed(text: str) -> str:
    derived = hmac.digest(MASK_KEY, SCOPE.encode(), hashlib.sha256)
    return hmac.new(derived, text.encode(), hashlib.sha256).hexdigest()


EXPECTED = [
    ["1", hashed("Ann"), hashed("7")],
    ["2", hashed("Zoë"), hashed("8")],
    ["3", None, None],
    ["4", hashed(""), hashed("7")],
]


@pytest.fixture(scope="module")
def bed(empty_bed: GuardTestBed) -> GuardTestBed:
    empty_bed.done(*TABLE)
    return empty_bed


@pytest.mark.parametrize(
    "settings", [{}, {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}]
)
def test_it_is_the_hmac_of_the_text(bed: GuardTestBed, settings: dict[str, str]) -> None:
    assert bed.run("SELECT id, name, code FROM lake.db.t", MASKED, settings=settings).sorted == EXPECTED
    joined = "SELECT a.id, b.id FROM lake.db.t a JOIN lake.db.t b ON a.code = b.code WHERE a.id < b.id"
    assert bed.run(joined, MASKED, settings=settings).rows == [["1", "4"]]
    assert bed.run(f"SELECT id FROM lake.db.t WHERE name = '{hashed('Ann')}'", MASKED).rows == [["1"]]
    assert bed.run("SELECT id FROM lake.db.t WHERE name = 'Ann'", MASKED).rows == []


def test_the_key_is_in_no_plan_and_no_generated_code(bed: GuardTestBed) -> None:
    answer = bed.run("SELECT id, name FROM lake.db.t ORDER BY name", MASKED, show=True)
    assert "HashMask" in answer.logical
    assert "HashMask" in answer.code
    for text in (answer.logical, answer.physical, answer.code):
        assert base64.b64encode(MASK_KEY).decode() not in text
        assert MASK_KEY.decode() not in text
        assert MASK_KEY.hex() not in text


def test_executors_in_other_jvms_hash_and_check_alike(tmp_path: Path, test_bed_classes: Path) -> None:
    runtime = provide(load(None, os.environ), QuietReporter())
    with standalone_cluster(runtime, tmp_path) as (master, work):
        settings = {
            "spark.master": master,
            "spark.plugins": "sqe.spark.identity.ControlPlugin",
            "spark.executor.memory": "1g",
            "spark.executor.extraClassPath": ":".join(map(str, path_with_archive(runtime, test_bed_classes))),
            "spark.executor.extraJavaOptions": " ".join(archive_options(runtime)),
        }
        with running_test_bed(tmp_path, test_bed_classes, mask_key=MASK_KEY, settings=settings) as bed:
            bed.done("CREATE NAMESPACE lake.db", *TABLE)
            assert bed.run("SELECT id, name, code FROM lake.db.t", MASKED).sorted == EXPECTED
            answer = bed.run("INSERT INTO lake.db.t SELECT id - 1, 'a', 1, 'b' FROM range(3)", MASKED)
            assert answer.condition == "SQE_ACCESS_DENIED"
            assert answer.error == "Cannot insert row that does not match a row filter."
            assert bed.run("SELECT count(*) FROM lake.db.t").rows == [["4"]]
        for file in (*tmp_path.rglob("*"), *work.rglob("*")):
            if file.is_file() and file.suffix not in (".jar", ".jsa"):
                assert base64.b64encode(MASK_KEY) not in file.read_bytes(), file
