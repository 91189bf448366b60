"""Build the `input` of requests to an Open Policy Agent as Trino's plugin does: operations and resources.

Trino writes all names of catalogs, schemas, tables and columns in lower case, and policies rely on it. This module does
the same, so that a policy about `ssn` covers a column `SSN`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqe.model.decision import Column, Kind, Operation, Question, Resource
from sqe.model.identity import Principal
from sqe.sql.trino.column import trino_column_type

Json = dict[str, Any]

TRINO_VERSION = "484"  # of this schema; the gateway reports the same version to Trino's clients

# The agent has to allow all of these for an operation on a table. `sqe.policy.opa.engine` handles SELECT.
_TABLE: Mapping[Operation, tuple[str, ...]] = {
    Operation.INSERT: ("InsertIntoTable",),
    Operation.UPDATE: ("UpdateTableColumns",),
    Operation.DELETE: ("DeleteFromTable",),
    Operation.MERGE: ("InsertIntoTable", "UpdateTableColumns", "DeleteFromTable"),
    Operation.OVERWRITE: ("InsertIntoTable", "DeleteFromTable"),
    Operation.TRUNCATE: ("TruncateTable",),
    Operation.DESCRIBE: ("ShowColumns",),
    Operation.SHOW_CREATE: ("ShowCreateTable",),
    Operation.ANALYZE: ("SelectFromColumns", "InsertIntoTable"),
    Operation.CREATE_TABLE: ("CreateTable",),
    Operation.REPLACE_TABLE: ("CreateTable", "DropTable"),
    Operation.CREATE_VIEW: ("CreateView",),
    Operation.DROP: ("DropTable",),
    # The question does not say which change it is, so that all of them have to be allowed.
    Operation.ALTER: (
        "AddColumn",
        "AlterColumn",
        "DropColumn",
        "RenameColumn",
        "SetColumnComment",
        "SetTableComment",
        "SetTableProperties",
    ),
    Operation.RENAME: ("RenameTable",),
    Operation.SET_TAGS: ("SetTableProperties",),  # tags are stored in table properties
    Operation.PROCEDURE: ("ExecuteTableProcedure",),
}
_VIEW: Mapping[Operation, tuple[str, ...]] = {
    Operation.DESCRIBE: ("ShowColumns",),
    Operation.SHOW_CREATE: ("ShowCreateTable",),
    Operation.CREATE_VIEW: ("CreateView",),
    Operation.CREATE_TABLE: ("CreateView",),  # the new name of a renamed view
    Operation.DROP: ("DropView",),
    Operation.ALTER: ("CreateView", "SetViewComment"),
    Operation.RENAME: ("RenameView",),
}
_SCHEMA: Mapping[Operation, tuple[str, ...]] = {
    Operation.CREATE_SCHEMA: ("CreateSchema",),
    Operation.DROP_SCHEMA: ("DropSchema",),
    Operation.ALTER_SCHEMA: ("CreateSchema", "DropSchema"),  # Trino cannot change one
    Operation.DESCRIBE: ("ShowCreateSchema",),
    Operation.SHOW_CREATE: ("ShowCreateSchema",),
}
_CATALOG: Mapping[Operation, tuple[str, ...]] = {Operation.DESCRIBE: ("ShowSchemas",)}
_OPERATIONS = {Kind.TABLE: _TABLE, Kind.VIEW: _VIEW, Kind.SCHEMA: _SCHEMA, Kind.CATALOG: _CATALOG}

# Operations whose resource has more than a name.
_WITH_COLUMNS = frozenset({"SelectFromColumns", "UpdateTableColumns"})
_WITH_PROPERTIES = frozenset({"CreateTable", "SetTableProperties", "CreateSchema"})

FILTERS: Mapping[Kind, str] = {
    Kind.CATALOG: "FilterCatalogs",
    Kind.SCHEMA: "FilterSchemas",
    Kind.TABLE: "FilterTables",
    Kind.VIEW: "FilterTables",
}


def is_expressible(resource: Resource) -> bool:
    """Return whether Trino's form of the name is unambiguous: Trino joins the parts of a namespace with dots."""
    return not any("." in part for part in resource.namespace)


def context(principal: Principal, properties: Mapping[str, str]) -> Json:
    """Build the context with the principal's identity. `properties` are Trino's `opa.context-file`."""
    made: Json = {
        "identity": {"user": principal.user, "groups": sorted(principal.groups)},
        "softwareStack": {"trinoVersion": TRINO_VERSION},
    }
    return {**made, "properties": dict(properties)} if properties else made


def action(operation: str, resource: Json | None = None) -> Json:
    return {"operation": operation} if resource is None else {"operation": operation, "resource": resource}


def batch(operation: str, resources: Iterable[Json]) -> Json:
    return {"operation": operation, "filterResources": list(resources)}


def checks(question: Question) -> tuple[Json, ...] | None:
    """Return the actions that the agent has to allow; None: Trino has no such operation."""
    resource = question.resource
    operations = _OPERATIONS[resource.kind].get(question.operation)
    if operations is None:
        return None
    return tuple(_check(operation, question) for operation in operations)


def _check(operation: str, question: Question) -> Json:
    resource = question.resource
    properties: Json | None = {} if operation in _WITH_PROPERTIES else None
    if resource.kind is Kind.CATALOG:
        return action(operation, catalog(resource))
    if resource.kind is Kind.SCHEMA:
        return action(operation, schema(resource, properties))
    columns = column_names(resource.columns) if operation in _WITH_COLUMNS else None
    made = table(resource, columns, properties)
    if question.procedure is not None:
        made["function"] = {"functionName": question.procedure.lower()}
    return action(operation, made)


def listed(resource: Resource) -> Json:
    """Return the resource as an item of a list of names."""
    if resource.kind is Kind.CATALOG:
        return catalog(resource)
    return schema(resource) if resource.kind is Kind.SCHEMA else table(resource)


def catalog(resource: Resource) -> Json:
    return {"catalog": {"name": resource.catalog.lower()}}


def schema(resource: Resource, properties: Json | None = None) -> Json:
    made = _schema_names(resource)
    return {"schema": made if properties is None else {**made, "properties": properties}}


def table(resource: Resource, columns: Sequence[str] | None = None, properties: Json | None = None) -> Json:
    made = _table_names(resource)
    if columns is not None:
        made["columns"] = list(columns)
    if properties is not None:
        made["properties"] = properties
    return {"table": made}


def column(resource: Resource, of: Column) -> Json:
    names = _table_names(resource)
    return {"column": {**names, "columnName": of.name.lower(), "columnType": trino_column_type(of.type)}}


def column_names(columns: Iterable[Column]) -> list[str]:
    """Return the names as Trino writes them, each once."""
    return list(dict.fromkeys(column.name.lower() for column in columns))


def _schema_names(resource: Resource) -> Json:
    return {"catalogName": resource.catalog.lower(), "schemaName": ".".join(resource.namespace).lower()}


def _table_names(resource: Resource) -> Json:
    return {**_schema_names(resource), "tableName": (resource.name or "").lower()}
