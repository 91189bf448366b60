from __future__ import annotations

import pytest
from tests.fakes.sts import CREDENTIALS, REFUSAL

from sqe.identity.sts.sts_response import (
    LONGEST,
    MalformedResponseError,
    Refusal,
    read_credentials,
    read_refusal,
)

GOOD = CREDENTIALS.format(key="AKIA", end="2026-11-16T03:00:00Z")


def test_the_keys_and_their_end() -> None:
    assert read_credentials(GOOD.encode()) == ("AKIA", "secret of AKIA", "session of AKIA", 1794798000.0)


def test_names_with_a_prefix_are_the_same() -> None:
    prefixed = (
        GOOD.replace("<", "<a:").replace("<a:/", "</a:").replace("<a:?", "<?").replace("xmlns=", "xmlns:a=")
    )
    assert read_credentials(prefixed.encode())[0] == "AKIA"


def test_characters_that_xml_writes_differently() -> None:
    assert read_credentials(GOOD.replace(">AKIA<", ">A&amp;B<").encode())[0] == "A&B"


def test_a_refusal() -> None:
    refusal = read_refusal(REFUSAL.format(code="AccessDenied", message="Access denied").encode())
    assert refusal == Refusal("AccessDenied", "Access denied")


@pytest.mark.parametrize(
    "document",
    [
        "",
        "{}",
        "<html><body>hello</body></html>",
        GOOD[:-10],
        GOOD.replace("Credentials", "Other"),
        GOOD.replace("<AccessKeyId>AKIA</AccessKeyId>", ""),
        GOOD.replace(">AKIA<", "><"),
        GOOD.replace("secret of AKIA", ""),
        GOOD.replace("2026-11-16T03:00:00Z", "soon"),
        GOOD.replace("2026-11-16T03:00:00Z", "2026-11-16T03:00:00"),
        '<!DOCTYPE a [<!ENTITY b "c">]>' + GOOD.partition("?>")[2].replace(">AKIA<", ">&b;<"),
        '<!DOCTYPE a SYSTEM "file:///etc/hostname">' + GOOD.partition("?>")[2],
        "<a>" * 100 + "</a>" * 100,
        "<!--" + "x" * LONGEST + "-->" + GOOD.partition("?>")[2],
        REFUSAL.format(code="AccessDenied", message="no"),
    ],
)
def test_what_is_no_answer_is_refused(document: str) -> None:
    with pytest.raises(MalformedResponseError):
        read_credentials(document.encode())


def test_a_refusal_without_a_code_is_none() -> None:
    with pytest.raises(MalformedResponseError):
        read_refusal(REFUSAL.format(code="", message="no").encode())


def test_the_keys_are_in_no_error() -> None:
    with pytest.raises(MalformedResponseError) as raised:
        read_credentials(GOOD.replace("2026-11-16T03:00:00Z", "soon").encode())
    assert "AKIA" not in repr(raised.value)
