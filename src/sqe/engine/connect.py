"""Run statements in one Spark Connect session, with PySpark's own client.

PySpark's `SparkConnectClient` implements the protocol (reattaching, chunked batches, progress). This subclass changes
four things for a gateway:

- it translates errors from the server's details, instead of raising PySpark's exceptions;
- it reports a lost server after a moment, not after ten minutes of retries;
- it does not acknowledge each message of an engine that SQE started, which keeps few of them (`settings.PINNED`);
- it registers nothing with `atexit`, which would keep every session in memory until the process ends.
"""

from __future__ import annotations

import atexit
import base64
import itertools
import json
import logging
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, cast

import grpc
import pyarrow as pa
import pyspark.sql.connect.proto as pb2
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from pyspark.errors import PySparkAssertionError
from pyspark.sql.connect.client.core import DefaultChannelBuilder, SparkConnectClient
from pyspark.sql.connect.shell.progress import Progress as PySparkProgress
from pyspark.sql.connect.shell.progress import ProgressHandler, StageInfo
from pyspark.sql.types import StructType

from sqe.engine import plans, requests
from sqe.engine.arrow_types import schema_from_spark, trino_types, with_trino_types
from sqe.engine.endpoint import Endpoint
from sqe.engine.external_errors import Cause, cause_chain
from sqe.engine.interface import NO_VIEWS
from sqe.engine.literals import literal, null
from sqe.engine.rendered_plan import RenderedPlan
from sqe.engine.spark_errors import translate, unreadable_result, without_details
from sqe.errors import EngineError, EngineLostError, QueryCanceledError, SqeError, UnsupportedError
from sqe.model.arrow_batches import checked, with_typed_keys
from sqe.model.files import FileSource
from sqe.model.query import Progress

_TIME_ZONE = "spark.sql.session.timeZone"
# Of SQE's Java part, around the error of a statement that it only analysed.
_WRAPPER = "sqe.spark.parameters.StatementFailure"
_LOST = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNAUTHENTICATED)
# Conditions of a server that has restarted at the same address.
_SESSION_GONE = (
    "INVALID_HANDLE.SESSION_CHANGED",
    "INVALID_HANDLE.SESSION_CLOSED",
    "INVALID_HANDLE.SESSION_NOT_FOUND",
)
_RETRIES = {"max_retries": 4, "initial_backoff": 50, "max_backoff": 400, "backoff_multiplier": 2}

# PySpark logs every failed statement with its text at ERROR, which may hold users' data.
logging.getLogger("pyspark.sql.connect").setLevel(logging.CRITICAL)
logging.getLogger("pyspark.sql.connect.client.logging").setLevel(logging.CRITICAL)


class ConnectSession(SparkConnectClient):
    """A session of one user on one Spark Connect server."""

    def __init__(self, endpoint: Endpoint, user: str) -> None:
        self._endpoint = endpoint
        self.own_zones = False  # as in SessionSpec
        self._analyses: dict[Any, frozenset[str]] = {}  # calls under way, and the tags of their threads
        self._analyses_lock = threading.Lock()
        # gRPC would use the environment's proxy even for an engine on this machine.
        options = [] if endpoint.remote else [("grpc.enable_http_proxy", 0)]
        builder = DefaultChannelBuilder(endpoint.url, options)
        if endpoint.token is not None:
            builder.set("token", endpoint.token)
        super().__init__(connection=builder, user_id=user, retry_policy=_RETRIES)
        if not endpoint.remote:
            self._stub.ReleaseExecute = _only_at_the_end(self._stub.ReleaseExecute)
        atexit.unregister(self._cleanup_ml_cache)

    def close(self) -> None:
        """Close the channel; the base class would also shut down a thread pool that all sessions share."""
        self._channel.close()
        self._closed = True

    @property
    def server_id(self) -> str:
        """The session's UUID, which Spark chooses and sends with its first response."""
        if not self._server_session_id:
            raise EngineError("The engine sent no id for the session.")
        return self._server_session_id

    def set_conf(self, pairs: Mapping[str, str]) -> None:
        """Set session settings in one call."""
        operation = pb2.ConfigRequest.Operation(
            set=pb2.ConfigRequest.Set(
                pairs=[pb2.KeyValue(key=key, value=value) for key, value in pairs.items()]
            )
        )
        self.config(operation)

    def conf(self, key: str) -> str:
        """Return the current value of a session setting."""
        got = self.config(pb2.ConfigRequest.Operation(get=pb2.ConfigRequest.Get(keys=[key])))
        return str(got.pairs[0][1])

    def register_file_view(self, name: str, source: FileSource) -> None:
        """Create a temporary view over files."""
        self.execute_command(plans.create_view(name, plans.files(source)))

    def register_uploaded_files(self, name: str, files: Sequence[str]) -> None:
        """Create a temporary view over Parquet files of the gateway's own, which no statement may read."""
        if self._endpoint.remote:
            self.register_file_view(name, FileSource("parquet", tuple(files), {}, None))
        else:
            rows = self._request(requests.UPLOADED_ROWS, json.dumps(list(files)))
            self.execute_command(plans.create_view(name, rows))

    def register_rows(self, name: str, rows: pa.Table) -> None:
        """Create or replace a temporary view over rows."""
        self.execute_command(plans.create_view(name, plans.rows(rows)))

    def drop_view(self, name: str) -> None:
        """Drop a temporary view, if it exists."""
        for _ in self._run(plans.drop_view(name), lambda progress: None):
            pass

    def describe(
        self,
        sql: str,
        parameters: Sequence[pa.DataType | pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
    ) -> pa.Schema:
        """Analyse a statement and return its columns; its `?` are the given values, or nulls of the given types."""
        self.thread_local.sql = sql
        values = [literal(each) if isinstance(each, pa.Scalar) else null(each) for each in parameters]
        return self._schema(plans.with_views(plans.statement(sql, values), views))

    def table_schema(self, name: Sequence[str]) -> pa.Schema:
        """Return the columns of a table or view."""
        self.thread_local.sql = ""
        return self._schema(plans.named_table(name))

    def namespaces(self, catalog: str) -> list[tuple[str, ...]]:
        """Return the namespaces of a catalog, at any depth."""
        answer = self._request_rows(requests.NAMESPACES, [catalog])
        return [tuple(parts) for parts in answer.column(0).to_pylist()]

    def tables(self, catalog: str, namespace: tuple[str, ...]) -> dict[str, bool]:
        """Return the tables and views of a namespace, and for each whether it is a view."""
        answer = self._request_rows(requests.TABLES, [catalog, *namespace])
        return dict(zip(answer.column(0).to_pylist(), answer.column(1).to_pylist(), strict=True))

    def parameter_types(self, sql: str, count: int) -> tuple[pa.DataType, ...]:
        """Return the type that each `?` of a statement must have; text where Spark has none."""
        types: list[pa.DataType] = []
        if count and not self._endpoint.remote:  # a stock server does not have SQE's Java part
            self.thread_local.sql = sql
            asked = self._request(requests.PARAMETER_TYPES, sql)
            types = [field.type for field in self._schema(asked)]
        return tuple([*types, *[pa.string()] * count][:count])

    def changed_rows(self, tag: str) -> int | None:
        """Return the number of rows that the statement `tag` changed; None if unknown."""
        if self._endpoint.remote:
            return None
        return cast("int | None", self._answer(requests.CHANGED_ROWS, tag))

    def want_plan(self, tag: str) -> None:
        """Keep the executed plans of the statement that will run under `tag`. Raises SqeError."""
        if self._endpoint.remote:
            raise UnsupportedError("EXPLAIN ANALYZE is not supported on an engine that SQE does not start.")
        self.execute_command(requests.command(requests.WANT_PLAN, tag, *self._proof()))

    def executed_plan(self, tag: str) -> str:
        """Return the executed plans of the statement that has run under `tag`, as JSON. Raises SqeError."""
        return str(self._answer(requests.EXECUTED_PLAN, tag))

    def statement_plan(self, kind: str, sql: str) -> str:
        """Return the plan of a statement that is not run, as JSON. Raises SqeError."""
        self.thread_local.sql = sql
        return str(self._answer(requests.STATEMENT_PLAN, json.dumps({"kind": kind, "sql": sql})))

    def table_facts(self, name: Sequence[str]) -> str:
        """Return the guard's JSON description of a table or view. Raises SqeError."""
        self.thread_local.sql = ""
        return str(self._answer(requests.TABLE, json.dumps(list(name))))

    def set_tags(self, change: str) -> None:
        """Change the tags of a table's columns as the JSON object `change` says. Raises SqeError."""
        self.thread_local.sql = ""
        uuid_of_session, secret = self._proof()
        self.execute_command(requests.command(requests.SET_TAGS, change, uuid_of_session, secret))

    def _answer(self, name: str, argument: str) -> object:
        """Return the single value of a request's response."""
        for item in self._run(self._request(name, argument), lambda progress: None):
            if isinstance(item, pa.RecordBatch) and item.num_rows:
                return item.column(0)[0].as_py()
        return None

    def _request_rows(self, name: str, argument: Sequence[str]) -> pa.Table:
        """Return the rows of the response to a request about something by its name."""
        self.thread_local.sql = ""
        schema, *batches = self._run(self._request(name, json.dumps(argument)), lambda progress: None)
        return pa.Table.from_batches(batches, schema)

    def _request(self, name: str, argument: str) -> pb2.Relation:
        return requests.relation(name, argument, *self._proof())

    def _proof(self) -> tuple[str, str]:
        """Return the session's UUID and the secret that signs requests. Raises EngineError."""
        secret = self._endpoint.request_secret
        if secret is None:
            raise EngineError(
                "The engine accepts no requests from the gateway.", hint="Set engine.control_secret."
            )
        if not self._server_session_id:
            self.conf(_TIME_ZONE)  # the first response has the UUID
        return self.server_id, secret

    def tag_thread(self, tag: str) -> None:
        """Tag this thread's next calls, so that another thread can stop them with `interrupt_tag`."""
        self.clear_tags()
        self.add_tag(tag)

    def read_unguarded(self) -> str | None:
        """Read a relation that the guard has not marked, and return the condition of the resulting error.

        Return None if there is no error, or no condition.
        """
        self.thread_local.condition = None
        self.thread_local.sql = ""
        try:
            self._answer(requests.UNGUARDED, "")
        except EngineLostError:
            raise
        except SqeError:
            return getattr(self.thread_local, "condition", None)
        return None

    def stream(
        self,
        sql: str,
        on_progress: Callable[[Progress], None],
        parameters: Sequence[pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        """Run one statement; yield its schema, then its batches."""
        self.thread_local.sql = sql
        statement = plans.statement(sql, map(literal, parameters))
        return self._run(plans.with_views(statement, views), on_progress)

    def rendered(
        self,
        sql: str,
        on_progress: Callable[[Progress], None],
        parameters: Sequence[pa.Scalar],
        views: Mapping[str, pa.Table],
        most_bytes: int,
    ) -> tuple[RenderedPlan | None, Iterator[pa.Schema | pa.RecordBatch]]:
        """Return a query's plan for the local executor, or what `stream` returns where Spark has to run it.

        The engine plans the query once, as the session's user, and answers with one or the other.
        """
        column = f"sqe_{uuid.uuid4().hex}"  # no query can have a column of this name
        request = self._local_plan_request(sql, parameters, views, {"column": column, "most": most_bytes})
        items = self._run(request, on_progress)
        first = next(items, None)
        if not isinstance(first, pa.Schema) or first.names != [column]:
            return None, itertools.chain([] if first is None else [first], items)
        answer = next(item for item in items if isinstance(item, pa.RecordBatch) and item.num_rows)
        for _ in items:
            pass
        return RenderedPlan.from_answer(answer.column(0)[0].as_py(), own_zones=self.own_zones), items

    def executor_of(
        self, sql: str, parameters: Sequence[pa.Scalar], views: Mapping[str, pa.Table], most_bytes: int
    ) -> str:
        """Return what would run a query, and why it is Spark. Raises SqeError."""
        request = self._local_plan_request(sql, parameters, views, {"most": most_bytes})
        for item in self._run(request, lambda progress: None):
            if isinstance(item, pa.RecordBatch) and item.num_rows:
                return str(item.column(0)[0].as_py())
        return "Spark"

    def _local_plan_request(
        self,
        sql: str,
        parameters: Sequence[pa.Scalar],
        views: Mapping[str, pa.Table],
        options: Mapping[str, str | int],
    ) -> pb2.Relation:
        self.thread_local.sql = sql
        statement = plans.with_views(plans.statement(sql, map(literal, parameters)), views)
        relation = base64.b64encode(statement.SerializeToString()).decode()
        return self._request(requests.LOCAL_PLAN, json.dumps({"relation": relation, **options}))

    def _run(
        self, relation: pb2.Relation, on_progress: Callable[[Progress], None]
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        request = self._execute_plan_request_with_metadata(str(uuid.uuid4()))
        request.plan.CopyFrom(pb2.Plan(root=relation))
        announced = False
        types: Mapping[int, str] = {}
        with PySparkProgress(
            handlers=[_Publisher(on_progress)], operation_id=request.operation_id
        ) as progress:
            for item in self._received(request, progress):
                if isinstance(item, StructType):
                    types = trino_types(item)
                elif isinstance(item, pa.RecordBatch):
                    batch = with_trino_types(_checked(item), types, own_zones=self.own_zones)
                    if not announced:
                        announced = True
                        yield batch.schema
                    yield batch

    def _received(self, request: pb2.ExecutePlanRequest, progress: PySparkProgress) -> Iterator[object]:
        try:
            yield from self._execute_and_fetch_as_iterator(request, {}, progress)
        except (pa.ArrowException, RecursionError) as error:
            raise unreadable_result(str(error)) from error

    def _schema(self, relation: pb2.Relation) -> pa.Schema:
        request = self._analyze_plan_request_with_metadata()
        request.schema.plan.CopyFrom(pb2.Plan(root=relation))
        response = pb2.AnalyzePlanResponse()
        try:
            for attempt in self._retrying():
                with attempt:
                    response = self._analysed(request)
        except grpc.RpcError as error:
            self._handle_error(error)
        self._verify_response_integrity(response)
        return schema_from_spark(
            response.schema.schema, lambda: self.conf(_TIME_ZONE), own_zones=self.own_zones
        )

    def _analysed(self, request: pb2.AnalyzePlanRequest) -> pb2.AnalyzePlanResponse:
        """Send a request that `interrupt_tag` can end, of which Spark has no notion for what it only analyses."""
        tags = self.get_tags()
        call = self._stub.AnalyzePlan.future(request, metadata=self._builder.metadata())
        with self._analyses_lock:
            self._analyses[call] = frozenset(tags)
        try:
            return cast("pb2.AnalyzePlanResponse", call.result())
        except grpc.FutureCancelledError:
            raise QueryCanceledError("The statement was canceled.") from None
        finally:
            with self._analyses_lock:
                del self._analyses[call]

    def interrupt_tag(self, tag: str) -> list[str] | None:
        """Stop what runs under `tag`, and what is analysed under it."""
        with self._analyses_lock:
            calls = [call for call, tags in self._analyses.items() if tag in tags]
        for call in calls:
            call.cancel()
        return super().interrupt_tag(tag)

    def _handle_rpc_error(self, rpc_error: grpc.RpcError) -> NoReturn:
        raise self._translated(rpc_error) from None

    def _translated(self, rpc_error: grpc.RpcError) -> SqeError:
        call = cast(grpc.Call, rpc_error)
        status = rpc_status.from_call(call)
        for detail in status.details if status else ():
            if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
                info = error_details_pb2.ErrorInfo()
                detail.Unpack(info)
                return self._from_details(info, status.message)
        if call.code() in _LOST:
            return self._lost(call)
        if untold := without_details(call.code().name, call.details() or ""):
            return untold
        return translate(None, None, call.details() or str(call.code()), (), (), self._statement())

    def _verify_response_integrity(self, response: Any) -> None:
        try:
            super()._verify_response_integrity(response)
        except PySparkAssertionError as error:
            raise self._session_gone(str(error)) from None

    @staticmethod
    def _session_gone(detail: str) -> EngineLostError:
        return EngineLostError(
            "The engine restarted while the session was open.",
            hint="Its temporary views are lost; run the statement again.",
            detail=detail,
        )

    def _lost(self, call: grpc.Call) -> SqeError:
        if not self._endpoint.remote:
            return EngineLostError(
                "The engine ended while the statement ran.",
                hint="The gateway restarts it; run the statement again.",
                detail=call.details(),
            )
        server = f"The Spark Connect server {self._endpoint.url}"
        if call.code() is grpc.StatusCode.UNAUTHENTICATED:
            return EngineError(
                f"{server} rejected the token.", hint="Check engine.token.", detail=call.details()
            )
        return EngineLostError(
            f"{server} cannot be reached.",
            hint="Check engine.url, and that the server runs.",
            detail=call.details(),
        )

    def _statement(self) -> str:
        return getattr(self.thread_local, "sql", "")

    def _from_details(self, info: error_details_pb2.ErrorInfo, message: str) -> SqeError:
        condition, sqlstate = info.metadata.get("errorClass"), info.metadata.get("sqlState")
        classes: list[str] = [info.reason] if info.reason else []
        contexts: list[tuple[int, int]] = []
        causes: list[Cause] = []
        enriched = self._fetch_enriched_error(info)
        if enriched is not None and enriched.HasField("root_error_idx"):
            root = enriched.errors[enriched.root_error_idx]
            if _WRAPPER in root.error_type_hierarchy and root.HasField("cause_idx"):
                root = enriched.errors[root.cause_idx]
            message = root.message or message
            causes = cause_chain(
                [
                    (
                        error.error_type_hierarchy,
                        error.message,
                        error.cause_idx if error.HasField("cause_idx") else None,
                    )
                    for error in enriched.errors
                ],
                enriched.root_error_idx,
            )
            for error in enriched.errors:
                classes.extend(error.error_type_hierarchy)
                throwable = error.spark_throwable
                condition = condition or throwable.error_class or None
                sqlstate = sqlstate or throwable.sql_state or None
                contexts.extend(
                    (context.start_index, context.stop_index)
                    for context in throwable.query_contexts
                    if context.context_type == pb2.FetchErrorDetailsResponse.QueryContext.SQL
                    and context.object_type == ""  # one inside a view is not in this statement
                )
        self.thread_local.condition = condition
        if condition in _SESSION_GONE:
            return self._session_gone(message)
        return translate(condition, sqlstate, message, classes, contexts, self._statement(), causes)


def _only_at_the_end(release: Callable[..., pb2.ReleaseExecuteResponse]) -> Callable[..., object]:
    """Return a call that releases a whole statement, and sends nothing for a part of its messages.

    PySpark makes one call for each message, six for the smallest query. They take longer than the query itself.
    """

    def call(request: pb2.ReleaseExecuteRequest, **options: Any) -> pb2.ReleaseExecuteResponse:
        if request.HasField("release_until"):
            return pb2.ReleaseExecuteResponse(session_id=request.session_id)
        return release(request, **options)

    return call


def _checked(batch: pa.RecordBatch) -> pa.RecordBatch:
    try:
        return with_typed_keys(checked(batch))
    except pa.ArrowException as error:
        raise EngineError(
            "The engine sent a result that is not valid Arrow data.",
            hint="Run the statement again; if it fails again, leave columns out to find the one that is wrong.",
            detail=str(error),
        ) from error


class _Publisher(ProgressHandler):
    """Publishes PySpark's progress as SQE's."""

    def __init__(self, publish: Callable[[Progress], None]) -> None:
        self._publish = publish

    def __call__(
        self, stages: Iterable[StageInfo] | None, inflight_tasks: int, operation_id: str | None, done: bool
    ) -> None:
        known = list(stages or ())
        if known:
            self._publish(
                Progress(
                    stages=len(known),
                    tasks=sum(stage.num_tasks for stage in known),
                    tasks_done=sum(stage.num_completed_tasks for stage in known),
                    tasks_running=inflight_tasks,
                    bytes_read=sum(stage.num_bytes_read for stage in known),
                )
            )
