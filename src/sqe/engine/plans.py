"""Plans in Spark Connect's own form: what a session asks the engine for.

They have no plan id: Spark would keep each plan and use it again for an equal one, and a table that a statement did not
find would stay unknown to the same statement for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa
import pyspark.sql.connect.proto as pb2

from sqe.engine.arrow_types import spark_arrow_type
from sqe.errors import DataError, UnsupportedError
from sqe.model.files import FileSource


def statement(sql: str, arguments: Iterable[pb2.Expression] = ()) -> pb2.Relation:
    """A statement; `arguments` take the places of its `?`."""
    return pb2.Relation(sql=pb2.SQL(query=sql, pos_arguments=arguments))


def named_table(name: Sequence[str]) -> pb2.Relation:
    """A table or view, by the parts of its name."""
    identifier = ".".join("`" + part.replace("`", "``") + "`" for part in name)
    return pb2.Relation(read=pb2.Read(named_table=pb2.Read.NamedTable(unparsed_identifier=identifier)))


def files(source: FileSource) -> pb2.Relation:
    """Files, as `spark.read.format(...).load(...)` reads them."""
    read = pb2.Read.DataSource(format=source.format, paths=source.paths, options=source.options)
    if source.schema is not None:
        read.schema = source.schema
    return pb2.Relation(read=pb2.Read(data_source=read))


def rows(table: pa.Table) -> pb2.Relation:
    """Rows that travel with the plan. Raises UnsupportedError, DataError."""
    own = pa.schema([field.with_type(spark_arrow_type(field.type)) for field in table.schema])
    try:
        table = table.cast(own)
    except pa.ArrowInvalid as error:
        raise DataError(f"Spark cannot hold these rows exactly: {error}.") from error
    except pa.ArrowNotImplementedError as error:
        raise UnsupportedError("Rows of this type cannot be given to Spark.", detail=str(error)) from error
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, own) as writer:
        writer.write_table(table)
    return pb2.Relation(local_relation=pb2.LocalRelation(data=sink.getvalue().to_pybytes()))


def create_view(name: str, relation: pb2.Relation) -> pb2.Command:
    """Make a temporary view; it replaces one of that name."""
    return pb2.Command(
        create_dataframe_view=pb2.CreateDataFrameViewCommand(
            input=relation, name=name, is_global=False, replace=True
        )
    )


def drop_view(name: str) -> pb2.Relation:
    """Forget a temporary view, if it is there."""
    return pb2.Relation(catalog=pb2.Catalog(drop_temp_view=pb2.DropTempView(view_name=name)))
