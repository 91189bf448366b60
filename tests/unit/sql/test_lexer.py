"""Tokens, the values of strings, and quoting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqe.errors import Position
from sqe.sql.lexer import TokenKind, position_at, string_value, tokens
from sqe.sql.quote import quote_identifier, quote_literal, quote_name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a1 1a é_", ["a1", "1a", "é_"]),
        ("1.5e-3d 1. .5 1e-5 2e+3BD", ["1.5e-3d", "1.", ".5", "1e-5", "2e+3BD"]),
        ("1.a 1.5x", ["1", ".", "a", "1", ".", "5x"]),
        ("a<=>b||c|>d::e=>f->g", ["a", "<=>", "b", "||", "c", "|>", "d", "::", "e", "=>", "f", "->", "g"]),
        ("SELECT/*+ X */1", ["SELECT", "/*+", "X", "*/", "1"]),
        ("file://a/b--c d", ["file://a/b--c", "d"]),
        ("s3://a--c\nd", ["s3", ":", "/", "/", "a", "d"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert [token.text for token in tokens(text)] == expected


def test_what_is_not_closed_takes_the_rest() -> None:
    for text in ["'b; c", '"b; c', "`b; c", "/* b /* */ c", "r'b\\", "'b''"]:
        first, second = tokens(f"a {text}")
        assert (first.text, second.kind, second.text) == ("a", TokenKind.UNCLOSED, text)


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("'it''s'", "it's"),
        ("'it\"\"s'", 'it""s'),
        ('"it""s"', 'it"s'),
        (r"'\'\"\\'", "'\"\\"),
        (r"'a\%b\_c'", r"a\%b\_c"),
        (r"'\u0041\U0001F600\101'", "A😀A"),
        (r"'\uD83D\uDE00 \200'", "😀 200"),
        (r"'\400\u12\z\0\n\t\r\b\Z'", "400u12z\0\n\t\r\b\x1a"),
        (r"r'a\d'", r"a\d"),
        (r'R"\"', "\\"),
    ],
)
def test_the_value_of_a_string_is_spark_s(literal: str, value: str) -> None:
    (token,) = tokens(literal)
    assert string_value(token) == value


@given(st.text())
def test_a_quoted_literal_is_one_string_of_that_value(text: str) -> None:
    (token,) = tokens(quote_literal(text))
    assert token.kind is TokenKind.STRING
    assert string_value(token) == text


@given(st.text())
def test_a_quoted_name_is_one_token(text: str) -> None:
    (token,) = tokens(quote_identifier(text))
    assert token.kind is TokenKind.QUOTED_NAME
    assert token.text[1:-1].replace("``", "`") == text


def test_a_name_of_parts() -> None:
    assert quote_name("a.b", "c`d") == "`a.b`.`c``d`"


def test_positions_count_from_one() -> None:
    assert position_at("a\nbc", 0) == Position(1, 1)
    assert position_at("a\nbc", 1) == Position(1, 2)
    assert position_at("a\nbc", 3) == Position(2, 2)
