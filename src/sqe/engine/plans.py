"""Build the Spark Connect plans of statements, tables, files, rows and temporary views.

The plans have no plan id. Spark would cache a plan by its id, and a statement that failed because a table was missing
would fail again after the table was created.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa
import pyspark.sql.connect.proto as pb2

from sqe.engine.arrow_types import spark_arrow_type
from sqe.errors import DataError, UnsupportedError
from sqe.model.files import FileSource


def statement(sql: str, arguments: Iterable[pb2.Expression] = ()) -> pb2.Relation:
    """Return the plan of a statement; `arguments` are the values of its `?`."""
    return pb2.Relation(sql=pb2.SQL(query=sql, pos_arguments=arguments))


def with_views(root: pb2.Relation, views: Mapping[str, pa.Table]) -> pb2.Relation:
    """Return the plan of a statement that reads rows by names that nothing else in its session knows."""
    if not views:
        return root
    references = [
        pb2.Relation(subquery_alias=pb2.SubqueryAlias(input=rows(table), alias=name))
        for name, table in views.items()
    ]
    return pb2.Relation(with_relations=pb2.WithRelations(root=root, references=references))


def named_table(name: Sequence[str]) -> pb2.Relation:
    """Return the plan of a table or view, by the parts of its name."""
    identifier = ".".join("`" + part.replace("`", "``") + "`" for part in name)
    return pb2.Relation(read=pb2.Read(named_table=pb2.Read.NamedTable(unparsed_identifier=identifier)))


def files(source: FileSource) -> pb2.Relation:
    """Return the plan that reads files as `spark.read.format(...).load(...)` does."""
    read = pb2.Read.DataSource(format=source.format, paths=source.paths, options=source.options)
    if source.schema is not None:
        read.schema = source.schema
    return pb2.Relation(read=pb2.Read(data_source=read))


def rows(table: pa.Table) -> pb2.Relation:
    """Return a plan that contains the rows of `table`. Raises UnsupportedError, DataError."""
    own = pa.schema([field.with_type(spark_arrow_type(field.type)) for field in table.schema])
    try:
        table = table.cast(own)
    except pa.ArrowInvalid as error:
        raise DataError(f"Spark cannot hold these rows exactly: {error}.") from error
    except pa.ArrowNotImplementedError as error:
        raise UnsupportedError("Spark has no type for these rows.", detail=str(error)) from error
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, own) as writer:
        writer.write_table(table)
    return pb2.Relation(local_relation=pb2.LocalRelation(data=sink.getvalue().to_pybytes()))


def create_view(name: str, relation: pb2.Relation) -> pb2.Command:
    """Return the plan that creates or replaces a temporary view."""
    return pb2.Command(
        create_dataframe_view=pb2.CreateDataFrameViewCommand(
            input=relation, name=name, is_global=False, replace=True
        )
    )


def drop_view(name: str) -> pb2.Relation:
    """Return the plan that drops a temporary view, if it exists."""
    return pb2.Relation(catalog=pb2.Catalog(drop_temp_view=pb2.DropTempView(view_name=name)))
