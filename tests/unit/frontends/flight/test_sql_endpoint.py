"""TLS, client certificates, new certificates in place, and clients that stop in the middle."""

from __future__ import annotations

import datetime
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.flight as fl
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from testing.command import until
from tests.support.clock import skipping_time
from tests.unit.frontends.flight.conftest import Client, FlightFrontEnd, Opener

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import ConfigError, GatewayError
from sqe.frontends.flight import messages, stall_watchdog
from sqe.frontends.flight.proto import FlightSql_pb2 as sql
from sqe.frontends.flight.sql_endpoint import FlightSqlEndpoint
from sqe.identity.providers.mtls import Mtls
from sqe.units import Duration, Size

ROWS = "SELECT fake('rows 3')"
WAIT = sql.CommandStatementQuery(query="SELECT fake('wait')")
ENDLESS = sql.CommandStatementQuery(query="SELECT fake('endless')")


# -- certificates -----------------------------------------------------------------------------------------------------


@dataclass
class Signed:
    certificate: bytes
    key: bytes
    name: x509.Name
    private: ec.EllipticCurvePrivateKey


def sign(common_name: str, issuer: Signed | None = None) -> Signed:
    """A certificate for this machine, signed by itself or by `issuer`."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer.name if issuer else name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    )
    if common_name == "localhost":
        builder = builder.add_extension(
            x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False
        )
    certificate = builder.sign(issuer.private if issuer else key, hashes.SHA256())
    return Signed(
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
        name,
        key,
    )


@dataclass
class Tls:
    """As `sqe.network.tls.TlsFiles`, without files."""

    server: Signed
    client_ca: bytes | None = None
    client_auth: str = "none"
    broken: bool = False

    @property
    def certificate(self) -> bytes:
        return self.server.certificate

    @property
    def key(self) -> bytes:
        return self.server.key

    def read(self) -> Tls:
        if self.broken:
            raise ConfigError("server.tls_certificate is broken.")
        return self


@pytest.fixture(scope="module")
def authority() -> Signed:
    return sign("authority")


@pytest.fixture(scope="module")
def localhost(authority: Signed) -> Signed:
    return sign("localhost", authority)


def connect(front_end: FlightFrontEnd, root: Signed, **options: Any) -> Client:
    location = f"grpc+tls://localhost:{front_end.endpoint.port}"
    client = Client(location, tls_root_certs=root.certificate, **options)
    front_end.closing.callback(client.close)
    return client


def test_calls_are_encrypted(open_front_end: Opener, authority: Signed, localhost: Signed) -> None:
    front_end = open_front_end(tls=Tls(localhost))
    assert connect(front_end, authority).login("ann").query(ROWS).num_rows == 3
    assert connect(front_end, authority).query(ROWS).num_rows == 3
    with pytest.raises(fl.FlightError):
        connect(front_end, sign("somebody else")).query(ROWS)


def test_a_client_certificate_says_who_it_is(
    open_front_end: Opener, authority: Signed, localhost: Signed
) -> None:
    clients = sign("clients")
    tls = Tls(localhost, clients.certificate, "required")
    front_end = open_front_end(tls=tls, anonymous=False, more=(Mtls(groups_from_ou=True),))
    carl = sign("carl", clients)
    client = connect(front_end, authority, cert_chain=carl.certificate, private_key=carl.key)
    assert client.query(ROWS).num_rows == 3
    assert front_end.engine.sessions[-1].user == "carl"
    # Headers say more than the certificate.
    client.headers = [(b"authorization", b"Basic YW5uOm5uYQ==")]
    client.query(ROWS)
    assert front_end.engine.sessions[-1].user == "ann"
    with pytest.raises(fl.FlightError):
        connect(front_end, authority).query(ROWS)
    stranger = sign("carl", sign("other clients"))
    with pytest.raises(fl.FlightError):
        connect(front_end, authority, cert_chain=stranger.certificate, private_key=stranger.key).query(ROWS)


def test_optional_client_certificates_are_not_asked_for(
    open_front_end: Opener, authority: Signed, localhost: Signed
) -> None:
    front_end = open_front_end(tls=Tls(localhost, authority.certificate, "optional"))
    assert connect(front_end, authority).login("ann").query(ROWS).num_rows == 3


def test_new_certificates_are_taken_and_sessions_stay(
    open_front_end: Opener, authority: Signed, localhost: Signed
) -> None:
    tls = Tls(localhost)
    front_end = open_front_end(tls=tls)
    ann = connect(front_end, authority).login("ann")
    info = ann.info(sql.CommandStatementQuery(query=ROWS))
    reader = ann.reader(ann.info(ENDLESS))
    reader.read_chunk()
    port, newer = front_end.endpoint.port, sign("newer")
    tls.server = sign("localhost", newer)
    front_end.endpoint.reload()
    assert front_end.endpoint.port == port
    reader.read_chunk()  # what was under way goes on
    with pytest.raises(fl.FlightError):
        connect(front_end, authority).query(ROWS)
    again = connect(front_end, newer)
    again.headers = ann.headers
    assert again.read(info).num_rows == 3
    reader.cancel()


def test_broken_certificates_change_nothing(
    open_front_end: Opener, authority: Signed, localhost: Signed
) -> None:
    tls = Tls(localhost)
    front_end = open_front_end(tls=tls)
    tls.broken = True
    with pytest.raises(ConfigError):
        front_end.endpoint.reload()
    assert connect(front_end, authority).query(ROWS).num_rows == 3


def test_an_address_that_is_taken_is_an_error(front_end: FlightFrontEnd) -> None:
    with pytest.raises(GatewayError, match="cannot listen"):
        FlightSqlEndpoint(
            f"grpc://127.0.0.1:{front_end.endpoint.port}",
            front_end.service,
            None,  # type: ignore[arg-type]
            front_end.tokens,
            front_end.engine,  # type: ignore[arg-type]
        )


# -- clients that stop ------------------------------------------------------------------------------------------------

SOON = LimitsConfig(unread_result=Duration("1s"), result_buffer=Size("1MB"))


def test_a_client_that_stops_reading_is_cut_off(open_front_end: Opener) -> None:
    front_end = open_front_end(limits=SOON)
    ann = front_end.client("ann")
    reader = ann.reader(ann.info(ENDLESS))
    reader.read_chunk()
    until(lambda: not front_end.endpoint._watchdog._calls)
    until(lambda: front_end.service.counts()["running"] == 0)
    with pytest.raises((fl.FlightError, pa.ArrowException)):
        list(reader)
    assert ann.query(ROWS).num_rows == 3


def test_others_on_the_same_connection_go_on_for_a_while(
    open_front_end: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    skipping = skipping_time(monkeypatch, stall_watchdog)
    front_end = open_front_end(
        limits=LimitsConfig(unread_result=Duration("10min"), result_buffer=Size("1MB"))
    )
    calls = front_end.endpoint._watchdog._calls
    ann = front_end.client("ann")
    stalled = ann.reader(ann.info(ENDLESS))
    stalled.read_chunk()
    moving = ann.info(WAIT)
    with ThreadPoolExecutor(1) as threads:
        rows = threads.submit(lambda: ann.read(moving).num_rows)
        until(lambda: len(calls) == 2 and sum(call.waits_since is None for call in calls) == 1)
        for _ in range(
            2
        ):  # the first time, the connection may still take what is sent to the client that stalls
            skipping.skip(1000)
            time.sleep(1.5)  # longer than the pause between two looks
        assert len(calls) == 2
        front_end.engine.released.set()
        assert rows.result(120) == 0
    skipping.skip(1000)
    until(lambda: not calls)
    assert ann.query(ROWS).num_rows == 3


def test_a_client_that_stops_sending_is_cut_off(open_front_end: Opener) -> None:
    front_end = open_front_end(limits=SOON)
    ann = front_end.client("ann")
    options = sql.CommandStatementIngest.TableDefinitionOptions
    command = sql.CommandStatementIngest(
        table="t",
        table_definition_options=options(
            if_not_exist=options.TABLE_NOT_EXIST_OPTION_CREATE, if_exists=options.TABLE_EXISTS_OPTION_FAIL
        ),
    )
    schema = pa.schema([("id", pa.int64())])
    writer, _ = ann.flight.do_put(
        fl.FlightDescriptor.for_command(messages.pack(command)), schema, ann.options
    )
    writer.write_batch(pa.record_batch([[1, 2]], schema=schema))
    calls = front_end.endpoint._watchdog._calls
    until(lambda: len(calls) == 1)
    until(lambda: not calls)
    assert [text for session in front_end.engine.sessions for text in session.started] == []
    with pytest.raises((fl.FlightError, pa.ArrowException)):
        writer.close()


def test_a_client_that_stops_reading_does_not_keep_the_front_end_from_closing(open_front_end: Opener) -> None:
    front_end = open_front_end()
    ann = front_end.client("ann")
    ann.reader(ann.info(ENDLESS)).read_chunk()
    began = time.monotonic()
    front_end.endpoint.close()
    assert time.monotonic() - began < 60
    with (
        pytest.raises(OSError, match=r"."),
        socket.create_connection(("127.0.0.1", front_end.endpoint.port), 2),
    ):
        pass
