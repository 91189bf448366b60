from __future__ import annotations

import pytest

from sqe.errors import Position, SqlSyntaxError
from sqe.sql.lexer import TokenKind
from sqe.sql.trino.lexer import statement_tokens, trino_string, trino_tokens, unquote_name


def texts(sql: str) -> list[str]:
    return [token.text for token in trino_tokens(sql)]


def test_a_backslash_is_a_plain_character() -> None:
    assert texts(r"'a\' || 'b'") == [r"'a\'", "||", "'b'"]
    assert [trino_string(token) for token in trino_tokens(r"'a\n' 'it''s' '' U&'\00e9\+01F600\\'")] == [
        "a\\n",
        "it's",
        "",
        "é😀\\",
    ]


def test_double_quotes_and_backticks_are_names() -> None:
    found = list(trino_tokens('"a ""b" `c ``d` e'))
    assert [unquote_name(token) for token in found] == ['a "b', "c `d", "e"]
    assert [token.kind for token in found] == [TokenKind.QUOTED_NAME] * 2 + [TokenKind.WORD]


def test_a_prefix_of_strings_before_a_quoted_name_is_a_word() -> None:
    assert texts('x"a" U&"b"') == ["x", '"a"', "U", "&", '"b"']


def test_comments_do_not_nest() -> None:
    assert texts("a /* x /* y */ b -- c\\\nd") == ["a", "b", "d"]
    assert texts("SELECT /*+ hint */ 1") == ["SELECT", "1"]


def test_numbers() -> None:
    found = list(trino_tokens("1 1.5 .5 1. 1e5 1.5E-3 1_000 1a t1.c"))
    assert [token.text for token in found if token.kind is TokenKind.NUMBER] == [
        "1",
        "1.5",
        ".5",
        "1.",
        "1e5",
        "1.5E-3",
        "1_000",
    ]
    assert [token.text for token in found[7:]] == ["1a", "t1", ".", "c"]


@pytest.mark.parametrize("sql", ["'a", 'x "a', "a `", "a /* b", "X'0", "U&'"])
def test_what_is_not_closed(sql: str) -> None:
    assert list(trino_tokens(sql))[-1].kind is TokenKind.UNCLOSED
    with pytest.raises(SqlSyntaxError, match="not closed"):
        statement_tokens(sql)


def test_places_add_up() -> None:
    sql = "SELECT \"a\" , 'b' /* c */ <> 1.5\n -> X'00' ; é"
    for token in trino_tokens(sql):
        assert sql[token.start : token.end] == token.text


def test_a_semicolon_at_the_end_is_dropped() -> None:
    assert [token.text for token in statement_tokens("a ; ;")] == ["a"]
    with pytest.raises(SqlSyntaxError) as caught:
        statement_tokens("a ; b")
    assert caught.value.message == "mismatched input ';'. Expecting: <EOF>"
    assert caught.value.position == Position(1, 3)


def test_time_is_linear() -> None:
    for sql in ("'" * 200_001, "/*" * 100_000, '"' * 200_001, "1e" * 100_000, "-" * 200_000, "a." * 100_000):
        list(trino_tokens(sql))
