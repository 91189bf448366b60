from __future__ import annotations

import pickle

import pytest

from sqe.units import Duration, Secret, Size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0B", 0),
        ("17B", 17),
        ("512MB", 512_000_000),
        ("512MiB", 512 * 1024**2),
        ("2GiB", 2 * 1024**3),
        ("1.5GB", 1_500_000_000),
        ("1 kB", 1000),
        ("1mb", 1_000_000),
        (" 1TB ", 10**12),
    ],
)
def test_a_size_is_read(text: str, size: int) -> None:
    assert Size(text) == size


@pytest.mark.parametrize("text", ["", "512", "MB", "2g", "512m", "-1MB", "1.5B", "1MB2", "1e3MB", "NaNMB"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^is not"):
        Size(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0B"), (1, "1B"), (1536, "1536B"), (1_000_000, "1MB"), (1024**2, "1MiB"), (32 * 1000**2, "32MB")],
)
def test_a_size_prints_the_shortest_exact_text(size: int, text: str) -> None:
    assert str(Size(size)) == text
    assert Size(text) == size


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0s", 0),
        ("500ms", 0.5),
        ("30s", 30),
        ("15min", 900),
        ("15m", 900),
        ("1h30m", 5400),
        ("1h 30min", 5400),
        ("1.5h", 5400),
        ("2d", 172_800),
        ("1m0.25s", 60.25),
    ],
)
def test_a_duration_is_read(text: str, seconds: float) -> None:
    assert Duration(text) == seconds


@pytest.mark.parametrize("text", ["", "30", "s", "-1s", "1h1h", "30s1h", "1hour", "1 h x", "1e3s"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^is not"):
        Duration(text)


@pytest.mark.parametrize("text", ["0s", "500ms", "1min30s", "2h", "1d2h3min4s5ms", "0.000250s"])
def test_a_duration_prints_what_reads_as_itself(text: str) -> None:
    assert Duration(str(Duration(text))) == Duration(text)


def test_a_duration_prints_the_largest_units() -> None:
    assert str(Duration(5400.5)) == "1h30min500ms"


def test_a_secret_shows_itself_nowhere() -> None:
    secret = Secret("hunter2")
    assert "hunter2" not in f"{secret} {secret!r} {[secret]}"
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    assert secret.reveal() == "hunter2"


def test_secrets_compare_by_their_text() -> None:
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert len({Secret("a"), Secret("a")}) == 1


@pytest.mark.parametrize("text", ["", "***"])
def test_an_empty_or_redacted_text_is_no_secret(text: str) -> None:
    with pytest.raises(ValueError, match=r"^is "):
        Secret(text)
