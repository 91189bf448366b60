from __future__ import annotations

import logging
import threading
import time
import uuid
from typing import Any

import httpx
import pytest
from testing.control import FakeEngine, FakeKeys, FakeLogins

from sqe.control.app import LONGEST_BODY
from sqe.control.endpoint import ControlEndpoint
from sqe.errors import AccessDeniedError, AuthenticationError, IdentityProviderError, SqeError
from sqe.executor.failures import LocalExecutionError
from sqe.executor.stores import Store
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog, Storage
from sqe.units import Secret

ALICE = Principal("alice", "oidc_password", login="login-of-alice")
BOB = Principal("bob", "oidc_password", login="login-of-bob")
NOBODY = Principal("carol", "users_file")
LAKE = RestCatalog("lake", "http://catalog.test")
POND = RestCatalog("pond", "http://pond.test", storage=Storage.WEB_IDENTITY, sts_endpoint="http://sts.test")


@pytest.fixture
def session(endpoint: ControlEndpoint, engine: FakeEngine) -> str:
    session = str(uuid.uuid4())
    endpoint.bind(session, ALICE, [LAKE, POND])
    return session


def test_a_session_gets_the_properties_of_its_catalog(engine: FakeEngine, session: str) -> None:
    answer = engine.ask("catalog", session)
    assert answer.status_code == 200
    assert answer.json()["properties"]["uri"] == "http://catalog.test"


def test_a_session_gets_the_token_of_its_person(engine: FakeEngine, session: str) -> None:
    answer = engine.ask("token", session)
    assert answer.status_code == 200
    assert answer.json()["token"] == "token-of-alice"
    assert 295 <= answer.json()["expires_in"] <= 300
    assert answer.headers["cache-control"] == "no-store"


def test_a_renewed_token_is_given_at_the_next_question(
    engine: FakeEngine, session: str, logins: FakeLogins
) -> None:
    engine.ask("token", session)
    logins.add("login-of-alice", "the next token")
    assert engine.ask("token", session).json()["token"] == "the next token"


def test_each_session_gets_its_own_persons_token(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str
) -> None:
    other = str(uuid.uuid4())
    endpoint.bind(other, BOB, [LAKE])
    assert engine.ask("token", other).json()["token"] == "token-of-bob"
    assert engine.ask("token", session).json()["token"] == "token-of-alice"


def test_the_keys_of_the_person(engine: FakeEngine, session: str) -> None:
    answer = engine.ask("credentials", session, "pond")
    assert answer.status_code == 200
    assert answer.json().keys() == {"access_key_id", "secret_access_key", "session_token", "expires_in"}
    assert answer.json()["secret_access_key"] == "secret-key"


def test_no_keys_for_a_catalog_that_vends_its_own(engine: FakeEngine, session: str) -> None:
    assert engine.ask("credentials", session, "lake").status_code == 403


@pytest.mark.parametrize("question", ["catalog", "token", "credentials"])
def test_what_is_not_bound_is_unknown(engine: FakeEngine, session: str, question: str) -> None:
    assert engine.ask(question, str(uuid.uuid4()), "pond").status_code == 404
    assert engine.ask(question, session, "ocean").status_code == 404


@pytest.mark.parametrize("question", ["catalog", "token", "credentials"])
def test_another_sessions_uuid_with_an_own_proof_is_unknown(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str, question: str
) -> None:
    other = str(uuid.uuid4())
    endpoint.bind(other, BOB, [POND])
    forged = f"{session}.{engine.handle(other).partition('.')[2]}"
    assert engine.post(question, {"handle": forged, "catalog": "pond"}).status_code == 404
    assert engine.post(question, {"handle": engine.handle(other), "catalog": "pond"}).status_code == 200


def test_a_released_session_is_unknown(endpoint: ControlEndpoint, engine: FakeEngine, session: str) -> None:
    endpoint.unbind(session)
    assert engine.ask("token", session).status_code == 404


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (AuthenticationError("The login of alice has ended: it was revoked.", detail="hidden"), 401),
        (IdentityProviderError("The identity provider does not answer.", detail="hidden"), 503),
    ],
)
def test_no_token_and_why(
    engine: FakeEngine, session: str, logins: FakeLogins, error: SqeError, status: int
) -> None:
    logins.known["login-of-alice"] = error
    answer = engine.ask("token", session)
    assert (answer.status_code, answer.json()) == (status, {"error": error.message})


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (AccessDeniedError("The store gives alice no keys.", detail="hidden"), 403),
        (AuthenticationError("The login of alice has ended.", detail="hidden"), 401),
        (IdentityProviderError("STS does not answer.", detail="hidden"), 503),
    ],
)
def test_no_keys_and_why(
    engine: FakeEngine, session: str, keys: FakeKeys, error: SqeError, status: int
) -> None:
    keys.given = error
    answer = engine.ask("credentials", session, "pond")
    assert (answer.status_code, answer.json()) == (status, {"error": error.message})


def test_a_person_without_tokens_is_told_so(endpoint: ControlEndpoint, engine: FakeEngine) -> None:
    session = str(uuid.uuid4())
    endpoint.bind(session, NOBODY, [LAKE, POND])
    for question, catalog in (("token", "lake"), ("credentials", "pond")):
        answer = engine.ask(question, session, catalog)
        assert answer.status_code == 401
        assert "users_file, which gives no token" in answer.json()["error"]


def test_a_shell_without_a_login_is_told_what_to_do(endpoint: ControlEndpoint, engine: FakeEngine) -> None:
    session = str(uuid.uuid4())
    endpoint.bind(session, Principal("ann", "shell"), [LAKE, POND])
    for question, catalog in (("token", "lake"), ("credentials", "pond")):
        answer = engine.ask(question, session, catalog)
        assert answer.status_code == 401
        assert "run `sqe login`" in answer.json()["error"]


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer wrong",
        "bearer {secret}",
        "Basic {secret}",
        "{secret}",
        "Bearer {secret}x",
        "Bearer é",
    ],
)
def test_nobody_but_the_engine_is_answered(
    engine: FakeEngine, session: str, authorization: str | None
) -> None:
    given = authorization.format(secret=engine.link.secret) if authorization is not None else None
    headers = {} if given is None else {b"authorization": given.encode("latin-1")}
    for question in ("catalog", "token", "credentials"):
        answer = engine.client.post(
            f"{engine.link.url}/v1/{question}",
            headers=httpx.Headers(headers),
            json={"handle": engine.handle(session), "catalog": "lake"},
        )
        assert answer.status_code == 421
        assert "token-of-alice" not in answer.text


def test_two_authorizations_are_none(engine: FakeEngine, session: str) -> None:
    right = ("authorization", f"Bearer {engine.link.secret}")
    answer = engine.client.post(
        f"{engine.link.url}/v1/token",
        headers=[right, right],
        json={"handle": engine.handle(session), "catalog": "lake"},
    )
    assert answer.status_code == 421


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v1/token/", "/v1/tokens", "/v2/token", "/docs", "/v1/../token"]
)
def test_other_paths_are_refused(engine: FakeEngine, path: str) -> None:
    answer = engine.client.post(
        engine.link.url + path, headers={"authorization": f"Bearer {engine.link.secret}"}
    )
    assert answer.status_code == 404


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_other_methods_are_refused(engine: FakeEngine, session: str, method: str) -> None:
    answer = engine.client.request(
        method,
        f"{engine.link.url}/v1/token",
        headers={"authorization": f"Bearer {engine.link.secret}"},
        params={"handle": engine.handle(session), "catalog": "lake"},
    )
    assert answer.status_code == 405


def test_a_long_request_is_not_read(engine: FakeEngine, session: str) -> None:
    body = {"handle": engine.handle(session), "catalog": "x" * LONGEST_BODY}
    assert engine.post("token", body).status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"\xff\xfe",
        b"{}",
        b'{"handle": "x"}',
        b'{"handle": 1, "catalog": "lake"}',
        b'{"handle": "x", "catalog": null}',
        b'{"handle": "x", "catalog": ["lake"]}',
        b'{"handle": "x", "catalog": "lake", "user": "bob"}',
        b'{"handle": "\\ud800", "catalog": "lake"}',
        b"[" * 4000,
    ],
)
def test_what_is_not_a_question_is_refused(engine: FakeEngine, body: bytes) -> None:
    answer = engine.post("token", body)
    assert answer.status_code == 400
    assert answer.json().keys() == {"error"}


@pytest.mark.parametrize("handle", ["", "é", "x" * 200, "\x00"])
def test_handles_that_are_none(engine: FakeEngine, handle: str) -> None:
    assert engine.post("token", {"handle": handle, "catalog": "lake"}).status_code == 404


def test_each_question_is_counted_with_its_result(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str, logins: FakeLogins, observed: list[Any]
) -> None:
    engine.ask("catalog", session)
    engine.ask("token", session)
    engine.ask("token", session, "ocean")
    logins.known["login-of-alice"] = AuthenticationError("over")
    engine.ask("token", session)
    logins.known["login-of-alice"] = IdentityProviderError("silent")
    engine.ask("token", session)
    engine.ask("credentials", session)
    assert observed == [
        ("catalog", "given"),
        ("token", "given"),
        ("token", "unknown"),
        ("token", "ended"),
        ("token", "unavailable"),
        ("credentials", "denied"),
    ]


def test_the_log_names_the_person_once_and_no_secret(
    engine: FakeEngine, session: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        for _ in range(3):
            engine.ask("token", session)
            engine.ask("credentials", session, "pond")
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("sqe.control")]
    assert [line for line in lines if line.startswith("alice")] == [
        f"alice: the session {session[:8]} gets the person's tokens for the catalog lake",
        f"alice: the session {session[:8]} gets the person's keys for the catalog pond",
    ]
    handle = engine.handle(session)
    secrets = ("token-of-alice", "secret-key", engine.link.secret, handle, handle.partition(".")[2])
    assert not [word for word in secrets if word in caplog.text]


def test_a_slow_identity_provider_keeps_nobody_else_waiting(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str, logins: FakeLogins
) -> None:
    asked, go_on = threading.Event(), threading.Event()
    plain = logins.tokens

    def slow(login: str) -> Any:
        if login == "login-of-bob":
            asked.set()
            assert go_on.wait(120)
        return plain(login)

    logins.tokens = slow  # type: ignore[method-assign]
    other = str(uuid.uuid4())
    endpoint.bind(other, BOB, [LAKE])
    waiting = FakeEngine(engine.link)
    thread = threading.Thread(target=lambda: waiting.ask("token", other))
    thread.start()
    assert asked.wait(120)
    begun = time.monotonic()
    assert engine.ask("token", session).status_code == 200
    assert time.monotonic() - begun < 60
    go_on.set()
    thread.join(120)
    waiting.client.close()
    assert not thread.is_alive()


def vended(scope: str = "s3://lake/t/", catalog: str = "lake", **more: Any) -> dict[str, Any]:
    keys = {
        "access_key_id": "AKIA-VENDED",
        "secret_access_key": "vended-secret",
        "session_token": "vended-session",
    }
    return {"catalog": catalog, "scope": scope, **keys, **more}


def hand_over(engine: FakeEngine, session: str, *stores: dict[str, Any]) -> httpx.Response:
    return engine.post("store-keys", {"handle": engine.handle(session), "stores": list(stores)})


def store(scope: str = "s3://lake/t/", catalog: str = "lake") -> Store:
    return Store(catalog, scope, "store.test", "us-east-1", path_style=True, use_tls=True)


def test_vended_keys_are_taken_once_for_the_plan(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str, observed: list[tuple[str, str]]
) -> None:
    answer = hand_over(engine, session, vended(expires_in=900), vended("s3://lake/u/", session_token=None))
    assert answer.status_code == 200
    assert observed[-1] == ("store_keys", "given")
    reference = answer.json()["reference"]
    first, second = endpoint.open_stores(session, [store(), store("s3://lake/u/")], reference)
    assert first.store == store()
    assert first.keys.key_id == "AKIA-VENDED"
    assert first.keys.secret.reveal() == "vended-secret"
    assert first.keys.session_token == Secret("vended-session")
    assert first.keys.expires_at == pytest.approx(time.time() + 900, abs=60)
    assert (second.keys.session_token, second.keys.expires_at) == (None, None)
    with pytest.raises(LocalExecutionError, match="handed no"):
        endpoint.open_stores(session, [store()], reference)


def test_vended_keys_are_for_their_own_session(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str
) -> None:
    other = str(uuid.uuid4())
    endpoint.bind(other, BOB, [LAKE, POND])
    reference = hand_over(engine, session, vended()).json()["reference"]
    with pytest.raises(LocalExecutionError, match="handed no"):
        endpoint.open_stores(other, [store()], reference)
    with pytest.raises(LocalExecutionError, match="not bound"):
        endpoint.open_stores(str(uuid.uuid4()), [store()], reference)
    assert endpoint.open_stores(session, [store()], reference)


def test_vended_keys_are_for_their_own_scope(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str
) -> None:
    reference = hand_over(engine, session, vended()).json()["reference"]
    with pytest.raises(LocalExecutionError, match="handed no"):
        endpoint.open_stores(session, [store("s3://lake/u/")], reference)


def test_vended_keys_end_with_their_session(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str
) -> None:
    reference = hand_over(engine, session, vended()).json()["reference"]
    endpoint.unbind(session)
    endpoint.bind(session, BOB, [LAKE])
    with pytest.raises(LocalExecutionError, match="handed no"):
        endpoint.open_stores(session, [store()], reference)


def test_keys_are_vended_only_by_catalogs_of_the_session_that_do_so(engine: FakeEngine, session: str) -> None:
    assert hand_over(engine, session, vended(catalog="pond")).status_code == 403
    assert hand_over(engine, session, vended(), vended(catalog="ocean")).status_code == 403
    assert hand_over(engine, str(uuid.uuid4()), vended()).status_code == 404


@pytest.mark.parametrize(
    "stores",
    [[], [{}], [vended(more="")], [vended(secret_access_key="")], [vended(expires_in="soon")], "lake"],
)
def test_invalid_keys_are_refused_without_a_word_of_them(
    engine: FakeEngine, session: str, stores: object
) -> None:
    answer = engine.post("store-keys", {"handle": engine.handle(session), "stores": stores})
    assert answer.status_code == 400
    assert "vended" not in answer.text


def test_another_engine_hands_nothing_over(engine: FakeEngine, session: str) -> None:
    body = {"handle": engine.handle(session), "stores": [vended()]}
    assert engine.post("store-keys", body, authorization="Bearer other").status_code == 421


def test_a_store_that_knows_the_user_is_opened_with_the_users_own_keys(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str
) -> None:
    [access] = endpoint.open_stores(session, [store(catalog="pond")], None)
    assert access.keys.key_id == "AKIA"
    assert access.keys.secret.reveal() == "secret-key"
    assert access.keys.expires_at is not None


@pytest.mark.parametrize(
    "error", [AuthenticationError("ended"), AccessDeniedError("no"), IdentityProviderError("silent")]
)
def test_a_store_stays_closed_where_the_user_has_no_keys(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str, keys: FakeKeys, error: SqeError
) -> None:
    keys.given = error
    with pytest.raises(LocalExecutionError, match="no storage credentials"):
        endpoint.open_stores(session, [store(catalog="pond")], None)


def test_a_store_of_no_catalog_or_of_one_that_signs_stays_closed(
    endpoint: ControlEndpoint, engine: FakeEngine
) -> None:
    session = str(uuid.uuid4())
    endpoint.bind(session, ALICE, [RestCatalog("signed", "http://s.test", storage=Storage.REMOTE_SIGNING)])
    for catalog in ("signed", "ocean"):
        with pytest.raises(LocalExecutionError):
            endpoint.open_stores(session, [store(catalog=catalog)], None)


def test_nothing_that_is_logged_has_handed_keys(
    endpoint: ControlEndpoint, engine: FakeEngine, session: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    reference = hand_over(engine, session, vended()).json()["reference"]
    opened = endpoint.open_stores(session, [store()], reference)
    assert "vended-se" not in repr(opened)
    assert "vended-se" not in caplog.text
