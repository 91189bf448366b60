from __future__ import annotations

import re

from tests.support.trino_front_end import TrinoFrontEnd

from sqe.errors import QueryError


def test_the_list_and_a_querys_page(front_end: TrinoFrontEnd) -> None:
    assert "No queries yet" in front_end.send("GET", "/ui").text
    page = front_end.pages(
        "SELECT fake('rows 3')", {"X-Trino-Source": "<b>me</b>", "X-Trino-Client-Tags": "x"}
    )[-1]
    for path, link in (("/ui", "ui/query.html?"), ("/ui/", "query.html?")):
        listed = front_end.send("GET", path)
        assert listed.status_code == 200
        assert f'href="{link}{page["id"]}"' in listed.text
        assert "&lt;b&gt;me" in listed.text
        assert "<b>me" not in listed.text
    shown = front_end.send("GET", page["infoUri"])
    assert shown.status_code == 200
    for text in ("FINISHED", "SELECT fake(&#x27;rows 3&#x27;)", "Client tags", "<td>3</td>"):
        assert text in shown.text


def test_a_failed_query_tells_why_and_nothing_is_a_tag(front_end: TrinoFrontEnd) -> None:
    front_end.engine.failure = QueryError("<script>alert(1)</script>", hint="<i>h</i>", detail="secret")
    page = front_end.pages("SELECT fake('fail') /* <script> */")[-1]
    text = front_end.send("GET", page["infoUri"]).text
    assert "GENERIC_INTERNAL_ERROR: &lt;script&gt;" in text
    assert "<script" not in text
    assert "secret" not in text
    assert "&lt;i&gt;h" in text


def test_other_queries_are_not_found(front_end: TrinoFrontEnd) -> None:
    assert front_end.send("GET", "/ui/query.html?q_nothing").status_code == 404
    assert front_end.send("GET", "/ui/query.html").status_code == 404
    page = front_end.pages("SELECT fake('rows 1')")[-1]
    assert front_end.send("GET", page["infoUri"], headers={"X-Trino-User": "bob"}).status_code == 404


def test_headers_keep_a_page_to_itself(front_end: TrinoFrontEnd) -> None:
    for path in ("/ui", "/"):
        headers = front_end.send("GET", path).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in headers
    assert front_end.send("GET", "/").headers["Location"] == "ui"


def test_a_long_statement_is_short_in_the_list(front_end: TrinoFrontEnd) -> None:
    front_end.pages("SELECT fake('rows 1') /* " + "x" * 1000 + " */")
    assert re.search(r"x{90,130}…", front_end.send("GET", "/ui").text)
