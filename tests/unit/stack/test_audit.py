from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from stack.audit import Audit


def document(api: str, path: str = "nessie/sales/t/a.parquet", **more: object) -> dict[str, object]:
    return {"api": {"name": api, "bucket": "lake", "object": path, "statusCode": 200}, **more}


@pytest.fixture
def audit(tmp_path: Path) -> Iterator[Audit]:
    def flush(name: str) -> None:
        post(document("HeadObject", name))

    def post(*documents: dict[str, object]) -> None:
        body = "\n".join(map(json.dumps, documents))
        assert httpx.post(audit.url, content=body, trust_env=False).status_code == 200

    audit = Audit(tmp_path / "audit.jsonl", flush)
    yield audit
    audit.close()


def test_what_came_after_a_mark(audit: Audit) -> None:
    httpx.post(audit.url, json=document("PutObject"), trust_env=False)
    mark = audit.mark()
    claims = {"preferred_username": "alice", "policy": ["alice-policy"]}
    sent = document("GetObject", accessKey="ABC", parentUser="", requestClaims=claims)
    httpx.post(audit.url, json=sent, trust_env=False)
    [entry] = audit.since(mark)
    assert (entry.api, entry.status, entry.bucket, entry.access_key) == ("GetObject", 200, "lake", "ABC")
    assert entry.user == "alice"
    assert str(entry) == "GetObject 200 lake/nessie/sales/t/a.parquet by ABC (token of alice)"
    assert [one.api for one in audit.since()] == ["PutObject", "GetObject"]


def test_a_key_that_no_token_stands_behind(audit: Audit) -> None:
    httpx.post(
        audit.url, json=document("GetObject", accessKey="K", parentUser="nessie-service"), trust_env=False
    )
    [entry] = audit.since()
    assert entry.user is None
    assert entry.parent == "nessie-service"


def test_all_of_it_is_in_a_private_file(audit: Audit) -> None:
    httpx.post(audit.url, json=document("PutObject"), trust_env=False)
    audit.mark()
    assert [json.loads(line)["api"]["name"] for line in audit.file.read_text().splitlines()] == [
        "PutObject",
        "HeadObject",
    ]
    assert stat.S_IMODE(audit.file.stat().st_mode) == 0o600
