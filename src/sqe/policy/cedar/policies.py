"""Parse Cedar policies and their annotations, and validate them against the schema.

Known annotations are `@id`, `@description`, `@row_filter`, `@mask` and `@dialect`. An unknown one is an error: it could
be a misspelled restriction.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import cedarpy
from pydantic import BeforeValidator, Field, ValidationError

from sqe.errors import ConfigError, SqeError
from sqe.model.decision import Expression
from sqe.model.session import Dialect
from sqe.policy.cedar.entities import ADDED, NAMED, Json
from sqe.policy.documents import StrictModel
from sqe.sql.policy import expression as policy_expression

SCHEMA_TEXT = resources.files("sqe.policy.cedar").joinpath("sqe.cedarschema").read_text(encoding="utf-8")

_ANNOTATIONS = frozenset({"id", "description", "row_filter", "mask", "dialect"})
_READS = frozenset({"select", "read"})  # the actions that include reading rows
_SHOWN_PROBLEMS = 3


def _without_escape(value: object) -> object:
    """Return the name inside of Cedar's `{"__entity": {...}}`."""
    return value["__entity"] if isinstance(value, dict) and value.keys() == {"__entity"} else value


class _EntityName(StrictModel):
    type: str
    id: str


_Name = Annotated[_EntityName, BeforeValidator(_without_escape)]


class _AddedEntity(StrictModel):
    """An entity of the entities file."""

    uid: _Name
    attrs: dict[str, Any] = Field(default_factory=dict)
    parents: list[_Name] = Field(default_factory=list)
    tags: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnnotatedPolicy:
    """The source name of a policy, and the row filter and mask of its annotations."""

    source: str
    row_filter: Expression | None = None
    mask: Expression | None = None


@dataclass(frozen=True, slots=True)
class CompiledPolicies:
    """The policies, schema and entities of one state of the files."""

    digest: str
    policies: cedarpy.PolicySet
    schema: cedarpy.Schema
    annotated: Mapping[str, AnnotatedPolicy]  # by Cedar's own name of a policy
    entities: cedarpy.Entities  # roles, groups and tags of the entities file
    users: Mapping[str, Json]  # users of the entities file, by name


def compile_policies(files: Mapping[Path, bytes], entities: tuple[Path, bytes] | None) -> CompiledPolicies:
    """Compile the policies of several files, in their order. Raises ConfigError."""
    schema = cedarpy.Schema.from_str(SCHEMA_TEXT)
    texts = {path: _text(path, content) for path, content in files.items()}
    annotated: dict[str, AnnotatedPolicy] = {}
    for path, text in texts.items():
        for policy in _parsed(path, text):
            # Cedar numbers the policies of one text, which is the concatenation of all files.
            number = len(annotated)
            annotated[f"policy{number}"] = _annotated(path, number, policy)
    if not annotated:
        raise ConfigError(f"There is no policy in {', '.join(map(str, files)) or 'policy.cedar_policies'}.")
    whole = "\n".join(texts.values())
    found = cedarpy.validate_policies(whole, schema)
    if not found.validation_passed:
        raise ConfigError(
            "The Cedar policies do not fit the schema: "
            + "; ".join(
                f"{_source(annotated, error.policy_id)}: {error.error}"
                for error in found.errors[:_SHOWN_PROBLEMS]
            ),
            hint="docs/policy/cedar.md shows the schema.",
        )
    policies = cedarpy.PolicySet.from_str(whole)
    if len(policies) != len(annotated):
        raise ConfigError("The Cedar policies of several files cannot be read together.")
    digest = hashlib.sha256(SCHEMA_TEXT.encode())
    for path, content in (*files.items(), *([entities] if entities is not None else [])):
        digest.update(f"{path.name} {len(content)} ".encode() + content)
    # With the schema, the entities have the actions and their groups.
    base, users = _entities(*(entities or (Path("none"), b"[]")), schema)
    return CompiledPolicies(digest.hexdigest()[:16], policies, schema, annotated, base, users)


def _source(annotated: Mapping[str, AnnotatedPolicy], policy_id: str) -> str:
    return annotated[policy_id].source if policy_id in annotated else "policies"


def _text(path: Path, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text.") from None


def _parsed(path: Path, text: str) -> list[Json]:
    try:
        document = json.loads(cedarpy.policies_to_json_str(text))
    except ValueError as error:
        raise ConfigError(f"{path} cannot be read as Cedar policies: {error}.") from None
    if document["templates"]:
        raise ConfigError(
            f"{path} has a template, with ?principal or ?resource.", hint="Write a policy for each instead."
        )
    policies: Mapping[str, Json] = document["staticPolicies"]
    return [policies[f"policy{number}"] for number in range(len(policies))]


def _annotated(path: Path, number: int, policy: Json) -> AnnotatedPolicy:
    annotations: Mapping[str, str | None] = policy.get("annotations", {})
    source = f"cedar: {annotations.get('id') or f'policy {number + 1} in {path.name}'}"
    for key in annotations:
        if key not in _ANNOTATIONS:
            raise ConfigError(
                f"{path} ({source}) has the unknown annotation @{key}.",
                hint=f"Known annotations: {', '.join(f'@{known}' for known in sorted(_ANNOTATIONS))}.",
            )
    for name in _written_names(policy):
        if name != name.lower():
            raise ConfigError(
                f"{path} ({source}) names '{name}', which is not in lower case.",
                hint="Write the names of catalogs, schemas, tables, columns and tags in lower case.",
            )
    row_filter, mask = annotations.get("row_filter"), annotations.get("mask")
    if "row_filter" not in annotations and "mask" not in annotations:
        if "dialect" in annotations:
            raise ConfigError(f"{path} ({source}) has @dialect without @row_filter or @mask.")
        return AnnotatedPolicy(source)
    if policy["effect"] != "permit" or not _is_about_reading(policy["action"]):
        raise ConfigError(
            f"@row_filter or @mask in {path} ({source}) has no effect: it is not a permit of select.",
            hint="Put it on a permit whose action is select, read, or any.",
        )
    if "mask" in annotations and not _can_be_column(policy["resource"]):
        raise ConfigError(
            f"@mask in {path} ({source}) has no effect: its resource is no column.",
            hint='Write `resource in Table::"..."`, `resource == Column::"..."` or `resource in Tag::"..."`.',
        )
    dialect = _dialect(path, source, annotations)
    masked = _expression(path, source, "mask", mask, dialect) if "mask" in annotations else None
    if masked is not None and _names_tag(policy) and policy_expression.shares_key(masked):
        raise ConfigError(
            f"@mask in {path} ({source}) uses a key of mask_hash by its name for columns with a tag.",
            hint="Name the columns, or leave out the key: users who may tag columns could guess hidden values.",
        )
    return AnnotatedPolicy(
        source,
        _expression(path, source, "row_filter", row_filter, dialect) if "row_filter" in annotations else None,
        masked,
    )


def _dialect(path: Path, source: str, annotations: Mapping[str, str | None]) -> Dialect:
    word = annotations.get("dialect", Dialect.SPARK.value)
    try:
        return Dialect(word)
    except ValueError:
        raise ConfigError(f"@dialect in {path} ({source}) is {word!r}; write spark or trino.") from None


def _expression(path: Path, source: str, key: str, text: str | None, dialect: Dialect) -> Expression:
    expression = Expression(text or "", dialect, source)
    try:
        policy_expression.check_form(expression)
    except SqeError as error:
        raise ConfigError(f"@{key} in {path} ({source}): {error.located_message}", hint=error.hint) from None
    return expression


def _is_about_reading(action: Json) -> bool:
    if action["op"] == "All":
        return True
    named = action["entities"] if "entities" in action else [action["entity"]]
    return any(entity["id"] in _READS for entity in named)


def _names_tag(value: object) -> bool:
    """Return whether a policy, or a part of one, names a tag."""
    if isinstance(value, list):
        return any(_names_tag(item) for item in value)
    if not isinstance(value, dict):
        return False
    tag = value.keys() == {"type", "id"} and value["type"] == "Tag"
    return tag or any(_names_tag(item) for item in value.values())


def _can_be_column(resource: Json) -> bool:
    if resource["op"] == "is":
        return bool(resource["entity_type"] == "Column")
    return resource["op"] != "==" or bool(resource["entity"]["type"] == "Column")


def _written_names(value: object) -> Iterator[str]:
    """Yield the names of all catalogs, schemas, tables, columns and tags in a policy."""
    if isinstance(value, list):
        for item in value:
            yield from _written_names(item)
    elif isinstance(value, dict):
        if value.keys() == {"type", "id"} and value["type"] in NAMED:
            yield value["id"]
        for item in value.values():
            yield from _written_names(item)


def _entities(
    path: Path, content: bytes, schema: cedarpy.Schema
) -> tuple[cedarpy.Entities, Mapping[str, Json]]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise ConfigError(f"{path} is not JSON.") from None
    if not isinstance(document, list):
        raise ConfigError(f"{path} is not a list of entities.")
    users: dict[str, Json] = {}
    others: list[Json] = []
    for value in document:
        entity = _added_entity(path, value)
        name = entity.uid
        if name.type != "User":
            others.append(value)
            continue
        if entity.attrs:
            raise ConfigError(
                f"{path} gives User '{name.id}' attributes, which come from the identity provider.",
                hint='Write "tags": {"region": "eu"} instead, for principal.getTag("region").',
            )
        if name.id in users:
            raise ConfigError(f"{path} has User '{name.id}' twice.")
        users[name.id] = {
            "parents": [parent.model_dump() for parent in entity.parents],
            "tags": entity.tags,
        }
    checked = [
        {"uid": {"type": "User", "id": user}, "attrs": {"name": user, "provider": ""}, **more}
        for user, more in users.items()
    ]
    try:
        cedarpy.Entities.from_json_str(json.dumps([*others, *checked]), schema)
        return cedarpy.Entities.from_json_str(json.dumps(others), schema), users
    except ValueError as error:
        raise ConfigError(f"{path} does not fit the schema: {error}.") from None


def _added_entity(path: Path, value: object) -> _AddedEntity:
    try:
        entity = _AddedEntity.model_validate(value)
    except ValidationError as error:
        if any(problem["loc"][:1] in (("uid",), ("parents",)) for problem in error.errors()):
            raise ConfigError(
                f'{path} has an entity without a name such as {{"type": "Group", "id": "staff"}}.'
            ) from None
        raise ConfigError(f"{path} has a value that is not an entity of uid, parents and tags.") from None
    name = entity.uid
    if name.type not in ADDED:
        raise ConfigError(
            f"{path} has a {name.type}; only {', '.join(sorted(ADDED))} can be added.",
            hint="Leave it out: the engine builds the entities of catalogs, schemas, tables and columns.",
        )
    if name.type == "Tag" and name.id != name.id.lower():
        raise ConfigError(
            f"{path} has the Tag '{name.id}', which is not in lower case.", hint="Write it in lower case."
        )
    return entity
