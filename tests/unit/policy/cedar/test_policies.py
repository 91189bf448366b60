from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest

from sqe.errors import ConfigError
from sqe.model.decision import Expression, Operation
from sqe.model.session import Dialect
from sqe.policy.cedar.policies import SCHEMA_TEXT, AnnotatedPolicy, CompiledPolicies, compile_policies

FILE = Path("some.cedar")
PERMIT = "permit(principal, action, resource);"
READ = 'permit(principal, action == Action::"select", resource in Table::"lake.sales.orders");'


def compiled(text: str, entities: object = None) -> CompiledPolicies:
    more = None if entities is None else (Path("entities.json"), json.dumps(entities).encode())
    return compile_policies({FILE: text.encode()}, more)


def refusal(text: str, entities: object = None) -> str:
    with pytest.raises(ConfigError) as caught:
        compiled(text, entities)
    return caught.value.message


def test_the_schema_has_every_operation() -> None:
    for operation in Operation:
        # The validator refuses an action that the schema does not have.
        assert compiled(f'permit(principal, action == Action::"{operation}", resource);').annotated


def test_annotations_are_read() -> None:
    found = compiled(
        f"""
        {PERMIT}
        @id("eu only") @description("for the works council")
        @row_filter("region = 'eu'")
        {READ}
        @mask("substr(value, -4)") @dialect("trino")
        {READ}
        """
    )
    assert found.annotated == {
        "policy0": AnnotatedPolicy("cedar: policy 1 in some.cedar"),
        "policy1": AnnotatedPolicy(
            "cedar: eu only", row_filter=Expression("region = 'eu'", Dialect.SPARK, "cedar: eu only")
        ),
        "policy2": AnnotatedPolicy(
            "cedar: policy 3 in some.cedar",
            mask=Expression("substr(value, -4)", Dialect.TRINO, "cedar: policy 3 in some.cedar"),
        ),
    }


def test_policies_of_several_files_keep_their_annotations() -> None:
    files = {
        Path("a.cedar"): f'@id("a") {PERMIT} // done'.encode(),
        Path("b.cedar"): f'@id("b") {PERMIT}'.encode(),
    }
    assert [one.source for one in compile_policies(files, None).annotated.values()] == [
        "cedar: a",
        "cedar: b",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "no policy"),
        ("permit(principal, action resource);", "cannot be read as Cedar policies"),
        ("permit(principal == ?principal, action, resource);", "template"),
        (f'@rowfilter("x") {PERMIT}', "@rowfilter"),
        (f'@dialect("trino") {PERMIT}', "@dialect"),
        (f'@dialect("oracle") @mask("NULL") {READ}', "write spark or trino"),
        (f"@row_filter {READ}", "@row_filter"),
        (f'@row_filter("") {READ}', "empty"),
        (f'@row_filter("region = ") {READ}', "@row_filter"),
        (f"@row_filter(\"region = 'eu'; DROP TABLE x\") {READ}", "@row_filter"),
        (f"@mask(\"java_method('a', 'b')\") {READ}", "java_method"),
        (f'@row_filter("true") {READ.replace("permit", "forbid")}', "not a permit of select"),
        (f'@mask("NULL") {READ.replace("select", "describe")}', "not a permit of select"),
        (f'@mask("NULL") {READ.replace("resource in", "resource ==")}', "no column"),
        ('@mask("NULL") permit(principal, action, resource is Table);', "no column"),
        ('permit(principal, action, resource in Schema::"lake.Sales");', "lower case"),
        ('permit(principal, action, resource) when { resource in Tag::"PII" };', "lower case"),
        ('permit(principal, action == Action::"selekt", resource);', "do not fit the schema"),
        ('permit(principal in Team::"a", action, resource);', "do not fit the schema"),
        ("permit(principal, action, resource) when { principal.age > 3 };", "do not fit the schema"),
        ('permit(principal, action == Action::"insert", resource in Tag::"pii");', "do not fit the schema"),
    ],
)
def test_what_is_refused(text: str, expected: str) -> None:
    message = refusal(text)
    if expected == "lower case":
        assert "not in lower case" in message
    else:
        assert expected in message


def test_not_text() -> None:
    with pytest.raises(ConfigError, match="UTF-8"):
        compile_policies({FILE: b"\xff"}, None)


def test_a_version_for_each_content() -> None:
    group = [{"uid": {"type": "Group", "id": "a"}, "attrs": {}, "parents": []}]
    found = {compiled(PERMIT).digest, compiled(PERMIT + " ").digest, compiled(PERMIT, group).digest}
    assert len(found) == 3
    assert compiled(PERMIT).digest in found


def test_users_roles_groups_and_tags_can_be_added() -> None:
    found = compiled(
        PERMIT,
        [
            {"uid": {"type": "User", "id": "alice"}, "parents": [], "tags": {"region": "eu"}},
            {
                "uid": {"type": "Group", "id": "interns"},
                "attrs": {},
                "parents": [{"type": "Group", "id": "staff"}],
            },
        ],
    )
    assert found.users == {"alice": {"parents": [], "tags": {"region": "eu"}}}


@pytest.mark.parametrize(
    ("entities", "expected"),
    [
        ({}, "not a list"),
        ([7], "not an entity"),
        ([{"uid": "User::alice"}], "without a name"),
        ([{"uid": {"type": "User", "id": "a"}, "parents": None}], "without a name"),
        ([{"uid": {"type": "User", "id": "a"}, "parents": ["staff"]}], "without a name"),
        ([{"uid": {"type": "Table", "id": "lake.a.b"}}], "has a Table"),
        ([{"uid": {"type": "Tag", "id": "PII"}, "attrs": {}, "parents": []}], "lower case"),
        ([{"uid": {"type": "User", "id": "a"}, "attrs": {"name": "b"}}], "identity provider"),
        ([{"uid": {"type": "User", "id": "a"}, "tags": {"region": 3}}], "does not fit the schema"),
        ([{"uid": {"type": "User", "id": "a"}}] * 2, "twice"),
        ([{"uid": {"type": "User", "id": "a"}, "role": "x"}], "not an entity"),
        (
            [{"uid": {"type": "Role", "id": "a"}, "attrs": {}, "parents": [{"type": "User", "id": "b"}]}],
            "does not fit the schema",
        ),
    ],
)
def test_entities_that_are_refused(entities: object, expected: str) -> None:
    assert expected in refusal(PERMIT, entities)


def test_entities_that_are_not_json() -> None:
    with pytest.raises(ConfigError, match="is not JSON"):
        compile_policies({FILE: PERMIT.encode()}, (Path("entities.json"), b"[" * 100_000))


def test_the_documentation_shows_the_schema() -> None:
    page = Path(__file__).parents[4] / "docs" / "policy" / "cedar.md"
    section = page.read_text(encoding="utf-8").partition("\n## Schema\n")[2].partition("\n## ")[0]
    entities, actions = re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)
    cells = [row.split("|")[1:3] for row in actions.splitlines()]
    assert names(*(row.split("|")[1] for row in entities.splitlines())) == declared("entity")
    assert names(*itertools.chain.from_iterable(cells)) == declared("action")


def names(*cells: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", " ".join(cells)))


def declared(kind: str) -> set[str]:
    """Return the names that the schema declares: `action read, write;` has two."""
    lists = re.findall(rf"^{kind} (\w+(?:, \w+)*)", SCHEMA_TEXT, re.MULTILINE)
    return {name for each in lists for name in each.split(", ")}
