"""A Flight SQL front end on a free port, over a fake engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.flight as fl
import pytest
from google.protobuf.message import Message
from tests.fakes.engine import FakeEngine

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import AuthenticationError, SqeError
from sqe.frontends.flight import messages, wire
from sqe.frontends.flight.proto import FlightSql_pb2 as sql
from sqe.frontends.flight.sql_endpoint import FlightSqlEndpoint
from sqe.identity.chain import Authenticator
from sqe.identity.credentials import PresentedCredentials
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.providers.anonymous import Anonymous
from sqe.identity.providers.provider import Provider
from sqe.model.identity import Principal
from sqe.model.session import Dialect, SessionSpec, WarehouseCatalog
from sqe.service.service import QueryService

BASE = SessionSpec((WarehouseCatalog("iceberg", None), WarehouseCatalog("lake", None)), dialect=Dialect.TRINO)


class Users:
    """People whose password is their name backwards."""

    name = "users_file"
    challenge: str | None = 'Basic realm="SQE"'

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        password = presented.password
        if password is None:
            return None
        if password.user not in ("ann", "bob") or password.secret != password.user[::-1]:
            raise AuthenticationError("The credentials are not accepted.", detail="only for the log")
        return Principal(password.user, self.name)


class Client:
    """A Flight client that speaks Flight SQL by hand."""

    def __init__(self, location: str, authorization: str | None = None, **options: Any) -> None:
        self.flight = fl.FlightClient(location, **options)
        self.headers = [(b"authorization", authorization.encode())] if authorization else []

    @property
    def options(self) -> fl.FlightCallOptions:
        return fl.FlightCallOptions(headers=self.headers, timeout=120)

    def login(self, user: str) -> Client:
        self.headers = [self.flight.authenticate_basic_token(user, user[::-1])]
        return self

    def info(self, command: Message | bytes) -> fl.FlightInfo:
        data = command if isinstance(command, bytes) else messages.pack(command)
        return self.flight.get_flight_info(fl.FlightDescriptor.for_command(data), self.options)

    def read(self, info: fl.FlightInfo) -> pa.Table:
        return self.reader(info).read_all()

    def reader(self, info: fl.FlightInfo) -> fl.FlightStreamReader:
        return self.flight.do_get(info.endpoints[0].ticket, self.options)

    def get(self, command: Message) -> pa.Table:
        return self.read(self.info(command))

    def query(self, text: str) -> pa.Table:
        return self.get(sql.CommandStatementQuery(query=text))

    def act(self, action: str, message: Message | bytes, *, packed: bool = True) -> list[bytes]:
        if isinstance(message, bytes):
            body = message
        else:
            body = messages.pack(message) if packed else message.SerializeToString()
        results = self.flight.do_action(fl.Action(action, body), self.options)
        return [result.body.to_pybytes() for result in results]

    def prepare(self, text: str) -> sql.ActionCreatePreparedStatementResult:
        [answer] = self.act("CreatePreparedStatement", sql.ActionCreatePreparedStatementRequest(query=text))
        return messages.unpack_as(sql.ActionCreatePreparedStatementResult, answer, "answer")

    def put(self, command: Message | bytes, table: pa.Table | None = None) -> bytes:
        data = command if isinstance(command, bytes) else messages.pack(command)
        table = pa.table({}) if table is None else table
        writer, reader = self.flight.do_put(fl.FlightDescriptor.for_command(data), table.schema, self.options)
        with writer:
            if table.num_columns:
                writer.write_table(table)
            writer.done_writing()
            answer = reader.read()
            return answer.to_pybytes() if answer is not None else b""

    def update(self, text: str) -> int:
        answer = self.put(sql.CommandStatementUpdate(query=text))
        return messages.parse(sql.DoPutUpdateResult, answer, "answer").record_count

    def exchange(self) -> pa.Table:
        descriptor = fl.FlightDescriptor.for_command(b"")
        return self.flight.do_exchange(descriptor, self.options)[1].read_all()

    def close(self) -> None:
        self.flight.close()


@dataclass
class FlightFrontEnd:
    endpoint: FlightSqlEndpoint
    engine: FakeEngine
    service: QueryService
    tokens: SessionTokens
    closing: ExitStack = field(repr=False)

    @property
    def location(self) -> str:
        return f"grpc://127.0.0.1:{self.endpoint.port}"

    def client(self, user: str | None = None, authorization: str | None = None) -> Client:
        client = Client(self.location, authorization)
        self.closing.callback(client.close)
        return client.login(user) if user else client


Opener = Callable[..., FlightFrontEnd]


@pytest.fixture
def open_front_end(tmp_path: Path) -> Iterator[Opener]:
    with ExitStack() as closing:

        def open_one(
            *,
            anonymous: bool = True,
            limits: LimitsConfig | None = None,
            tls: Any = None,
            more: tuple[Provider, ...] = (),
        ) -> FlightFrontEnd:
            limits = limits or LimitsConfig()
            engine = FakeEngine()
            service = QueryService(engine, limits)
            tokens = SessionTokens(3600.0, 3600.0)
            providers: list[Provider] = [tokens, Users(), *more]
            if anonymous:
                providers.append(Anonymous(any_name=False))
            endpoint = FlightSqlEndpoint(
                "grpc+tls://127.0.0.1:0" if tls else "grpc://127.0.0.1:0",
                service,
                Authenticator(providers),
                tokens,
                BASE,
                tls=tls,
                limits=limits,
                directory=tmp_path,
            )
            closing.callback(endpoint.close)
            closing.callback(service.drain, 0)
            return FlightFrontEnd(endpoint, engine, service, tokens, closing)

        yield open_one


@pytest.fixture
def front_end(open_front_end: Opener) -> FlightFrontEnd:
    return open_front_end()


@pytest.fixture
def ann(front_end: FlightFrontEnd) -> Client:
    return front_end.client("ann")


@pytest.fixture
def bob(front_end: FlightFrontEnd) -> Client:
    return front_end.client("bob")


def our_error(error: BaseException) -> SqeError:
    """What travels beside a Flight error."""
    found = wire.decode_error(error.extra_info)  # type: ignore[attr-defined]
    assert found is not None
    return found
