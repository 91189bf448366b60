from __future__ import annotations

import datetime
import hmac
import logging
from collections.abc import Iterable
from pathlib import Path

import pytest
from testing.server import write_users

from sqe.errors import AuthenticationError, ConfigError
from sqe.identity.chain import Authenticator
from sqe.identity.credentials import Password, PresentedCredentials, from_authorization
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.providers.api_key import ApiKey, ApiKeys, make_key, read_keys
from sqe.identity.providers.users_file import UsersFile
from sqe.model.identity import Principal

DAY = datetime.timedelta(days=1)
NOW = datetime.datetime(2030, 1, 1, tzinfo=datetime.UTC)


class Clock:
    def __init__(self, now: datetime.datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now.timestamp()


def write_keys(path: Path, keys: Iterable[ApiKey]) -> Path:
    fresh = path.with_suffix(".new")
    fresh.touch(0o600)
    fresh.write_text("# keys\n" + "".join(f"{key.line()}\n" for key in keys))
    return fresh.replace(path)


@pytest.fixture
def alice() -> tuple[str, ApiKey]:
    return make_key(
        "alice", expires=NOW + DAY, groups=["dev", "ops"], roles=["reader"], description="nightly: load"
    )


@pytest.fixture
def file(tmp_path: Path, alice: tuple[str, ApiKey]) -> Path:
    return write_keys(tmp_path / "keys", [alice[1]])


@pytest.fixture
def provider(file: Path) -> ApiKeys:
    return ApiKeys(file, clock=Clock())


def refused(provider: ApiKeys, presented: PresentedCredentials) -> AuthenticationError:
    with pytest.raises(AuthenticationError) as caught:
        provider.authenticate(presented)
    return caught.value


def test_a_key_is_a_bearer_token_or_its_users_password(provider: ApiKeys, alice: tuple[str, ApiKey]) -> None:
    key, kept = alice
    expected = Principal(
        "alice", "api_key", frozenset({"dev", "ops"}), frozenset({"reader"}), subject=kept.id
    )
    assert provider.authenticate(PresentedCredentials(bearer=key)) == expected
    assert provider.authenticate(PresentedCredentials(Password("alice", key))) == expected
    assert provider.authenticate(from_authorization(f"Bearer {key}")) == expected


def test_keys_are_random_and_only_their_hashes_are_kept(file: Path, alice: tuple[str, ApiKey]) -> None:
    key, kept = alice
    assert key.startswith("sqek_")
    assert make_key("alice")[0] != key
    secret = key.removeprefix(f"sqek_{kept.id}_")
    assert len(secret) == 43  # 256 bits
    assert secret not in file.read_text()
    assert secret not in repr(kept)


def test_a_line_says_everything(file: Path, alice: tuple[str, ApiKey]) -> None:
    assert read_keys(file)[0] == {alice[1].id: alice[1]}
    assert ":20300102T000000Z:dev,ops:reader:nightly: load" in file.read_text()


def test_what_is_no_key_is_none_of_its_business(provider: ApiKeys) -> None:
    for presented in (
        PresentedCredentials(),
        PresentedCredentials(Password("alice", "a")),
        PresentedCredentials(Password("sqek_", "a")),
        PresentedCredentials(bearer="sqe_token"),
        PresentedCredentials(bearer="eyJhbGciOiJSUzI1NiJ9.e30.c2ln"),
        PresentedCredentials(bearer="Sqek_x"),
        PresentedCredentials(bearer=" sqek_x"),
        PresentedCredentials(loopback=True, claimed_user="alice"),
    ):
        assert provider.authenticate(presented) is None


def test_every_wrong_key_is_refused_with_the_same_words(provider: ApiKeys, alice: tuple[str, ApiKey]) -> None:
    key, kept = alice
    other, _ = make_key("alice")
    wrong = [
        PresentedCredentials(bearer=other),
        PresentedCredentials(bearer="sqek_"),
        PresentedCredentials(bearer="sqek_" + "x" * 8000),
        PresentedCredentials(bearer=key[:-1]),
        PresentedCredentials(bearer=key + "A"),
        PresentedCredentials(bearer=key + "\n"),
        PresentedCredentials(bearer=key[:-1] + ("A" if key[-1] != "A" else "B")),
        PresentedCredentials(
            bearer=key.replace(kept.id, kept.id.upper() if kept.id.upper() != kept.id else "0" * 12)
        ),
        PresentedCredentials(
            bearer=f"sqek_{kept.id}_{kept.digest.hex()[:43]}"
        ),  # what is in the file is not the key
        PresentedCredentials(bearer="sqek_é"),
        PresentedCredentials(Password("bob", key)),
        PresentedCredentials(Password("", key)),
        PresentedCredentials(Password("Alice", key)),
        PresentedCredentials(Password("alice ", key)),
        PresentedCredentials(Password("alice", other)),
    ]
    errors = [refused(provider, presented) for presented in wrong]
    assert {(error.message, error.hint) for error in errors} == {("The user or the API key is wrong.", None)}
    secret = key.removeprefix(f"sqek_{kept.id}_")
    assert not [error for error in errors if secret[:20] in str(error.detail)]
    assert "another user's" in str(refused(provider, PresentedCredentials(Password("bob", key))).detail)


def test_an_unknown_key_is_compared_like_a_known_one(
    provider: ApiKeys, alice: tuple[str, ApiKey], monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[int, int]] = []
    original = hmac.compare_digest

    def compare(left: bytes, right: bytes) -> bool:
        compared.append((len(left), len(right)))
        return original(left, right)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    other, _ = make_key("mallory")
    wrong = alice[0][:-1] + ("A" if alice[0][-1] != "A" else "B")
    for key in (other, wrong, "sqek_short"):
        refused(provider, PresentedCredentials(bearer=key))
    assert provider.authenticate(PresentedCredentials(bearer=alice[0]))
    assert compared == [(32, 32)] * 4


def test_a_key_expires_and_its_tokens_with_it(file: Path, alice: tuple[str, ApiKey]) -> None:
    clock, tokens = Clock(), SessionTokens(10_000, 10_000)
    gone: list[frozenset[str]] = []

    def end(ids: frozenset[str]) -> None:
        gone.append(ids)
        tokens.revoke_subjects("api_key", ids)

    provider = ApiKeys(file, end, clock)
    principal = provider.authenticate(PresentedCredentials(bearer=alice[0]))
    assert principal is not None
    token = tokens.mint(principal)
    clock.now = NOW + DAY - datetime.timedelta(seconds=1)
    provider.refresh()
    assert gone == []
    clock.now = NOW + DAY
    provider.refresh()
    provider.refresh()
    assert gone == [{alice[1].id}]
    assert tokens.principal(token) is None
    assert "has expired" in str(refused(provider, PresentedCredentials(bearer=alice[0])).detail)


def test_the_file_is_read_again_and_a_removed_key_ends_its_own_tokens(
    file: Path, alice: tuple[str, ApiKey]
) -> None:
    other_key, other = make_key("alice", groups=["dev"])
    write_keys(file, [alice[1], other])
    tokens = SessionTokens(10_000, 10_000)
    provider = ApiKeys(file, lambda ids: tokens.revoke_subjects("api_key", ids), Clock())
    authenticator = Authenticator((tokens, provider))
    minted = {
        key: tokens.mint(authenticator.authenticate(PresentedCredentials(Password("alice", key))))
        for key in (alice[0], other_key)
    }
    write_keys(file, [other])
    provider.refresh()
    assert tokens.principal(minted[alice[0]]) is None
    assert tokens.principal(minted[other_key]) is not None
    refused(provider, PresentedCredentials(bearer=alice[0]))
    changed = ApiKey(other.id, "alice", other.digest, groups=frozenset({"less"}))
    write_keys(file, [changed])
    principal = provider.authenticate(PresentedCredentials(bearer=other_key))
    assert principal is not None
    assert principal.groups == {"less"}
    assert tokens.principal(minted[other_key]) is None


@pytest.mark.parametrize("damage", ["broken", "open", "gone", "a link to an open one"])
def test_a_file_that_turns_bad_leaves_the_keys_as_they_were(
    file: Path, tmp_path: Path, alice: tuple[str, ApiKey], damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    gone: list[frozenset[str]] = []
    provider = ApiKeys(file, gone.append, Clock())
    secret = make_key("eve")[0]
    if damage == "broken":
        file.write_text(secret)
    elif damage == "open":
        write_keys(file, [make_key("eve")[1]])
        file.chmod(0o640)
    elif damage == "gone":
        file.unlink()
    else:
        theirs = write_keys(tmp_path / "theirs", [make_key("eve")[1]])
        theirs.chmod(0o644)
        file.unlink()
        file.symlink_to(theirs)
    with caplog.at_level(logging.ERROR):
        assert provider.authenticate(PresentedCredentials(bearer=alice[0]))
        assert provider.authenticate(PresentedCredentials(bearer=alice[0]))
    assert len(caplog.records) == 1
    assert secret not in caplog.text
    assert gone == []


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_can_read_is_refused(file: Path, mode: int) -> None:
    file.chmod(mode)
    with pytest.raises(ConfigError, match="others than its owner"):
        ApiKeys(file)


def test_a_file_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        ApiKeys(tmp_path / "keys")
    assert "sqe keys add" in (caught.value.hint or "")


def test_what_is_wrong_in_the_file_is_named_but_not_repeated(tmp_path: Path) -> None:
    digest = "ab" * 32
    for line, words in (
        (f"alice:{digest}", "it is not id:user"),
        (f"0123456789AB:alice:{digest}::::", "the id is not"),
        (f"0123456789ab:al ice:{digest}::::", "the user's name"),
        ("0123456789ab:alice:sqek_hunter2::::", "what follows alice is not a SHA-256"),
        (f"0123456789ab:alice:{digest.upper()}::::", "what follows alice is not a SHA-256"),
        (f"0123456789ab:alice:{digest}:tomorrow:::", "the time it expires"),
        (f"0123456789ab:alice:{digest}:2030-01-01:::", "the time it expires"),
        (f"0123456789ab:alice:{digest}::gr oup::", "a group's name"),
        (f"0123456789ab:alice:{digest}:::ro\tle:", "a role's name"),
        (f"0123456789ab:alice:{digest}::::\x1b[2Jx", "the description"),
        (f"0123456789ab:alice:{digest}::::\n0123456789ab:bob:{digest}::::", "is there twice"),
    ):
        path = tmp_path / "keys"
        path.touch(0o600)
        path.write_text(line)
        with pytest.raises(ConfigError) as caught:
            read_keys(path)
        assert words in caught.value.message
        assert "hunter2" not in caught.value.message


@pytest.mark.parametrize("description", ["a\nb", "x" * 201, "a\x00"])
def test_what_could_not_be_read_again_is_not_made(description: str) -> None:
    with pytest.raises(ValueError, match="description"):
        make_key("alice", description=description)


def test_the_order_of_the_providers_does_not_matter_to_a_key(
    provider: ApiKeys, alice: tuple[str, ApiKey], tmp_path: Path
) -> None:
    users = UsersFile(write_users(tmp_path / "users", {"alice": "a"}))
    for order in ((users, provider), (provider, users)):
        authenticator = Authenticator((SessionTokens(60, 60), *order))
        assert (
            authenticator.authenticate(PresentedCredentials(Password("alice", alice[0]))).provider
            == "api_key"
        )
        assert (
            authenticator.authenticate(PresentedCredentials(Password("alice", "a"))).provider == "users_file"
        )


def test_nobody_acts_as_another_with_a_key(provider: ApiKeys, alice: tuple[str, ApiKey]) -> None:
    with pytest.raises(AuthenticationError, match="cannot act as"):
        Authenticator((provider,)).authenticate(PresentedCredentials(bearer=alice[0], claimed_user="bob"))


def test_a_key_is_in_no_log(
    provider: ApiKeys, alice: tuple[str, ApiKey], caplog: pytest.LogCaptureFixture
) -> None:
    authenticator = Authenticator((provider,))
    with caplog.at_level(logging.DEBUG):
        authenticator.authenticate(PresentedCredentials(bearer=alice[0]))
        for presented in (
            PresentedCredentials(Password("bob", alice[0])),
            PresentedCredentials(bearer=alice[0] + "x"),
        ):
            with pytest.raises(AuthenticationError):
                authenticator.authenticate(presented)
    assert caplog.records
    assert "sqek_" not in caplog.text
