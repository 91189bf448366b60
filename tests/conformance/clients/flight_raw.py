"""A client without a driver: pyarrow.flight with the messages of FlightSql.proto."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import pyarrow as pa
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from pyarrow import flight
from tests.conformance.clients import arrow_values
from tests.conformance.clients.base import Ability, Client, Connection, Parameter, Result, Running, Setup
from tests.conformance.clients.flight_errors import failed
from tests.conformance.clients.threads import Threaded

from sqe.frontends.flight.proto import Flight_pb2, FlightSql_pb2


@contextmanager
def translated_errors() -> Iterator[None]:
    try:
        yield
    except (flight.FlightError, pa.ArrowException) as error:
        details = getattr(error, "extra_info", None)
        raise failed(type(error).__name__, str(error), details) from error


def packed(message: Message) -> bytes:
    wrapped = AnyMessage()
    wrapped.Pack(message)
    content: bytes = wrapped.SerializeToString()
    return content


class FlightRawConnection(Connection):
    def __init__(self, client: Client, setup: Setup) -> None:
        with translated_errors():
            self._own = flight.FlightClient(
                client.front_ends.flight, tls_root_certs=client.front_ends.ca.read_bytes()
            )
            token = self._own.authenticate_basic_token(setup.user.name, setup.user.password)
            self._options = flight.FlightCallOptions(headers=[token], timeout=120)
            wanted = {
                **({"catalog": setup.catalog} if setup.catalog else {}),
                **({"schema": setup.schema} if setup.schema else {}),
                **({"time_zone": setup.time_zone} if setup.time_zone else {}),
                **setup.properties,
            }
            if wanted:
                self._set_options(wanted)

    def _set_options(self, wanted: dict[str, str]) -> None:
        request = Flight_pb2.SetSessionOptionsRequest()
        for name, text in wanted.items():
            request.session_options[name].string_value = text
        answer = Flight_pb2.SetSessionOptionsResult()
        answer.ParseFromString(self._act("SetSessionOptions", request.SerializeToString()))
        if answer.errors:
            raise failed("SetSessionOptionsResult", str(answer))

    def _act(self, action: str, body: bytes) -> bytes:
        answers = list(self._own.do_action(flight.Action(action, body), self._options))
        return answers[0].body.to_pybytes() if answers else b""

    def info(self, command: Message) -> flight.FlightInfo:
        descriptor = flight.FlightDescriptor.for_command(packed(command))
        return self._own.get_flight_info(descriptor, self._options)

    def reader(self, info: flight.FlightInfo) -> flight.FlightStreamReader:
        [endpoint] = info.endpoints
        return self._own.do_get(endpoint.ticket, self._options)

    def table(self, command: Message) -> pa.Table:
        """Everything of one command; what was promised before must be what comes."""
        with translated_errors():
            info = self.info(command)
            table = self.reader(info).read_all()
        if info.schema is not None and not info.schema.equals(table.schema):
            raise failed("SchemaMismatch", f"promised {info.schema}, got {table.schema}")
        return table

    def query(self, sql: str) -> Result:
        return arrow_values.result(self.table(FlightSql_pb2.CommandStatementQuery(query=sql)))

    def scan(self, sql: str) -> tuple[int, int]:
        count = total = 0
        with translated_errors():
            for chunk in self.reader(self.info(FlightSql_pb2.CommandStatementQuery(query=sql))):
                count += chunk.data.num_rows
                total += pa.compute.sum(chunk.data.column(0)).as_py() or 0
        return count, total

    def update(self, sql: str) -> int | None:
        return self._put(FlightSql_pb2.CommandStatementUpdate(query=sql), pa.table({}))

    def _put(self, command: Message, data: pa.Table) -> int | None:
        descriptor = flight.FlightDescriptor.for_command(packed(command))
        with translated_errors():
            writer, reader = self._own.do_put(descriptor, data.schema, self._options)
            with writer:
                if data.num_columns:
                    writer.write_table(data)
                writer.done_writing()
                answer = reader.read()
        if answer is None:
            return None
        changed = FlightSql_pb2.DoPutUpdateResult()
        changed.ParseFromString(answer.to_pybytes())
        return int(changed.record_count) if changed.record_count >= 0 else None

    @contextmanager
    def _prepare(self, sql: str) -> Iterator[Any]:
        request = FlightSql_pb2.ActionCreatePreparedStatementRequest(query=sql)
        with translated_errors():
            body = self._act("CreatePreparedStatement", packed(request))
        wrapped = AnyMessage.FromString(body)
        prepared = FlightSql_pb2.ActionCreatePreparedStatementResult()
        assert wrapped.Unpack(prepared), wrapped.type_url
        try:
            yield prepared
        finally:
            close = FlightSql_pb2.ActionClosePreparedStatementRequest(
                prepared_statement_handle=prepared.prepared_statement_handle
            )
            with translated_errors():
                self._act("ClosePreparedStatement", packed(close))

    def prepared(self, sql: str, parameters: Sequence[Parameter]) -> Result:
        with self._prepare(sql) as statement:
            command = FlightSql_pb2.CommandPreparedStatementQuery(
                prepared_statement_handle=statement.prepared_statement_handle
            )
            batch = arrow_values.parameter_batch(parameters)
            descriptor = flight.FlightDescriptor.for_command(packed(command))
            with translated_errors():
                writer, reader = self._own.do_put(descriptor, batch.schema, self._options)
                with writer:
                    writer.write_batch(batch)
                    writer.done_writing()
                    answer = reader.read()
            if answer is not None:  # the server may give the statement a new handle
                bound = FlightSql_pb2.DoPutPreparedStatementResult.FromString(answer.to_pybytes())
                if bound.prepared_statement_handle:
                    command.prepared_statement_handle = bound.prepared_statement_handle
            return arrow_values.result(self.table(command))

    def prepared_update(self, sql: str, rows: Sequence[Sequence[Parameter]]) -> int | None:
        changed = None
        with self._prepare(sql) as statement:
            for row in rows:
                command = FlightSql_pb2.CommandPreparedStatementUpdate(
                    prepared_statement_handle=statement.prepared_statement_handle
                )
                changed = self._put(command, pa.Table.from_batches([arrow_values.parameter_batch(row)]))
        return changed

    def describe(self, sql: str) -> tuple[tuple[str, ...], Result]:
        with self._prepare(sql) as statement:
            parameters = _schema(statement.parameter_schema)
            columns = _schema(statement.dataset_schema)
        types = tuple(arrow_values.type_name(field.type) for field in parameters)
        return types, arrow_values.result(columns.empty_table())

    def catalogs(self) -> list[str]:
        names: list[str] = self.table(FlightSql_pb2.CommandGetCatalogs())["catalog_name"].to_pylist()
        return names

    def schemas(self, catalog: str) -> list[str]:
        found = self.table(FlightSql_pb2.CommandGetDbSchemas(catalog=catalog))
        names: list[str] = found["db_schema_name"].to_pylist()
        return names

    def tables(self, catalog: str, schema: str) -> dict[str, str]:
        command = FlightSql_pb2.CommandGetTables(catalog=catalog, db_schema_filter_pattern=schema)
        return {row["table_name"]: row["table_type"] for row in self.table(command).to_pylist()}

    def columns(self, catalog: str, schema: str, table: str) -> list[tuple[str, str]]:
        command = FlightSql_pb2.CommandGetTables(
            catalog=catalog,
            db_schema_filter_pattern=schema,
            table_name_filter_pattern=table,
            include_schema=True,
        )
        [row] = self.table(command).to_pylist()
        return [(field.name, arrow_values.type_name(field.type)) for field in _schema(row["table_schema"])]

    def start(self, sql: str) -> Running:
        with translated_errors():
            info = self.info(FlightSql_pb2.CommandStatementQuery(query=sql))

        def run() -> None:
            with translated_errors():
                self.reader(info).read_all()

        def cancel() -> None:
            request = Flight_pb2.CancelFlightInfoRequest()
            request.info.ParseFromString(info.serialize())
            with translated_errors():
                self._act("CancelFlightInfo", request.SerializeToString())

        return Threaded(run, cancel)

    def transaction(self, statements: Sequence[str]) -> None:
        with translated_errors():
            body = self._act("BeginTransaction", packed(FlightSql_pb2.ActionBeginTransactionRequest()))
        begun = FlightSql_pb2.ActionBeginTransactionResult()
        assert AnyMessage.FromString(body).Unpack(begun)
        for sql in statements:
            command = FlightSql_pb2.CommandStatementUpdate(query=sql, transaction_id=begun.transaction_id)
            self._put(command, pa.table({}))
        end = FlightSql_pb2.ActionEndTransactionRequest(
            transaction_id=begun.transaction_id,
            action=FlightSql_pb2.ActionEndTransactionRequest.END_TRANSACTION_COMMIT,
        )
        with translated_errors():
            self._act("EndTransaction", packed(end))

    def ingest(self, table: str, data: Any, mode: str) -> int:
        options = FlightSql_pb2.CommandStatementIngest.TableDefinitionOptions
        missing, present = {
            "create": (options.TABLE_NOT_EXIST_OPTION_CREATE, options.TABLE_EXISTS_OPTION_FAIL),
            "append": (options.TABLE_NOT_EXIST_OPTION_FAIL, options.TABLE_EXISTS_OPTION_APPEND),
            "replace": (options.TABLE_NOT_EXIST_OPTION_CREATE, options.TABLE_EXISTS_OPTION_REPLACE),
            "create_append": (options.TABLE_NOT_EXIST_OPTION_CREATE, options.TABLE_EXISTS_OPTION_APPEND),
        }[mode]
        command = FlightSql_pb2.CommandStatementIngest(
            table=table,
            table_definition_options=options(if_not_exist=missing, if_exists=present),
        )
        return self._put(command, data) or 0

    def close(self) -> None:
        with translated_errors():
            self._act("CloseSession", Flight_pb2.CloseSessionRequest().SerializeToString())
        self._own.close()


def _schema(serialized: bytes) -> pa.Schema:
    return pa.ipc.read_schema(pa.py_buffer(serialized)) if serialized else pa.schema([])


class FlightRaw(Client):
    name = "flight_raw"
    title = "pyarrow.flight with the commands of Flight SQL"
    front_end = "Flight SQL"
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("FlightInternalError",)}
    lacks: ClassVar[Mapping[Ability, str]] = {
        "valid": "the protocol has no such call",
    }
    connect_example = """\
from google.protobuf.any_pb2 import Any
from pyarrow import flight

client = flight.FlightClient("grpc+tls://sqe.example.com:50051")
options = flight.FlightCallOptions(headers=[client.authenticate_basic_token("alice", password)])
command = Any()
command.Pack(FlightSql_pb2.CommandStatementQuery(query="SELECT 1"))  # generated from Arrow's FlightSql.proto
info = client.get_flight_info(flight.FlightDescriptor.for_command(command.SerializeToString()), options)
table = client.do_get(info.endpoints[0].ticket, options).read_all()
"""

    def connect(self, setup: Setup) -> Connection:
        return FlightRawConnection(self, setup)
