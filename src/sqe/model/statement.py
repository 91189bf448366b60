"""Kinds of statements, as far as front ends need them before a statement runs."""

from __future__ import annotations

from enum import Enum


class StatementKind(Enum):
    QUERY = (
        "QUERY"  # SELECT, VALUES, TABLE: returns rows, changes nothing, can be described without running it
    )
    LISTING = "LISTING"  # SHOW, DESCRIBE, EXPLAIN: returns rows; describing it runs it, which is harmless
    CALL = "CALL"  # returns rows and changes something: its columns are known only once it has run
    CHANGE = "CHANGE"  # INSERT, UPDATE, DELETE, MERGE, CREATE TABLE AS: no rows, but a number of changed ones
    DEFINITION = "DEFINITION"  # DDL and all else that returns nothing
    SESSION = "SESSION"  # USE, SET SESSION, PREPARE ...: answered by the gateway

    @property
    def returns_rows(self) -> bool:
        return self in (StatementKind.QUERY, StatementKind.LISTING, StatementKind.CALL)
