from __future__ import annotations

import threading

import pytest

from sqe.identity.providers import passwords
from sqe.identity.providers.passwords import hash_password, parse_hash, random_hash


def test_a_hash_matches_its_password_only() -> None:
    hashed = hash_password("hünter2", memory_kib=1024, passes=1)
    again = parse_hash(str(hashed))
    assert again == hashed
    assert again.matches("hünter2")
    assert not again.matches("hunter2")
    assert not again.like().matches("hünter2")


def test_the_text_is_that_of_the_phc() -> None:
    assert str(hash_password("x", memory_kib=1024, passes=1)).startswith("$argon2id$v=19$m=1024,t=1,p=1$")


def test_a_vector_of_rfc_7914() -> None:
    known = parse_hash(
        "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$"
        "cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw"
    )
    # RFC 7914, section 12, third vector: password "pleaseletmein", salt "SodiumChloride".
    assert known.matches("pleaseletmein")
    assert not known.matches("pleaseletmeout")
    assert str(known.like())[:22] == str(known)[:22] == "$scrypt$ln=14,r=8,p=1$"
    assert not known.like().matches("pleaseletmein")


def test_new_hashes_take_what_rfc_9106_says() -> None:
    new = str(hash_password("x"))
    assert new.startswith("$argon2id$v=19$m=65536,t=3,p=1$")
    assert str(random_hash())[:31] == new[:31]
    assert len(str(random_hash())) == len(new)
    assert parse_hash(new).matches("x")


def test_hashes_wait_for_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    slots = threading.BoundedSemaphore(1)
    monkeypatch.setattr(passwords, "_AT_ONCE", slots)
    hashed = hash_password("x", memory_kib=1024, passes=1)
    slots.acquire()
    thread = threading.Thread(target=hashed.matches, args=("x",), daemon=True)
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    slots.release()
    thread.join(60)
    assert not thread.is_alive()


def test_salts_differ() -> None:
    assert str(hash_password("x", memory_kib=1024, passes=1)) != str(
        hash_password("x", memory_kib=1024, passes=1)
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hunter2",
        "$2b$12$abcdefghijklmnopqrstuv",
        "$argon2i$v=19$m=65536,t=3,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$argon2id$v=16$m=65536,t=3,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$argon2id$v=19$m=64,t=3,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$argon2id$v=19$m=9999999,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$argon2id$v=19$m=65536,t=999,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$argon2id$v=19$m=65536,t=0,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$argon2id$v=19$m=65536,t=3,p=0$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHRzYWx0aB$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=14,r=8$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=30,r=8,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=17,r=8,p=99$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=14,r=0,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$scrypt$ln=14,r=8,p=1$c2FsdHNhbHRzYWx0a$aGFzaGhhc2hoYXNoaGFzaGhhc2g",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not|asks (scrypt|Argon2)") as caught:
        parse_hash(text)
    assert not text or text not in str(caught.value)
