from __future__ import annotations

import pytest

from sqe.identity.providers.passwords import hash_password, parse_hash


def test_a_hash_matches_its_password_only() -> None:
    hashed = hash_password("hünter2", ln=10, p=1)
    again = parse_hash(str(hashed))
    assert again == hashed
    assert again.matches("hünter2")
    assert not again.matches("hunter2")
    assert not again.like().matches("hünter2")


def test_the_text_is_that_of_the_phc() -> None:
    assert str(hash_password("x", ln=10, p=1)).startswith("$scrypt$ln=10,r=8,p=1$")


def test_a_vector_of_rfc_7914() -> None:
    known = parse_hash(
        "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$"
        "cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw"
    )
    # RFC 7914, section 12, third vector: password "pleaseletmein", salt "SodiumChloride".
    assert known.matches("pleaseletmein")


def test_salts_differ() -> None:
    assert str(hash_password("x", ln=10, p=1)) != str(hash_password("x", ln=10, p=1))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hunter2",
        "$2b$12$abcdefghijklmnopqrstuv",
        "$scrypt$ln=14,r=8$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=30,r=8,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=17,r=8,p=99$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=14,r=0,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=14,r=8,p=1$c2FsdHNhbHRzYWx0a$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not|asks scrypt") as caught:
        parse_hash(text)
    assert not text or text not in str(caught.value)
