from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest
from testing.server import write_users

from sqe.errors import AuthenticationError, ConfigError
from sqe.identity.credentials import Password, PresentedCredentials
from sqe.identity.providers.client_certificate import ClientCertificate
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.identity.providers.passwords import Argon2Hash, hash_password, parse_hash
from sqe.identity.providers.users_file import User, UsersFile, read_users
from sqe.model.identity import Principal

# RFC 7914, section 12: of "pleaseletmein".
SCRYPT = (
    "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$"
    "cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw"
)


def login(provider: UsersFile, user: str, secret: str, address: str = "192.0.2.1") -> object:
    return provider.authenticate(PresentedCredentials(Password(user, secret), address=address))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_users(tmp_path / "users", {"alice": "a", "bob": "b"})


@pytest.fixture
def comparisons(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every password that was hashed."""
    seen: list[str] = []
    original = Argon2Hash.matches

    def matches(self: Argon2Hash, password: str) -> bool:
        seen.append(password)
        return original(self, password)

    monkeypatch.setattr(Argon2Hash, "matches", matches)
    return seen


def test_a_right_password_is_accepted_with_groups(tmp_path: Path) -> None:
    path = tmp_path / "users"
    path.touch(0o600)
    user = User("carol", hash_password("c", memory_kib=1024, passes=1), frozenset({"dev", "ops"}))
    path.write_text(f"# people\n\n{user.line()}\n")
    assert user.line().endswith(":dev,ops")
    principal = UsersFile(path).authenticate(PresentedCredentials(Password("carol", "c")))
    assert principal is not None
    assert principal == Principal("carol", "users_file", frozenset({"dev", "ops"}))


def test_what_has_no_password_is_none_of_its_business(file: Path) -> None:
    provider = UsersFile(file)
    assert (
        provider.authenticate(
            PresentedCredentials(bearer="x", certificate=ClientCertificate("alice"), loopback=True)
        )
        is None
    )


def test_an_unknown_user_costs_as_much_as_a_wrong_password(file: Path, comparisons: list[str]) -> None:
    provider = UsersFile(file)
    messages = []
    for user, secret in (("alice", "wrong"), ("mallory", "wrong"), ("", "wrong"), ("alice", "")):
        with pytest.raises(AuthenticationError) as caught:
            login(provider, user, secret)
        messages.append((caught.value.message, caught.value.hint))
    assert len(comparisons) == 4
    assert len(set(messages)) == 1


def test_a_password_that_was_right_a_moment_ago_is_not_hashed_again(
    file: Path, comparisons: list[str]
) -> None:
    provider = UsersFile(file)
    for _ in range(3):
        login(provider, "alice", "a")
    assert comparisons == ["a"]
    with pytest.raises(AuthenticationError):
        login(provider, "bob", "a")
    with pytest.raises(AuthenticationError):
        login(provider, "alice", "A")
    assert comparisons == ["a", "a", "A"]


def test_the_file_is_read_again_when_it_changes(file: Path) -> None:
    gone: list[frozenset[str]] = []
    provider = UsersFile(file, gone.append)
    login(provider, "alice", "a")
    login(provider, "bob", "b")
    write_users(file, {"alice": "new", "carol": "c"})
    with pytest.raises(AuthenticationError):
        login(provider, "alice", "a")
    with pytest.raises(AuthenticationError):
        login(provider, "bob", "b")
    assert login(provider, "alice", "new")
    assert login(provider, "carol", "c")
    assert gone == [{"alice", "bob"}]


def test_tokens_end_with_a_group_too(tmp_path: Path) -> None:
    path = write_users(tmp_path / "users", {"alice": "a", "bob": "b"})
    lines = path.read_text().splitlines()
    gone: list[frozenset[str]] = []
    provider = UsersFile(path, gone.append)
    path.write_text(f"{lines[0]}:dev\n{lines[1]}\n")
    provider.refresh()
    assert gone == [{"alice"}]
    principal = provider.authenticate(PresentedCredentials(Password("alice", "a")))
    assert principal == Principal("alice", "users_file", frozenset({"dev"}))


def test_a_user_who_is_removed_while_the_password_is_compared_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = UsersFile(file)

    def matches(self: Argon2Hash, password: str) -> bool:
        write_users(file, {"bob": "b"})
        provider.refresh()
        return True

    monkeypatch.setattr(Argon2Hash, "matches", matches)
    with pytest.raises(AuthenticationError, match="is wrong"):
        login(provider, "alice", "a")


def test_users_with_hashes_of_earlier_versions_come_in(tmp_path: Path) -> None:
    path = tmp_path / "users"
    path.touch(0o600)
    path.write_text(f"alice:{SCRYPT}\n")
    assert login(UsersFile(path), "alice", "pleaseletmein")
    with pytest.raises(AuthenticationError, match="is wrong"):
        login(UsersFile(path), "alice", "another")


def test_an_unknown_name_takes_as_long_as_one_of_the_users_and_always_the_same(tmp_path: Path) -> None:
    users = {
        "alice": User("alice", parse_hash(SCRYPT)),
        "bob": User("bob", hash_password("b", memory_kib=1024, passes=1)),
    }
    path = tmp_path / "users"
    path.touch(0o600)
    provider = UsersFile(path)
    kinds = {name: type(provider._stand_in(name, users)) for name in map(str, range(100))}
    assert len(set(kinds.values())) == 2
    assert all(type(provider._stand_in(name, users)) is kind for name, kind in kinds.items())


def test_an_empty_file_lets_nobody_in_and_takes_its_time(tmp_path: Path, comparisons: list[str]) -> None:
    path = tmp_path / "users"
    path.touch(0o600)
    with pytest.raises(AuthenticationError, match="is wrong"):
        login(UsersFile(path), "alice", "")
    assert comparisons == [""]


def test_what_is_made_for_another_provider_is_left_to_it(file: Path, comparisons: list[str]) -> None:
    provider = UsersFile(file)
    assert login(provider, "alice", "sqek_0123456789ab_x") is None
    assert login(provider, "AKIAIOSFODNN7EXAMPLE", "secret") is None
    assert comparisons == []


@pytest.mark.parametrize("damage", ["broken", "open", "gone"])
def test_a_file_that_turns_bad_leaves_the_users_as_they_were(
    file: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    provider = UsersFile(file)
    secret_text = "alice:hunter2-in-clear"
    if damage == "broken":
        file.write_text(secret_text)
    elif damage == "open":
        write_users(file, {"eve": "e"})
        file.chmod(0o644)
    else:
        file.unlink()
    with caplog.at_level(logging.ERROR):
        provider.refresh()
        provider.refresh()
    assert login(provider, "alice", "a")
    assert len(caplog.records) == 1
    assert "hunter2" not in caplog.text
    file.touch(0o600)
    file.chmod(0o600)
    write_users(file, {"eve": "e"})
    assert login(provider, "eve", "e")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_can_read_is_refused(file: Path, mode: int) -> None:
    file.chmod(mode)
    with pytest.raises(ConfigError, match="others than its owner"):
        UsersFile(file)


def test_what_is_wrong_in_the_file_is_named_but_not_repeated(tmp_path: Path) -> None:
    good = str(hash_password("x", memory_kib=1024, passes=1))
    for text, words in (
        ("alice:hunter2", "line 1: what follows alice is not a password hash"),
        (f"al ice:{good}", "line 1: the user's name"),
        (f"a:{good}\na:{good}", "line 2: the user a is there twice"),
        (f"a:{good}:gr oup", "line 1: a group's name"),
    ):
        path = tmp_path / "users"
        path.touch(0o600)
        path.write_text(text)
        with pytest.raises(ConfigError) as caught:
            read_users(path)
        assert words in caught.value.message
        assert "hunter2" not in caught.value.message


def test_a_file_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        UsersFile(tmp_path / "users")
    assert "sqe users add" in (caught.value.hint or "")


def test_a_directory_or_bytes_are_not_users(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_users(tmp_path)
    binary = tmp_path / "binary"
    descriptor = os.open(binary, os.O_CREAT | os.O_WRONLY, 0o600)
    os.write(descriptor, b"\xff\xfe\x00")
    os.close(descriptor)
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_users(binary)


def test_guessing_gets_slower(file: Path, comparisons: list[str]) -> None:
    now = [0.0]
    provider = UsersFile(file, failed_logins=FailedLogins(lambda: now[0]))
    for _ in range(5):
        with pytest.raises(AuthenticationError, match="is wrong"):
            login(provider, "alice", "guess")
    with pytest.raises(AuthenticationError, match="Too many"):
        login(provider, "alice", "a")
    assert len(comparisons) == 5
    assert login(provider, "alice", "a", address="192.0.2.2")  # somebody else's guesses do not lock her out
    now[0] = 1.1
    with pytest.raises(AuthenticationError, match="is wrong"):
        login(provider, "alice", "guess")
    now[0] = 2.2
    with pytest.raises(AuthenticationError, match="Too many"):
        login(provider, "alice", "guess")
