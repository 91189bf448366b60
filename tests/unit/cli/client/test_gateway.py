from __future__ import annotations

import time
from pathlib import Path

import pytest

from sqe.cli.client import gateway
from sqe.config.schema import Config
from sqe.errors import GatewayError
from sqe.model.session import SessionSpec


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[float]:
    """Return the pauses between the attempts to reach a gateway that runs and has a socket."""
    found: list[float] = []
    monkeypatch.setattr(time, "sleep", found.append)
    monkeypatch.setattr(gateway, "gateway_directory", lambda config: tmp_path)
    monkeypatch.setattr(gateway, "is_alive", lambda directory: True)
    (tmp_path / "socket").touch()
    return found


def test_a_gateway_that_does_not_listen_yet_is_asked_again_after_growing_pauses(
    monkeypatch: pytest.MonkeyPatch, pauses: list[float]
) -> None:
    connection = object()
    answers = iter([None, None, None, None, None, None, connection])
    monkeypatch.setattr(gateway, "_try", lambda directory, spec: next(answers))
    assert gateway.connect(Config(), SessionSpec(()), on_wait=lambda note: None) is connection
    assert pauses == sorted(pauses)
    assert sum(pauses) > 1


def test_one_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch, pauses: list[float]) -> None:
    monkeypatch.setattr(gateway, "_try", lambda directory, spec: None)
    with pytest.raises(GatewayError, match="does not answer"):
        gateway.connect(Config(), SessionSpec(()), on_wait=lambda note: None)
    assert 10 < sum(pauses) < 60
