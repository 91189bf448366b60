from __future__ import annotations

import base64

import pytest

from sqe.errors import AuthenticationError
from sqe.identity.credentials import Password, PresentedCredentials, from_authorization, is_jwt, is_user_name
from sqe.identity.providers.client_certificate import ClientCertificate


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "value",
    [encoded("alice:s:ü"), encoded("alice:s:ü").rstrip("="), f"  {encoded('alice:s:ü')} "],
)
@pytest.mark.parametrize("scheme", ["Basic", "basic", "BASIC"])
def test_basic_is_read_padded_or_not(scheme: str, value: str) -> None:
    assert from_authorization(f"{scheme} {value}").password == Password("alice", "s:ü")


def test_basic_is_read_in_the_alphabet_of_urls() -> None:
    text = "alice:ÿþ~~?"
    url = base64.urlsafe_b64encode(text.encode()).decode()
    assert ("-" in url) or ("_" in url)
    assert from_authorization(f"Basic {url}").password == Password("alice", "ÿþ~~?")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_basic_is_read_in_both_encodings_that_clients_use(encoding: str) -> None:
    header = "Basic " + base64.b64encode("ada:gehèim".encode(encoding)).decode()
    assert from_authorization(header).password == Password("ada", "gehèim")


def test_bearer_is_taken_as_it_is() -> None:
    presented = from_authorization(
        "bearer abc.def==",
        loopback=True,
        certificate=ClientCertificate("c"),
        claimed_user="u",
        address="1.2.3.4",
    )
    assert presented == PresentedCredentials(None, "abc.def==", ClientCertificate("c"), "u", True, "1.2.3.4")
    assert presented.explicit


def test_no_header_is_nothing_presented() -> None:
    assert from_authorization(None, claimed_user="") == PresentedCredentials()
    assert not from_authorization(None).explicit


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Basic",
        "Basic  ",
        "Bearer",
        "Digest x",
        "Basic %%%",
        "Basic " + encoded("nocolon"),
        "Basic " + encoded("a:" + "x" * 5000),
        "Bearer " + "x" * 20_000,
    ],
)
def test_a_header_that_cannot_be_used_is_a_refusal(header: str) -> None:
    with pytest.raises(AuthenticationError) as caught:
        from_authorization(header)
    assert "xxx" not in f"{caught.value.message} {caught.value.hint} {caught.value.detail}"


def test_secrets_do_not_show_themselves() -> None:
    presented = PresentedCredentials(Password("alice", "hunter2"), "tok3n")
    assert "hunter2" not in repr(presented)
    assert "tok3n" not in repr(presented)
    assert "alice" in repr(presented)


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("alice", True),
        ("a.b-c_d@e.com", True),
        ("9", True),
        ("", False),
        ("-a", False),
        ("a b", False),
        ("a\n", False),
        ("a:b", False),
        ("é", False),
        ("a" * 129, False),
    ],
)
def test_names(name: str, good: bool) -> None:
    assert is_user_name(name) is good


def basic(user: str, secret: str) -> str:
    return f"Basic {base64.b64encode(f'{user}:{secret}'.encode()).decode()}"


def test_a_token_may_be_longer_than_a_password() -> None:
    token = f"eyJhbGciOiJSUzI1NiJ9.{'a' * 10_000}.{'b' * 300}"
    assert from_authorization(f"Bearer {token}").bearer == token
    assert from_authorization(basic("alice", token)).password == Password("alice", token)
    for header in (
        f"Bearer {token}{'c' * 10_000}",
        basic("alice", f"{token}{'c' * 10_000}"),
        basic("alice", "x" * 5_000),
    ):
        with pytest.raises(AuthenticationError):
            from_authorization(header)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("eyJhbGciOiJSUzI1NiJ9.e30.c2ln", True),
        ("eyJhbGciOiJub25lIn0.e30.", True),
        ("eyJhbGciOiJSUzI1NiJ9.e30", False),
        ("eyJhbGciOiJSUzI1NiJ9.e30.c2ln.x.y", False),
        ("eyJust.a.pass word", False),
        ("e30.e30.c2ln", False),
        ("eyJ.e30.c2ln\n", False),
        ("", False),
    ],
)
def test_what_looks_like_a_json_web_token(text: str, is_one: bool) -> None:
    assert is_jwt(text) is is_one
