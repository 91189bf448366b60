from __future__ import annotations

from sqe.model.decision import Column, Kind, Resource
from sqe.model.identity import Principal
from sqe.policy.cedar import entities as cedar_entities
from sqe.policy.cedar.entities import uid

ORDERS = Resource(
    Kind.TABLE,
    "Lake",
    ("sales", "EU"),
    "Orders",
    (Column("id", "bigint"), Column("Card", "string", 2, ("PII", "card"))),
    owner="Zoe",
)


def test_people_are_in_their_roles_and_groups() -> None:
    alice = Principal("Alice", "oidc", frozenset({"Staff"}), frozenset({"reader"}), email="a@example.test")
    assert cedar_entities.user(alice, None) == {
        "uid": uid("User", "Alice"),
        "attrs": {"name": "Alice", "provider": "oidc", "email": "a@example.test"},
        "parents": [uid("Role", "reader"), uid("Group", "Staff")],
    }


def test_a_file_adds_to_people() -> None:
    alice = Principal("alice", "oidc", groups=frozenset({"staff"}))
    more = {"parents": [uid("Group", "staff"), uid("Role", "auditor")], "tags": {"region": "eu"}}
    made = cedar_entities.user(alice, more)
    assert made["parents"] == [uid("Group", "staff"), uid("Role", "auditor")]
    assert made["tags"] == {"region": "eu"}


def test_a_column_is_in_its_table_and_tags_and_the_table_in_its_schemas() -> None:
    made = cedar_entities.resources(ORDERS)
    assert {f"{type_} {name}": entity["parents"] for (type_, name), entity in made.items()} == {
        "Catalog lake": [],
        "Schema lake.sales": [uid("Catalog", "lake")],
        "Schema lake.sales.eu": [uid("Schema", "lake.sales")],
        "Table lake.sales.eu.orders": [uid("Schema", "lake.sales.eu")],
        "Column lake.sales.eu.orders.id": [uid("Table", "lake.sales.eu.orders")],
        "Column lake.sales.eu.orders.card": [
            uid("Table", "lake.sales.eu.orders"),
            uid("Tag", "pii"),
            uid("Tag", "card"),
        ],
    }
    table = made["Table", "lake.sales.eu.orders"]
    assert table["attrs"] == {"name": "orders", "kind": "table", "owner": {"__entity": uid("User", "Zoe")}}
    assert made["Column", "lake.sales.eu.orders.card"]["attrs"]["type"] == "string"


def test_names_with_dots_are_not_those_of_others() -> None:
    one = Resource(Kind.TABLE, "lake", ("a.b",), "c")
    two = Resource(Kind.TABLE, "lake", ("a", "b"), "c")
    assert cedar_entities.resource_uid(one) == uid("Table", "lake.`a.b`.c")
    assert cedar_entities.resource_uid(two) == uid("Table", "lake.a.b.c")
    tick = Resource(Kind.SCHEMA, "lake", ("`a.b`",))
    assert cedar_entities.resource_uid(tick) == uid("Schema", "lake.```a.b```")


def test_columns_that_differ_in_case_have_the_tags_of_both() -> None:
    columns = (Column("a", "int"), Column("A", "int", 2, ("pii",)))
    made = cedar_entities.resources(Resource(Kind.TABLE, "lake", ("s",), "t", columns))
    assert made["Column", "lake.s.t.a"]["parents"] == [uid("Table", "lake.s.t"), uid("Tag", "pii")]


def test_catalogs_and_schemas() -> None:
    assert cedar_entities.resource_uid(Resource(Kind.CATALOG, "Lake")) == uid("Catalog", "lake")
    assert list(cedar_entities.resources(Resource(Kind.CATALOG, "lake"))) == [("Catalog", "lake")]
    assert list(cedar_entities.resources(Resource(Kind.TABLE, "lake", (), "t"))) == [
        ("Catalog", "lake"),
        ("Table", "lake.t"),
    ]
