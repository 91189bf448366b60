from __future__ import annotations

import pytest

from sqe.common.loopback import is_loopback, is_loopback_host, is_loopback_url, is_plain_text, parse_ip


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("::1%lo", True),
        ("::ffff:127.0.0.1", True),
        ("::ffff:10.0.0.1", False),
        ("10.0.0.1", False),
        ("0.0.0.0", False),
        ("::", False),
        ("localhost", False),
        ("", False),
    ],
)
def test_addresses(address: str, expected: bool) -> None:
    assert is_loopback(address) is expected


def test_addresses_are_read_as_sockets_show_them() -> None:
    assert str(parse_ip("fe80::1%eth0")) == "fe80::1"
    assert str(parse_ip("::ffff:10.0.0.1")) == "10.0.0.1"
    assert parse_ip("example.com") is None


def test_hosts() -> None:
    assert is_loopback_host("localhost")
    assert is_loopback_host("127.0.0.1")
    assert not is_loopback_host("localhost.example.com")
    assert not is_loopback_host("x.localhost")


def test_urls() -> None:
    assert is_loopback_url("http://127.0.0.1:8080/x")
    assert is_loopback_url("http://[::1]/x")
    assert is_loopback_url("http://localhost/x")
    assert is_loopback_url("http://x.localhost/x")
    assert not is_loopback_url("http://[broken")
    assert not is_loopback_url("http://localhost.example.com/x")
    assert not is_loopback_url("http://127.0.0.1.example.com/x")
    assert not is_loopback_url("http://127.0.0.1@example.com/x")


def test_plain_text() -> None:
    assert is_plain_text("http://example.com")
    assert not is_plain_text("https://example.com")
    assert not is_plain_text("http://localhost")
