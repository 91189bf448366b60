"""Parse the statements about access, which the gateway runs itself: GRANT, CREATE POLICY, SHOW GRANTS and the like.

Names and strings are quoted as in the session's dialect. Expressions stay text. `read` returns None for every other
statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from sqe.model.session import Dialect
from sqe.sql.lexer import Token, TokenKind
from sqe.sql.policy.grammar import (
    PolicyReader,
    read_grantee,
    read_principal,
    read_privilege,
    read_privileges,
    read_securable,
    read_table,
)
from sqe.sql.policy.statement_types import (
    CheckAccess,
    CreatePolicy,
    DenyStatement,
    DropPolicy,
    ExpressionText,
    Grantee,
    GrantStatement,
    ObjectKind,
    PolicyKind,
    PolicyStatement,
    Privilege,
    RevokeStatement,
    Securable,
    SetTags,
    ShowEffectiveGrants,
    ShowEffectivePolicy,
    ShowGrants,
    ShowPolicies,
    UnsetTags,
)
from sqe.sql.trino.lexer import lexed, one_statement

T = TypeVar("T")

_TABLES = (ObjectKind.ALL_TABLES, ObjectKind.FUTURE_TABLES)

# The privileges that exist on each kind of object.
_ON_VIEWS = frozenset({Privilege.SELECT, Privilege.DROP, Privilege.ALTER, Privilege.ALL})
_ON_TABLES = frozenset(Privilege) - {Privilege.CREATE}


def read(text: str, dialect: Dialect, tokens: Sequence[Token] | None = None) -> PolicyStatement | None:
    """Return what a statement says about access; None when it is about something else.

    `tokens` are those of one whole statement in `dialect`, where the caller has them.

    Raises:
        SqlSyntaxError: it begins like a statement about access and is not valid.

    Example:
        >>> read("DROP POLICY eu_only", Dialect.SPARK)
        DropPolicy(name='eu_only', if_exists=False)
    """
    words = list(lexed(text, dialect)) if tokens is None else tokens
    reader = _find([token.keyword for token in words[:4]])
    if reader is None:
        return None
    return reader(PolicyReader(text, dialect, one_statement(text, list(words)) if tokens is None else tokens))


def _find(words: list[str]) -> Callable[[PolicyReader], PolicyStatement | None] | None:
    padded = [*words, "", "", ""]
    for length in (2, 1):
        found = _READERS.get(tuple(padded[:length]))
        if found is not None:
            return found
    if padded[:4] == ["CREATE", "OR", "REPLACE", "POLICY"]:
        return _create_policy
    return None


def _grant(reader: PolicyReader) -> PolicyStatement:
    reader.expect("GRANT")
    privileges, columns, on, to = _privileges_to(reader)
    rows = masks = None
    if reader.accept("ROWS"):
        _only_on_table(reader, on, "ROWS WHERE")
        reader.expect("WHERE")
        rows = reader.condition()
    if reader.accept("MASKED"):
        _only_on_table(reader, on, "MASKED WITH")
        reader.expect("WITH")
        masks = _masks(reader)
    option = reader.accept("WITH")
    if option:
        reader.expect("GRANT", "OPTION")
    reader.end()
    return GrantStatement(privileges, on, to, columns, rows, masks or (), option)


def _only_on_table(reader: PolicyReader, on: Securable, clause: str) -> None:
    if on.kind is not ObjectKind.TABLE:
        offset = reader.tokens[reader.index - 1].start
        reader.refuse(offset, f"{clause} needs a TABLE. For a schema or catalog, use CREATE POLICY")


def _deny(reader: PolicyReader) -> PolicyStatement:
    reader.expect("DENY")
    privileges, columns, on, to = _privileges_to(reader)
    reader.end()
    return DenyStatement(privileges, on, to, columns)


def _privileges_to(
    reader: PolicyReader,
) -> tuple[tuple[Privilege, ...], tuple[str, ...], Securable, Grantee]:
    """Parse what GRANT and DENY begin with: privileges, their columns, ON an object, TO a grantee."""
    privileges, columns = read_privileges(reader)
    on = _on(reader, privileges, columns)
    reader.expect("TO")
    return privileges, columns, on, read_grantee(reader, bare=True)


def _revoke(reader: PolicyReader) -> PolicyStatement:
    reader.expect("REVOKE")
    only_option = reader.accept("GRANT", "OPTION", "FOR")
    privileges, columns = read_privileges(reader)
    on = _on(reader, privileges, columns)
    reader.expect("FROM")
    origin = read_grantee(reader, bare=True)
    reader.end()
    return RevokeStatement(privileges, on, origin, columns, only_option)


def _on(reader: PolicyReader, privileges: tuple[Privilege, ...], columns: tuple[str, ...]) -> Securable:
    reader.expect("ON")
    offset = reader.offset
    on = read_securable(reader, bare=True)
    for privilege in privileges:
        if on.kind is ObjectKind.VIEW and privilege not in _ON_VIEWS:
            reader.refuse(offset, f"{privilege} cannot be granted on a view")
        if on.kind in (ObjectKind.TABLE, *_TABLES) and privilege not in _ON_TABLES:
            reader.refuse(offset, "CREATE can be granted on a SCHEMA or a CATALOG only")
    if columns and on.kind is not ObjectKind.TABLE:
        reader.refuse(offset, "SELECT on columns can be granted on a TABLE only")
    return on


def _masks(reader: PolicyReader) -> tuple[tuple[str, ExpressionText], ...]:
    def mask() -> ExpressionText:
        reader.expect("AS")
        return _up_to_comma(reader)

    return _by_column(reader, mask, repeated="has two masks")


def _by_column(reader: PolicyReader, value: Callable[[], T], *, repeated: str) -> tuple[tuple[str, T], ...]:
    """Parse a list in brackets with a value after each column, and no column twice."""
    found: dict[str, T] = {}
    reader.expect_symbol("(")
    while True:
        offset = reader.offset
        column = reader.column()
        if column.lower() in (name.lower() for name in found):
            reader.refuse(offset, f"The column {column} {repeated}")
        found[column] = value()
        if reader.accept_symbol(")"):
            return tuple(found.items())
        reader.expect_symbol(",")


def _up_to_comma(reader: PolicyReader) -> ExpressionText:
    """Read an expression up to the next comma or closing parenthesis outside of it."""
    start, depth, words = reader.offset, 0, []
    while depth or not (reader.at_symbol(",") or reader.at_symbol(")")):
        token = reader.take()
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        words.append(token)
    return reader.text_of(words, start)


def _create_policy(reader: PolicyReader) -> PolicyStatement:
    reader.expect("CREATE")
    replace = reader.accept("OR", "REPLACE")
    reader.expect("POLICY")
    name = reader.name()
    if reader.accept("ROW", "FILTER"):
        kind = PolicyKind.ROW_FILTER
    elif reader.accept("COLUMN", "MASK"):
        kind = PolicyKind.COLUMN_MASK
    elif reader.accept("RESTRICT", "COLUMNS"):
        kind = PolicyKind.RESTRICT_COLUMNS
    else:
        reader.mismatch("ROW FILTER, COLUMN MASK or RESTRICT COLUMNS")
    on, tag, columns = _policy_object(reader, kind)
    to = _policy_grantees(reader)
    expression = None
    if kind is not PolicyKind.RESTRICT_COLUMNS:
        reader.expect("USING")
        expression = reader.expression()
    reader.end()
    return CreatePolicy(name, kind, on, tag, columns, to, expression, replace)


def _policy_object(
    reader: PolicyReader, kind: PolicyKind
) -> tuple[Securable | None, str | None, tuple[str, ...]]:
    reader.expect("ON")
    if kind is PolicyKind.ROW_FILTER:
        if reader.peek() not in ("TABLE", "SCHEMA", "CATALOG"):
            reader.mismatch("TABLE, SCHEMA or CATALOG, and a name")
        return read_securable(reader), None, ()
    if reader.accept("TAG"):
        return None, _tag(reader), ()
    if reader.peek() != "TABLE":
        reader.mismatch("TABLE or TAG, and a name")
    on = read_securable(reader)
    offset = reader.offset
    columns = reader.columns()
    if kind is PolicyKind.COLUMN_MASK and len(columns) > 1:
        reader.refuse(offset, "A mask needs exactly one column")
    return on, None, columns


def _policy_grantees(reader: PolicyReader) -> tuple[Grantee, ...]:
    if not reader.accept("TO"):
        return ()
    found = [read_grantee(reader)]
    while reader.accept_symbol(","):
        found.append(read_grantee(reader))
    return tuple(found)


def _tag(reader: PolicyReader) -> str:
    return reader.principal().lower()


def _drop_policy(reader: PolicyReader) -> PolicyStatement:
    reader.expect("DROP", "POLICY")
    # A policy may be called `if`.
    if_exists = reader.left > 1 and reader.accept("IF", "EXISTS")
    name = reader.name()
    reader.end()
    return DropPolicy(name, if_exists)


def _alter_table(reader: PolicyReader) -> PolicyStatement | None:
    reader.expect("ALTER", "TABLE")
    if not reader.at_kind(TokenKind.WORD, TokenKind.QUOTED_NAME):
        return None  # a form of Spark's ALTER TABLE
    table = tuple(reader.qualified())
    if reader.accept("SET", "TAGS"):
        return SetTags(table, _column_tags(reader))
    if reader.accept("UNSET", "TAGS"):
        columns = reader.columns()
        reader.end()
        return UnsetTags(table, columns)
    return None


def _column_tags(reader: PolicyReader) -> tuple[tuple[str, tuple[str, ...]], ...]:
    def tags() -> tuple[str, ...]:
        reader.expect_symbol("=")
        return tuple(tag.lower() for tag in reader.listed(lambda: _tag_string(reader)))

    found = _by_column(reader, tags, repeated="occurs twice")
    reader.end()
    return found


def _tag_string(reader: PolicyReader) -> str:
    offset = reader.offset
    tag = reader.string()
    if not tag:
        reader.refuse(offset, "A tag cannot be empty")
    return tag


def _show_grants(reader: PolicyReader) -> PolicyStatement:
    reader.expect("SHOW", "GRANTS")
    on = to = None
    if reader.accept("ON"):
        on = read_securable(reader, bare=True)
    elif reader.accept("TO"):
        to = read_grantee(reader)
    reader.end()
    return ShowGrants(on, to)


def _show_effective(reader: PolicyReader) -> PolicyStatement:
    reader.expect("SHOW", "EFFECTIVE")
    grants = reader.accept("GRANTS")
    if not grants:
        if reader.peek() != "POLICY":
            reader.mismatch("GRANTS or POLICY")
        reader.expect("POLICY")
    principal = read_principal(reader) if reader.accept("FOR") else None
    on = None
    if not grants or reader.left:
        reader.expect("ON")
        on = read_table(reader)
    reader.end()
    if grants:
        return ShowEffectiveGrants(principal, on)
    assert on is not None
    return ShowEffectivePolicy(on, principal)


def _check_access(reader: PolicyReader) -> PolicyStatement:
    reader.expect("CHECK", "ACCESS")
    privilege = read_privilege(reader)
    reader.expect("ON")
    on = read_table(reader)
    reader.expect("FOR")
    principal = read_principal(reader)
    reader.end()
    return CheckAccess(privilege, on, principal)


def _show_policies(reader: PolicyReader) -> PolicyStatement:
    reader.expect("SHOW", "POLICIES")
    on = read_table(reader) if reader.accept("ON") else None
    reader.end()
    return ShowPolicies(on)


_READERS: Mapping[tuple[str, ...], Callable[[PolicyReader], PolicyStatement | None]] = {
    ("GRANT",): _grant,
    ("DENY",): _deny,
    ("REVOKE",): _revoke,
    ("CREATE", "POLICY"): _create_policy,
    ("DROP", "POLICY"): _drop_policy,
    ("ALTER", "TABLE"): _alter_table,
    ("SHOW", "GRANTS"): _show_grants,
    ("SHOW", "EFFECTIVE"): _show_effective,
    ("SHOW", "POLICIES"): _show_policies,
    ("CHECK", "ACCESS"): _check_access,
}
