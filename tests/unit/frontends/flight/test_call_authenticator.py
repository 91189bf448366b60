"""Authentication of calls, by each means of the protocol."""

from __future__ import annotations

import base64

import pyarrow as pa
import pyarrow.flight as fl
import pytest
from tests.unit.frontends.flight.conftest import Client, FlightFrontEnd, Opener

from sqe.frontends.flight.call_authenticator import address, is_loopback_peer
from sqe.frontends.flight.proto import FlightSql_pb2 as sql

TYPES = sql.CommandGetTableTypes()
ROWS = sql.CommandStatementQuery(query="SELECT fake('rows 1')")


def basic(user: str, secret: str, *, padded: bool = True) -> str:
    text = base64.b64encode(f"{user}:{secret}".encode()).decode()
    return "Basic " + (text if padded else text.rstrip("="))


def user_of(front_end: FlightFrontEnd, client: Client) -> str:
    client.get(ROWS)
    return front_end.engine.sessions[-1].user


class PayloadLogin(fl.ClientAuthHandler):  # type: ignore[misc]
    """The handshake with a BasicAuth message, as older clients do it."""

    def __init__(self, user: str, secret: str) -> None:
        super().__init__()
        self._message = fl.BasicAuth(user, secret).serialize()
        self._token = b""

    def authenticate(self, outgoing: fl.ClientAuthSender, incoming: fl.ClientAuthReader) -> None:
        outgoing.write(self._message)
        self._token = incoming.read()

    def get_token(self) -> bytes:
        return self._token


def test_without_credentials_one_is_anonymous_on_this_machine(front_end: FlightFrontEnd) -> None:
    assert user_of(front_end, front_end.client()) == "anonymous"


@pytest.mark.parametrize("padded", [True, False])
def test_a_basic_header_alone_is_enough(front_end: FlightFrontEnd, padded: bool) -> None:
    header = basic("bob", "bob", padded=padded)
    assert header.endswith("=") == padded
    assert user_of(front_end, front_end.client(authorization=header)) == "bob"


def test_a_handshake_with_a_basic_header_gives_a_token(front_end: FlightFrontEnd) -> None:
    client = front_end.client("ann")
    name, value = client.headers[0]
    assert (name, value[:11]) == (b"authorization", b"Bearer sqe_")
    assert user_of(front_end, client) == "ann"


def test_a_handshake_with_a_message_gives_a_token(front_end: FlightFrontEnd) -> None:
    client = front_end.client()
    client.flight.authenticate(PayloadLogin("ann", "nna"))
    assert user_of(front_end, client) == "ann"


def test_a_token_of_another_front_end_is_good_here(front_end: FlightFrontEnd, ann: Client) -> None:
    client = front_end.client(authorization=ann.headers[0][1].decode())
    assert user_of(front_end, client) == "ann"


def test_a_revoked_token_is_not(front_end: FlightFrontEnd, ann: Client) -> None:
    front_end.tokens.revoke(ann.headers[0][1].decode().removeprefix("Bearer "))
    with pytest.raises(fl.FlightUnauthenticatedError):
        ann.info(TYPES)


def test_wrong_passwords_get_nowhere(front_end: FlightFrontEnd) -> None:
    client = front_end.client()
    with pytest.raises(fl.FlightUnauthenticatedError) as caught:
        client.flight.authenticate_basic_token("ann", "guess")
    assert "only for the log" not in str(caught.value)
    with pytest.raises(fl.FlightUnauthenticatedError):
        client.flight.authenticate(PayloadLogin("ann", "guess"))
    with pytest.raises(fl.FlightUnauthenticatedError):
        front_end.client(authorization=basic("ann", "guess")).info(TYPES)
    assert front_end.engine.sessions == []


@pytest.mark.parametrize("payload", [b"\xff\xff", b"\x12\x01u"])
def test_a_handshake_with_garbage_gets_nowhere(open_front_end: Opener, payload: bytes) -> None:
    login = PayloadLogin("", "")
    login._message = payload
    with pytest.raises((fl.FlightError, pa.ArrowInvalid)) as caught:
        open_front_end(anonymous=False).client().flight.authenticate(login)
    assert "Traceback" not in str(caught.value)


def test_every_call_is_authenticated(open_front_end: Opener) -> None:
    nobody = open_front_end(anonymous=False).client()
    for attempt in (
        lambda: nobody.info(TYPES),
        lambda: nobody.info(b"garbage"),
        lambda: nobody.flight.do_get(fl.Ticket(b""), nobody.options).read_all(),
        lambda: nobody.put(b""),
        lambda: nobody.act("GetSessionOptions", b""),
        lambda: nobody.act("CloseSession", b""),
        lambda: nobody.act("nothing", b""),
        lambda: list(nobody.flight.list_actions(nobody.options)),
        lambda: list(nobody.flight.list_flights(options=nobody.options)),
        nobody.exchange,
    ):
        with pytest.raises(fl.FlightUnauthenticatedError, match="AUTHENTICATION_FAILED"):
            attempt()


def test_get_schema_is_authenticated_too(open_front_end: Opener) -> None:
    nobody = open_front_end(anonymous=False).client()
    # pyarrow gives GetSchema no code of its own; the text has it.
    with pytest.raises(Exception, match="AUTHENTICATION_FAILED: Credentials are needed") as caught:
        nobody.flight.get_schema(fl.FlightDescriptor.for_command(b""), nobody.options)
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize(
    ("peer", "host", "here"),
    [
        ("ipv4:127.0.0.1:1234", "127.0.0.1", True),
        ("ipv4:10.1.2.3:1234", "10.1.2.3", False),
        ("ipv6:%5B::1%5D:1234", "::1", True),
        ("ipv6:[::1]:1234", "::1", True),
        ("ipv6:%5B::ffff:127.0.0.1%5D:1234", "::ffff:127.0.0.1", True),
        ("ipv6:%5B::ffff:10.1.2.3%5D:1234", "::ffff:10.1.2.3", False),
        ("ipv6:%5Bfe80::1%25eth0%5D:1234", "fe80::1", False),
        ("unix:/run/socket", None, True),
        ("nonsense", None, False),
        ("ipv4:nonsense:1", "nonsense", False),
    ],
)
def test_peers_are_read_as_grpc_writes_them(peer: str, host: str | None, here: bool) -> None:
    assert address(peer) == host
    assert is_loopback_peer(peer) == here
