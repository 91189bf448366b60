from __future__ import annotations

import pytest

from sqe.engine.runtime.proxy import proxy_properties
from sqe.errors import ConfigError


def test_without_variables_there_is_no_proxy() -> None:
    assert proxy_properties({"https_proxy": "", "PATH": "/bin"}) == {}


def test_each_scheme_has_its_proxy() -> None:
    assert proxy_properties({"HTTP_PROXY": "http://a:3128", "https_proxy": "b.example:8080/"}) == {
        "http.proxyHost": "a",
        "http.proxyPort": "3128",
        "https.proxyHost": "b.example",
        "https.proxyPort": "8080",
    }


def test_lower_case_comes_first() -> None:
    assert (
        proxy_properties({"HTTPS_PROXY": "http://a:1", "https_proxy": "http://b:2"})["https.proxyHost"] == "b"
    )


def test_a_user_and_password_are_decoded_and_allowed_for_https() -> None:
    properties = proxy_properties({"HTTPS_PROXY": "http://ann:p%40ss@proxy:3128"})
    assert properties["http.proxyUser"] == "ann"
    assert properties["http.proxyPassword"] == "p@ss"
    assert properties["jdk.http.auth.tunneling.disabledSchemes"] == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("localhost,127.0.0.1", "localhost|*.localhost|127.0.0.1|*.127.0.0.1"),
        (".corp.example, *.lan", "*.corp.example|*.lan"),
        ("host:8443", "host|*.host"),
        ("*", "*"),
        (" , ", None),
    ],
)
def test_exempt_hosts(value: str, expected: str | None) -> None:
    assert proxy_properties({"NO_PROXY": value}).get("http.nonProxyHosts") == expected


@pytest.mark.parametrize(
    "value", ["socks5://user:hunter2@h:1", "http://", "http://user:hunter2@h:port", "http://h:0"]
)
def test_what_is_no_http_proxy_is_refused_without_repeating_it(value: str) -> None:
    with pytest.raises(ConfigError, match="https_proxy") as raised:
        proxy_properties({"https_proxy": value})
    assert "hunter2" not in str(raised.value)
