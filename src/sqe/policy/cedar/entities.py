"""Build Cedar's entities for principals and resources, in Cedar's JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqe.model.decision import Column, Kind, Resource
from sqe.model.identity import Principal

Json = dict[str, Any]

# Types with names in lower case.
NAMED = frozenset({"Catalog", "Schema", "Table", "Column", "Tag"})
# Types that an entities file may have; the engine builds the others for each decision.
ADDED = frozenset({"User", "Role", "Group", "Tag"})


def uid(type_: str, id_: str) -> Json:
    return {"type": type_, "id": id_}


def joined(parts: Iterable[str]) -> str:
    """Join the parts of a name unambiguously."""
    return ".".join(_part(part.lower()) for part in parts)


def _part(part: str) -> str:
    return "`" + part.replace("`", "``") + "`" if "." in part or "`" in part else part


def resource_uid(resource: Resource) -> Json:
    if resource.kind is Kind.CATALOG:
        return uid("Catalog", joined([resource.catalog]))
    if resource.kind is Kind.SCHEMA:
        return uid("Schema", joined([resource.catalog, *resource.namespace]))
    return uid("Table", joined(_table_parts(resource)))


def column_uid(resource: Resource, column: Column) -> Json:
    return uid("Column", joined([*_table_parts(resource), column.name]))


def user(principal: Principal, more: Json | None) -> Json:
    """Build the entity of a principal; `more` is the user's entry in the entities file."""
    attributes: Json = {"name": principal.user, "provider": principal.provider}
    if principal.email is not None:
        attributes["email"] = principal.email
    given = [
        *(uid("Role", role) for role in sorted(principal.roles)),
        *(uid("Group", group) for group in sorted(principal.groups)),
    ]
    made = {"uid": uid("User", principal.user), "attrs": attributes, "parents": given}
    if more is None:
        return made
    added = [parent for parent in more.get("parents", []) if parent not in given]
    return {**made, "parents": [*given, *added], "tags": more.get("tags", {})}


def resources(resource: Resource) -> Mapping[tuple[str, str], Json]:
    """Build the entities of a resource, its columns and its containers, by type and name."""
    made: dict[tuple[str, str], Json] = {}
    for entity in _entities(resource):
        key = (entity["uid"]["type"], entity["uid"]["id"])
        if key in made:  # two columns whose names differ in case only: each gets the tags of both
            known = made[key]["parents"]
            known += [parent for parent in entity["parents"] if parent not in known]
        else:
            made[key] = entity
    return made


def _entities(resource: Resource) -> Iterable[Json]:
    inside = uid("Catalog", joined([resource.catalog]))
    yield _entity(inside, {}, [])
    for count in range(1, len(resource.namespace) + 1):
        schema = uid("Schema", joined([resource.catalog, *resource.namespace[:count]]))
        yield _entity(schema, {}, [inside])
        inside = schema
    if resource.kind not in (Kind.TABLE, Kind.VIEW):
        return
    owner = {} if resource.owner is None else {"owner": {"__entity": uid("User", resource.owner)}}
    table = resource_uid(resource)
    name = (resource.name or "").lower()
    # A table without a schema has no parent: the schema of Cedar has tables in schemas only.
    parents = [inside] if inside["type"] == "Schema" else []
    yield _entity(table, {"name": name, "kind": resource.kind.value, **owner}, parents)
    for column in resource.columns:
        tags = [uid("Tag", tag.lower()) for tag in column.tags]
        attributes = {"name": column.name.lower(), "type": column.type, **owner}
        yield _entity(column_uid(resource, column), attributes, [table, *tags])


def _entity(name: Json, attributes: Mapping[str, Any], parents: list[Json]) -> Json:
    return {"uid": name, "attrs": dict(attributes), "parents": parents}


def _table_parts(resource: Resource) -> list[str]:
    return [resource.catalog, *resource.namespace, resource.name or ""]
