from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from testing.control import FakeLogins
from tests.fakes.sts import FakeSts, fake_sts

from sqe.errors import AccessDeniedError, AuthenticationError, IdentityProviderError
from sqe.identity.logins.token_set import Tokens
from sqe.identity.sts.web_identity import S3Credentials, WebIdentity
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog, Storage

ALICE = Principal("alice", "oidc_password", login="a")
BOB = Principal("bob", "oidc_password", login="b")


@pytest.fixture
def sts() -> Iterator[FakeSts]:
    with fake_sts() as sts:
        yield sts


@pytest.fixture
def logins() -> FakeLogins:
    logins = FakeLogins()
    logins.add("a", "token-of-alice")
    logins.add("b", "token-of-bob")
    return logins


@pytest.fixture
def clock() -> list[float]:
    return [time.time()]


@pytest.fixture
def exchange(logins: FakeLogins, clock: list[float]) -> Iterator[WebIdentity]:
    made = WebIdentity(logins, 60.0, clock=lambda: clock[0])
    yield made
    made.close()


def lake(sts: FakeSts | str, role: str | None = None, name: str = "lake") -> RestCatalog:
    url = sts if isinstance(sts, str) else sts.url
    return RestCatalog(
        name, "http://catalog.test", storage=Storage.WEB_IDENTITY, sts_endpoint=url, sts_role=role
    )


def test_the_persons_token_becomes_the_persons_keys(exchange: WebIdentity, sts: FakeSts) -> None:
    keys = exchange.credentials(ALICE, lake(sts))
    assert keys.access_key_id == "1 for token-of-alice"
    assert keys.secret_access_key == "secret of 1 for token-of-alice"
    assert keys.session_token == "session of 1 for token-of-alice"


def test_the_token_is_in_the_body_and_no_lifetime_is_asked_for(exchange: WebIdentity, sts: FakeSts) -> None:
    exchange.credentials(ALICE, lake(sts))
    assert sts.targets == ["/"]
    assert sts.asked == [
        {
            "Action": "AssumeRoleWithWebIdentity",
            "Version": "2011-06-15",
            "WebIdentityToken": "token-of-alice",
        }
    ]


@pytest.mark.parametrize(
    ("user", "name"),
    [
        ("alice", "alice"),
        ("alice@example.org", "alice@example.org"),
        ("Ålice Doe/x", "-lice-Doe-x"),
        ("a", "a-"),
        ("x" * 100, "x" * 64),
    ],
)
def test_a_role_is_taken_in_the_persons_name(
    exchange: WebIdentity, sts: FakeSts, user: str, name: str
) -> None:
    exchange.credentials(Principal(user, "oidc", login="a"), lake(sts, "arn:aws:iam::1:role/lake"))
    assert sts.asked[0]["RoleArn"] == "arn:aws:iam::1:role/lake"
    assert sts.asked[0]["RoleSessionName"] == name


def test_keys_are_no_secrets_in_a_representation() -> None:
    assert repr(S3Credentials("AKIA", "hidden", "hidden", 1.0)) == (
        "S3Credentials(access_key_id='AKIA', expires_at=1.0)"
    )


def test_keys_are_kept_and_shared_by_sessions_and_catalogs_of_one_store(
    exchange: WebIdentity, sts: FakeSts
) -> None:
    first = exchange.credentials(ALICE, lake(sts))
    assert exchange.credentials(ALICE, lake(sts)) is first
    assert exchange.credentials(ALICE, lake(sts, name="pond")) is first
    assert len(sts.asked) == 1


def test_nobody_gets_anothers_keys(exchange: WebIdentity, sts: FakeSts) -> None:
    exchange.credentials(ALICE, lake(sts))
    assert exchange.credentials(BOB, lake(sts)).access_key_id == "2 for token-of-bob"
    assert exchange.credentials(ALICE, lake(sts)).access_key_id == "1 for token-of-alice"


def test_another_role_means_other_keys(exchange: WebIdentity, sts: FakeSts) -> None:
    exchange.credentials(ALICE, lake(sts))
    exchange.credentials(ALICE, lake(sts, "arn:aws:iam::1:role/lake"))
    assert len(sts.asked) == 2


def test_keys_never_outlive_the_token_that_they_were_given_for(
    exchange: WebIdentity, sts: FakeSts, logins: FakeLogins
) -> None:
    sts.life = 3600
    tokens = logins.tokens("a")
    assert exchange.credentials(ALICE, lake(sts)).expires_at == tokens.expires_at


def test_keys_are_replaced_as_soon_as_there_is_a_newer_token(
    exchange: WebIdentity, sts: FakeSts, logins: FakeLogins, clock: list[float]
) -> None:
    exchange.credentials(ALICE, lake(sts))
    clock[0] += 200
    assert exchange.credentials(ALICE, lake(sts)).access_key_id == "1 for token-of-alice"
    logins.known["a"] = Tokens("second", clock[0] + 300)
    assert exchange.credentials(ALICE, lake(sts)).access_key_id == "2 for second"  # 100 s were left


def test_the_same_token_is_not_exchanged_again_and_again(
    exchange: WebIdentity, sts: FakeSts, clock: list[float]
) -> None:
    exchange.credentials(ALICE, lake(sts))
    clock[0] += 280
    exchange.credentials(ALICE, lake(sts))
    assert len(sts.asked) == 1


def test_an_ended_login_gets_no_keys_though_there_are_good_ones(
    exchange: WebIdentity, sts: FakeSts, logins: FakeLogins
) -> None:
    exchange.credentials(ALICE, lake(sts))
    logins.known["a"] = AuthenticationError("The login of alice has ended: it was revoked.")
    with pytest.raises(AuthenticationError, match="revoked"):
        exchange.credentials(ALICE, lake(sts))


def test_forgotten_keys_are_asked_for_again(exchange: WebIdentity, sts: FakeSts) -> None:
    exchange.credentials(ALICE, lake(sts))
    exchange.credentials(BOB, lake(sts))
    exchange.forget("a")
    exchange.credentials(BOB, lake(sts))
    assert len(sts.asked) == 2
    exchange.credentials(ALICE, lake(sts))
    assert len(sts.asked) == 3


def test_a_person_without_tokens_is_told_so(exchange: WebIdentity, sts: FakeSts) -> None:
    with pytest.raises(AuthenticationError, match="users_file, which gives no token"):
        exchange.credentials(Principal("carol", "users_file"), lake(sts))
    assert sts.asked == []


def test_a_refusal_names_the_person_and_keeps_the_reason_for_the_log(
    exchange: WebIdentity, sts: FakeSts
) -> None:
    sts.refuse("AccessDenied", "token token-of-alice has no policy claim")
    with pytest.raises(AccessDeniedError) as raised:
        exchange.credentials(ALICE, lake(sts))
    assert raised.value.message == "The STS of the catalog lake refuses keys for alice."
    assert "AccessDenied: token ... has no policy claim" in str(raised.value.detail)
    assert "token-of-alice" not in str(raised.value.detail)


@pytest.mark.parametrize(
    "answer",
    [
        (500, "<Error/>"),
        (503, "busy"),
        (429, "slow down"),
        (200, "{}"),
        (200, ""),
        (302, ""),
        (400, "<html>a proxy says no</html>"),
        (404, ""),
    ],
)
def test_what_is_no_answer_refuses_nobody(
    exchange: WebIdentity, sts: FakeSts, answer: tuple[int, str]
) -> None:
    sts.answer = answer
    with pytest.raises(IdentityProviderError, match="does not answer"):
        exchange.credentials(ALICE, lake(sts))


@pytest.mark.parametrize("code", ["IDPCommunicationError", "Throttling"])
def test_a_refusal_that_is_trouble_refuses_nobody(exchange: WebIdentity, sts: FakeSts, code: str) -> None:
    sts.refuse(code)
    with pytest.raises(IdentityProviderError):
        exchange.credentials(ALICE, lake(sts))


def test_an_sts_that_is_not_there_is_not_waited_for_again_and_again(exchange: WebIdentity) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    for _ in range(5):
        with pytest.raises(IdentityProviderError):
            exchange.credentials(ALICE, lake(f"http://127.0.0.1:{port}"))
    with pytest.raises(IdentityProviderError) as raised:
        exchange.credentials(ALICE, lake(f"http://127.0.0.1:{port}"))
    assert "pause" in str(raised.value.detail)


def test_another_sts_is_not_punished_for_it(exchange: WebIdentity, sts: FakeSts) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    for _ in range(6):
        with pytest.raises(IdentityProviderError):
            exchange.credentials(ALICE, lake(f"http://127.0.0.1:{port}"))
    assert exchange.credentials(ALICE, lake(sts)).access_key_id == "1 for token-of-alice"


def test_a_silent_sts_is_given_up(logins: FakeLogins, sts: FakeSts) -> None:
    sts.silent = threading.Event()
    exchange = WebIdentity(logins, 0.3)
    with pytest.raises(IdentityProviderError) as caught:
        exchange.credentials(ALICE, lake(sts))
    assert "Timeout" in str(caught.value.detail)
    exchange.close()


def test_good_keys_are_handed_out_while_sts_is_silent(
    exchange: WebIdentity, sts: FakeSts, logins: FakeLogins, clock: list[float]
) -> None:
    first = exchange.credentials(ALICE, lake(sts))
    clock[0] += 250
    logins.known["a"] = Tokens("second", clock[0] + 300)
    sts.answer = (503, "busy")
    assert exchange.credentials(ALICE, lake(sts)) is first
    clock[0] += 49  # they are as good as over
    with pytest.raises(IdentityProviderError):
        exchange.credentials(ALICE, lake(sts))


def test_many_threads_exchange_once(exchange: WebIdentity, sts: FakeSts) -> None:
    sts.silent = threading.Event()
    got: list[S3Credentials] = []
    threads = [
        threading.Thread(target=lambda: got.append(exchange.credentials(ALICE, lake(sts)))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    sts.silent.set()
    for thread in threads:
        thread.join(120)
    assert len(got) == 8
    assert len(sts.asked) == 1
