"""One Spark Connect session, spoken to through PySpark's own client.

PySpark's `SparkConnectClient` does the protocol (reattaching, chunked batches, progress). Three of its habits do not
suit a gateway, so this subclass changes them:

- errors become ours at once, from the details that the server keeps, instead of PySpark's exception classes;
- a server that is gone is told after a moment, not after ten minutes of retries;
- nothing is registered with `atexit`, which would keep every session that ever was until the process ends.
"""

from __future__ import annotations

import atexit
import logging
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NoReturn, cast

import grpc
import pyarrow as pa
import pyspark.sql.connect.proto as pb2
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from pyspark.sql.connect.client.core import DefaultChannelBuilder, SparkConnectClient
from pyspark.sql.connect.shell.progress import Progress as PySparkProgress
from pyspark.sql.connect.shell.progress import ProgressHandler, StageInfo

from sqe.engine.endpoint import Endpoint
from sqe.engine.spark_errors import translate
from sqe.errors import EngineError, EngineLostError, SqeError
from sqe.model.files import FileSource
from sqe.model.query import Progress

_LOST = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNAUTHENTICATED)
_RETRIES = {"max_retries": 4, "initial_backoff": 50, "max_backoff": 400, "backoff_multiplier": 2}

# It logs every failed statement with its text at ERROR; our own log says what is worth saying.
logging.getLogger("pyspark.sql.connect").setLevel(logging.CRITICAL)
logging.getLogger("pyspark.sql.connect.client.logging").setLevel(logging.CRITICAL)


class ConnectSession(SparkConnectClient):
    """A session of one user on one Spark Connect server."""

    def __init__(self, endpoint: Endpoint, user: str) -> None:
        self._endpoint = endpoint
        # gRPC would take even the way to this machine's own engine through the environment's proxy.
        options = [] if endpoint.remote else [("grpc.enable_http_proxy", 0)]
        builder = DefaultChannelBuilder(endpoint.url, options)
        if endpoint.token is not None:
            builder.set("token", endpoint.token)
        super().__init__(connection=builder, user_id=user, retry_policy=_RETRIES)
        atexit.unregister(self._cleanup_ml_cache)

    def close(self) -> None:
        """Close the channel; the base class would also end a thread pool that all sessions share."""
        self._channel.close()
        self._closed = True

    def set_conf(self, pairs: Mapping[str, str]) -> None:
        """Set session settings in one call."""
        operation = pb2.ConfigRequest.Operation(
            set=pb2.ConfigRequest.Set(
                pairs=[pb2.KeyValue(key=key, value=value) for key, value in pairs.items()]
            )
        )
        self.config(operation)

    def register_file_view(self, name: str, source: FileSource) -> None:
        """Make a temporary view over files, as `spark.read.format(...).load(...)` would."""
        files = pb2.Read.DataSource(format=source.format, paths=source.paths, options=source.options)
        if source.schema is not None:
            files.schema = source.schema
        relation = pb2.Relation(common=_plan_id(), read=pb2.Read(data_source=files))
        command = pb2.Command(
            create_dataframe_view=pb2.CreateDataFrameViewCommand(
                input=relation, name=name, is_global=False, replace=True
            )
        )
        self.execute_command(command)

    def tag_thread(self, tag: str) -> None:
        """Mark what this thread asks from now on, so that `interrupt_tag` can stop it from another thread."""
        self.clear_tags()
        self.add_tag(tag)

    def stream(
        self, sql: str, on_progress: Callable[[Progress], None]
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        """Run one statement; the first item is its schema, the others its batches."""
        self.thread_local.sql = sql
        request = self._execute_plan_request_with_metadata(str(uuid.uuid4()))
        request.plan.CopyFrom(pb2.Plan(root=pb2.Relation(common=_plan_id(), sql=pb2.SQL(query=sql))))
        announced = False
        with PySparkProgress(
            handlers=[_Publisher(on_progress)], operation_id=request.operation_id
        ) as progress:
            for item in self._execute_and_fetch_as_iterator(request, {}, progress):
                if isinstance(item, pa.RecordBatch):
                    if not announced:
                        announced = True
                        yield item.schema
                    yield item

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
        return translate(None, None, call.details() or str(call.code()), (), (), self._statement())

    def _lost(self, call: grpc.Call) -> SqeError:
        if not self._endpoint.remote:
            return EngineLostError(
                "The engine ended while the statement ran.",
                hint="It is being started again; run the statement once more.",
                detail=call.details(),
            )
        server = f"The Spark Connect server {self._endpoint.url}"
        if call.code() is grpc.StatusCode.UNAUTHENTICATED:
            return EngineError(
                f"{server} does not accept the token.", hint="Check engine.token.", detail=call.details()
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
        enriched = self._fetch_enriched_error(info)
        if enriched is not None and enriched.HasField("root_error_idx"):
            message = enriched.errors[enriched.root_error_idx].message or message
            for error in enriched.errors:
                classes.extend(error.error_type_hierarchy)
                throwable = error.spark_throwable
                condition = condition or throwable.error_class or None
                sqlstate = sqlstate or throwable.sql_state or None
                contexts.extend(
                    (context.start_index, context.stop_index)
                    for context in throwable.query_contexts
                    if context.context_type == pb2.FetchErrorDetailsResponse.QueryContext.SQL
                    and context.object_type == ""  # a place inside a view is no place in this statement
                )
        return translate(condition, sqlstate, message, classes, contexts, self._statement())


class _Publisher(ProgressHandler):
    """Turns PySpark's progress calls into ours."""

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
                    stages_done=sum(stage.done for stage in known),
                    tasks=sum(stage.num_tasks for stage in known),
                    tasks_done=sum(stage.num_completed_tasks for stage in known),
                    tasks_running=inflight_tasks,
                    bytes_read=sum(stage.num_bytes_read for stage in known),
                )
            )


def _plan_id() -> pb2.RelationCommon:
    return pb2.RelationCommon(plan_id=0)
