from __future__ import annotations

from stack.access_log import OURS, parse
from stack.catalog import Access


def test_lines_are_read_and_our_own_left_out() -> None:
    text = f"""\
alice 200 "GET /iceberg/v1/config?warehouse=lake HTTP/1.1"
- 200 "GET /?{OURS}=1 HTTP/1.1"
- 401 "POST /iceberg/v1/lake/namespaces HTTP/1.1"
this is no line of it
"""
    assert parse(text) == [
        Access("alice", "GET", "/iceberg/v1/config?warehouse=lake", 200),
        Access("-", "POST", "/iceberg/v1/lake/namespaces", 401),
    ]
