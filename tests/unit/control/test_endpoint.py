from __future__ import annotations

import socket
import ssl
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from testing.certificates import Authority
from testing.control import FakeEngine, FakeKeys, FakeLogins

from sqe.config.schema import Config
from sqe.config.sections.catalogs import CatalogConfig
from sqe.config.sections.control import ControlConfig
from sqe.config.sections.engine import EngineConfig
from sqe.control.endpoint import ControlEndpoint, make_control
from sqe.engine.control import Control, ControlLink
from sqe.errors import AuthenticationError, ConfigError
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog
from sqe.network.address import Address
from sqe.units import Secret

ALICE = Principal("alice", "oidc_password", login="login-of-alice")
BOB = Principal("bob", "oidc_password", login="login-of-bob")
LAKE = RestCatalog("lake", "http://catalog.test")
FIXED = "a secret that the engine was given long ago"


def test_it_is_what_the_engine_expects(endpoint: ControlEndpoint) -> None:
    control: Control = endpoint
    assert control.link() is not None


def test_the_link_does_not_show_its_secret(endpoint: ControlEndpoint) -> None:
    link = endpoint.link()
    assert link.url.startswith("http://127.0.0.1:")
    assert link.tls is None
    assert len(link.secret) >= 43
    assert link.secret not in repr(link)


def test_an_engine_may_connect_before_anything_is_loaded(logins: FakeLogins, keys: FakeKeys) -> None:
    endpoint = ControlEndpoint(Config(), logins, keys)
    answers: list[httpx.Response] = []
    engine = FakeEngine(endpoint.link())
    session = str(uuid.uuid4())
    endpoint.bind(session, ALICE, [LAKE])
    with engine.client:
        early = threading.Thread(target=lambda: answers.append(engine.ask("token", session)))
        early.start()
        endpoint.start()
        early.join(120)
        endpoint.close()
    assert [answer.status_code for answer in answers] == [200]


def test_a_new_engine_ends_what_the_one_before_it_had(endpoint: ControlEndpoint, logins: FakeLogins) -> None:
    old = FakeEngine(endpoint.link())
    session = str(uuid.uuid4())
    endpoint.bind(session, ALICE, [LAKE])
    with old.client:
        assert old.ask("token", session).status_code == 200
        new = FakeEngine(endpoint.link())
        assert new.link.secret != old.link.secret
        assert old.ask("token", session).status_code == 421
    with new.client:
        # Nor is the session of the old engine there for the new one, not even with the old handle.
        assert new.ask("token", session).status_code == 404
        stolen = {"handle": old.handle(session), "catalog": "lake"}
        assert new.post("token", stolen).status_code == 404
        endpoint.bind(session, BOB, [LAKE])
        assert new.ask("token", session).json()["token"] == "token-of-bob"
    assert logins.holds["login-of-alice"] == 0


def test_before_the_first_link_nobody_is_answered(endpoint: ControlEndpoint) -> None:
    with httpx.Client(timeout=120, trust_env=False) as client:
        for secret in ("", "None"):
            given = {"authorization": f"Bearer {secret}".strip()}
            assert client.post(f"{endpoint.url}/v1/token", headers=given, json={}).status_code == 421


def test_a_login_is_held_for_as_long_as_a_session_is_bound(
    endpoint: ControlEndpoint, logins: FakeLogins, keys: FakeKeys
) -> None:
    endpoint.link()
    one, two = str(uuid.uuid4()), str(uuid.uuid4())
    endpoint.bind(one, ALICE, [LAKE])
    endpoint.bind(two, ALICE, [LAKE])
    assert logins.holds["login-of-alice"] == 2
    endpoint.unbind(one)
    endpoint.unbind(one)
    assert logins.holds["login-of-alice"] == 1
    assert keys.forgotten == []
    endpoint.unbind(two)
    assert logins.holds["login-of-alice"] == 0
    assert keys.forgotten == ["login-of-alice"]


def test_a_session_that_is_bound_to_another_lets_go_of_the_first(
    endpoint: ControlEndpoint, logins: FakeLogins
) -> None:
    endpoint.link()
    session = str(uuid.uuid4())
    endpoint.bind(session, ALICE, [LAKE])
    endpoint.bind(session, BOB, [LAKE])
    assert (logins.holds["login-of-alice"], logins.holds["login-of-bob"]) == (0, 1)


def test_an_ended_login_cannot_be_bound(endpoint: ControlEndpoint, logins: FakeLogins) -> None:
    engine = FakeEngine(endpoint.link())
    logins.known["login-of-alice"] = AuthenticationError("The login of alice has ended.")
    session = str(uuid.uuid4())
    with pytest.raises(AuthenticationError, match="has ended"):
        endpoint.bind(session, ALICE, [LAKE])
    with engine.client:
        assert engine.ask("catalog", session).status_code == 404


def test_closing_lets_go_of_everything(logins: FakeLogins, keys: FakeKeys) -> None:
    endpoint = ControlEndpoint(Config(), logins, keys)
    endpoint.start()
    link = endpoint.link()
    endpoint.bind(str(uuid.uuid4()), ALICE, [LAKE])
    endpoint.close()
    assert logins.holds["login-of-alice"] == 0
    with pytest.raises(httpx.ConnectError), httpx.Client(trust_env=False, timeout=120) as client:
        client.post(f"{link.url}/v1/token")


def test_closing_one_that_was_never_started(logins: FakeLogins, keys: FakeKeys) -> None:
    endpoint = ControlEndpoint(Config(), logins, keys)
    endpoint.close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", int(endpoint.url.rpartition(":")[2])), timeout=120)


def test_many_sessions_come_and_go(endpoint: ControlEndpoint, logins: FakeLogins) -> None:
    endpoint.link()

    def work(principal: Principal) -> None:
        for _ in range(200):
            session = str(uuid.uuid4())
            endpoint.bind(session, principal, [LAKE])
            endpoint.unbind(session)

    threads = [threading.Thread(target=work, args=(who,)) for who in (ALICE, BOB) * 4]
    for thread in threads:
        thread.start()
    for _ in range(20):
        endpoint.link()  # as if engines crashed meanwhile
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert set(logins.holds.values()) == {0}


def remote(url: str = "sc://127.0.0.1:1", secret: str | None = FIXED) -> Config:
    return Config(engine=EngineConfig(url=url, control_secret=Secret(secret) if secret else None))


def test_an_engine_elsewhere_keeps_the_secret_that_it_was_given(logins: FakeLogins, keys: FakeKeys) -> None:
    endpoint = ControlEndpoint(remote(), logins, keys)
    endpoint.start()
    engine = FakeEngine(ControlLink(endpoint.url, FIXED))
    session = str(uuid.uuid4())
    endpoint.bind(session, ALICE, [LAKE])
    with engine.client:
        assert engine.ask("token", session).status_code == 200
        assert endpoint.link().secret == FIXED
        assert engine.ask("token", session).status_code == 200  # it lives on, whatever we lost
    endpoint.close()


def test_the_secret_for_an_engine_elsewhere_does_not_open_an_own_engine(
    logins: FakeLogins, keys: FakeKeys
) -> None:
    endpoint = ControlEndpoint(Config(engine=EngineConfig(control_secret=Secret(FIXED))), logins, keys)
    assert endpoint.link().secret != FIXED
    endpoint.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_every_address_is_no_address_to_tell(logins: FakeLogins, keys: FakeKeys, host: str) -> None:
    with pytest.raises(ConfigError, match=r"control\.host.*every address"):
        ControlEndpoint(Config(control=ControlConfig(host=host)), logins, keys)


def test_a_taken_port_is_named(logins: FakeLogins, keys: FakeKeys) -> None:
    with Address("control", "127.0.0.1", 0).listen() as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=rf"control\.port: the port {port}") as raised:
            ControlEndpoint(Config(control=ControlConfig(port=port)), logins, keys)
    assert "server.listeners" not in str(raised.value.hint)


def test_it_is_made_from_the_configuration(logins: FakeLogins, tmp_path: Path) -> None:
    def nothing(question: str, result: str) -> None: ...

    local = CatalogConfig(type="warehouse", path=tmp_path)
    lake = CatalogConfig.model_validate({"uri": "http://127.0.0.1:1/catalog"})
    made = make_control(Config(catalogs={"local": local, "lake": lake}), logins, nothing)
    assert made.url.startswith("http://127.0.0.1:")
    made.close()


@pytest.fixture
def far(logins: FakeLogins, keys: FakeKeys, monkeypatch: pytest.MonkeyPatch) -> Iterator[ControlEndpoint]:
    """An endpoint that believes other machines could reach it."""
    monkeypatch.setattr(Address, "is_loopback", lambda address: False)
    made = ControlEndpoint(Config(), logins, keys)
    made.start()
    yield made
    made.close()


def trusting(link: ControlLink, tmp_path: Path, *, with_key: bool) -> ssl.SSLContext:
    assert link.tls is not None
    context = ssl.create_default_context(cadata=link.tls.authority)
    if with_key:
        pair = tmp_path / "engine.pem"
        pair.write_text(link.tls.key + link.tls.certificate, encoding="ascii")
        context.load_cert_chain(pair)
    return context


def test_beyond_loopback_it_is_mutual_tls(far: ControlEndpoint, tmp_path: Path) -> None:
    link = far.link()
    assert link.url.startswith("https://")
    assert link.tls is not None
    assert "PRIVATE KEY" not in repr(link)
    session = str(uuid.uuid4())
    far.bind(session, ALICE, [LAKE])
    context = trusting(link, tmp_path, with_key=True)
    engine = FakeEngine(link, httpx.Client(verify=context, trust_env=False, timeout=120))
    with engine.client:
        assert engine.ask("token", session).json()["token"] == "token-of-alice"
        wrong = engine.post("token", {}, authorization="Bearer wrong")
        assert wrong.status_code == 421  # the certificate alone is not enough


def test_beyond_loopback_nobody_without_the_certificate_gets_through(
    far: ControlEndpoint, tmp_path: Path
) -> None:
    link = far.link()
    session = str(uuid.uuid4())
    far.bind(session, ALICE, [LAKE])
    none = trusting(link, tmp_path, with_key=False)
    others = trusting(link, tmp_path, with_key=False)
    pair = Authority(tmp_path / "others").client("sqe-engine")
    others.load_cert_chain(pair.certificate, pair.key)
    for context in (none, others):
        engine = FakeEngine(link, httpx.Client(verify=context, trust_env=False, timeout=120))
        with engine.client, pytest.raises((httpx.ReadError, httpx.ConnectError, httpx.RemoteProtocolError)):
            engine.ask("token", session)


def test_beyond_loopback_plain_http_is_impossible(far: ControlEndpoint) -> None:
    link = far.link()
    plain = ControlLink(link.url.replace("https://", "http://"), link.secret)
    engine = FakeEngine(plain)
    with engine.client, pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        engine.ask("token", str(uuid.uuid4()))


def test_an_engine_elsewhere_cannot_be_handed_certificates(
    logins: FakeLogins, keys: FakeKeys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Address, "is_loopback", lambda address: False)
    with pytest.raises(ConfigError, match=r"control\.host.*engine\.url"):
        ControlEndpoint(remote(), logins, keys)
