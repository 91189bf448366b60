"""Parse the parts of statements about access: privileges, objects, grantees, principals and expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from sqe.model.session import Dialect
from sqe.sql.lexer import Token, TokenKind, position_at, string_value
from sqe.sql.policy.statement_types import (
    ExpressionText,
    Grantee,
    GranteeKind,
    ObjectKind,
    PrincipalSpec,
    Privilege,
    Securable,
)
from sqe.sql.token_reader import TokenReader
from sqe.sql.trino.lexer import syntax_error

_BARE_TABLE = (ObjectKind.TABLE, ObjectKind.VIEW)
_OBJECTS: Mapping[tuple[str, ...], ObjectKind] = {
    ("ALL", "TABLES", "IN", "SCHEMA"): ObjectKind.ALL_TABLES,
    ("FUTURE", "TABLES", "IN", "SCHEMA"): ObjectKind.FUTURE_TABLES,
    ("TABLE",): ObjectKind.TABLE,
    ("VIEW",): ObjectKind.VIEW,
    ("SCHEMA",): ObjectKind.SCHEMA,
    ("CATALOG",): ObjectKind.CATALOG,
}


class PolicyReader(TokenReader):
    """Reads the tokens of one statement in one of the dialects."""

    def __init__(self, text: str, dialect: Dialect, tokens: Sequence[Token]) -> None:
        super().__init__(text, tokens)
        self.dialect = dialect

    def qualified(self) -> list[str]:
        if self.dialect is Dialect.TRINO:
            return super().qualified()
        parts = [self.name()]  # in Spark's dialect names keep their case
        while self.accept_symbol("."):
            parts.append(self.name())
        return parts

    def name(self) -> str:
        """Read a name of one part, in its written case."""
        offset = self.offset
        name = super().name()
        if not name:
            raise syntax_error(self.text, offset, "A name cannot be empty")
        return name

    def principal(self) -> str:
        """Read the name of a user, role or group: an identifier or a string, since many have an @ or a colon."""
        if self.at_kind(TokenKind.STRING):
            offset = self.offset
            name = self.string()
            if not name:
                raise syntax_error(self.text, offset, "A name cannot be empty")
            return name
        return self.name()

    def string(self) -> str:
        if self.dialect is Dialect.TRINO or not self.at_kind(TokenKind.STRING):
            return super().string()
        return string_value(self.take())

    def column(self) -> str:
        quoted = self.at_kind(TokenKind.QUOTED_NAME)
        name = self.name()
        return name.lower() if self.dialect is Dialect.TRINO and not quoted else name

    def columns(self) -> tuple[str, ...]:
        """Read `(a, b)`."""
        return self.listed(self.column)

    def listed(self, one: Callable[[], str]) -> tuple[str, ...]:
        self.expect_symbol("(")
        found = [one()]
        while self.accept_symbol(","):
            found.append(one())
        self.expect_symbol(")")
        return tuple(found)

    def expression(self) -> ExpressionText:
        """Read `(expr)`, and return the text between the parentheses."""
        if not self.at_symbol("("):
            self.mismatch("'('")
        opening = self.offset
        return self.text_of(self.bracketed(), opening + 1)

    def condition(self) -> ExpressionText:
        """Read an expression, in parentheses or not: up to MASKED WITH, WITH GRANT or the end."""
        start, opening = self.index, self.offset
        depth = closed = 0
        while self.left and (depth or not self._after_condition()):
            text = self.take().text
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if depth < 0:
                self.index -= 1
                self.mismatch("<expression>")
            closed = closed or (self.index if depth == 0 else 0)
        if depth:
            self.mismatch("')'")
        words = list(self.tokens[start : self.index])
        if (
            words and words[0].is_symbol("(") and closed == self.index
        ):  # one pair of parentheses around all of it
            return self.text_of(words[1:-1], opening + 1)
        return self.text_of(words, opening)

    def _after_condition(self) -> bool:
        after = (self.peek(), self.peek(1))
        return (after == ("MASKED", "WITH") and self.at_symbol("(", 2)) or after == ("WITH", "GRANT")

    def text_of(self, words: list[Token], offset: int) -> ExpressionText:
        if not words:
            raise syntax_error(self.text, offset, "An expression is missing")
        start = words[0].start
        return ExpressionText(self.text[start : words[-1].end], position_at(self.text, start))

    def refuse(self, offset: int, problem: str) -> NoReturn:
        raise syntax_error(self.text, offset, problem)


def read_privileges(reader: PolicyReader) -> tuple[tuple[Privilege, ...], tuple[str, ...]]:
    if reader.accept("ALL"):
        reader.accept("PRIVILEGES")
        return (Privilege.ALL,), ()
    found: list[Privilege] = []
    columns: tuple[str, ...] = ()
    while True:
        offset = reader.offset
        privilege = read_privilege(reader)
        if privilege in found:
            reader.refuse(offset, f"{privilege} occurs twice")
        found.append(privilege)
        if reader.at_symbol("("):
            if privilege is not Privilege.SELECT:
                reader.refuse(reader.offset, "Only SELECT can be granted on columns")
            columns = reader.columns()
        if not reader.accept_symbol(","):
            break
    if columns and len(found) > 1:
        reader.refuse(reader.offset, "SELECT on columns needs a separate statement")
    return tuple(found), columns


def read_privilege(reader: PolicyReader) -> Privilege:
    word = reader.peek()
    if word not in Privilege.__members__ or word == "ALL":
        reader.mismatch("a privilege: SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER or ALL PRIVILEGES")
    reader.take()
    return Privilege[word]


def read_securable(reader: PolicyReader, *, bare: bool = False) -> Securable:
    """Read an object; with `bare`, a name without a keyword before it is a table."""
    for words, kind in _OBJECTS.items():
        # A table may be called `view` or `all`: a keyword before a dot or at the end is a name.
        if all(reader.peek(place) == word for place, word in enumerate(words)) and not (
            bare and (reader.left == len(words) or reader.at_symbol(".", len(words)))
        ):
            reader.accept(*words)
            return _named(reader, kind)
    if not bare or (reader.peek() in ("ALL", "FUTURE") and reader.peek(1) == "TABLES"):
        reader.mismatch(
            "TABLE, VIEW, SCHEMA, CATALOG, ALL TABLES IN SCHEMA or FUTURE TABLES IN SCHEMA, and a name"
        )
    return _named(reader, ObjectKind.TABLE)


def _named(reader: PolicyReader, kind: ObjectKind) -> Securable:
    offset = reader.offset
    name = tuple(reader.qualified())
    if kind is ObjectKind.CATALOG and len(name) > 1:
        reader.refuse(offset, "A catalog's name has one part")
    return Securable(kind, name)


def read_grantee(reader: PolicyReader, *, bare: bool = False) -> Grantee:
    """Read a user, role or group; with `bare`, a name alone is a user's in Trino's dialect, as it is in Trino."""
    word = reader.peek()
    if word not in GranteeKind.__members__:
        if bare and reader.dialect is Dialect.TRINO and reader.left:
            return Grantee(GranteeKind.USER, reader.principal())
        reader.mismatch("USER, ROLE or GROUP, and a name")
    reader.take()
    return Grantee(GranteeKind[word], reader.principal())


def read_table(reader: PolicyReader) -> Securable:
    offset = reader.offset
    on = read_securable(reader, bare=True)
    if on.kind not in _BARE_TABLE:
        reader.refuse(offset, "This statement needs a TABLE or VIEW")
    return on


def read_principal(reader: PolicyReader) -> PrincipalSpec:
    reader.expect("USER")
    user = reader.principal()
    roles = reader.listed(reader.principal) if reader.accept("ROLES") else None
    groups = reader.listed(reader.principal) if reader.accept("GROUPS") else None
    return PrincipalSpec(user, roles, groups)
