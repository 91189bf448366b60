from __future__ import annotations

import hashlib
import hmac
import json

import pytest

from sqe.engine import requests
from sqe.engine.endpoint import Endpoint
from sqe.engine.settings import PINNED

SESSION = "6f1c3c9a-1111-2222-3333-444444444444"


def test_a_request_is_an_extension_with_a_proof_for_one_session() -> None:
    message = requests.relation("table", '["a"]', SESSION, "the secret").extension
    said = json.loads(message.value)
    text = f"sqe request\n{SESSION}\ntable\n" + '["a"]'
    assert message.type_url == "sqe.spark/request"
    assert said == {
        "request": "table",
        "argument": '["a"]',
        "proof": hmac.new(b"the secret", text.encode(), hashlib.sha256).hexdigest(),
    }
    assert b"the secret" not in message.value


@pytest.mark.parametrize(
    "other",
    [
        ("table", '["b"]', SESSION, "the secret"),
        ("set_tags", '["a"]', SESSION, "the secret"),
        ("table", '["a"]', SESSION[::-1], "the secret"),
        ("table", '["a"]', SESSION, "another secret"),
    ],
)
def test_another_request_has_another_proof(other: tuple[str, str, str, str]) -> None:
    made = requests.command("table", '["a"]', SESSION, "the secret").extension
    assert json.loads(made.value)["proof"] != json.loads(requests.command(*other).extension.value)["proof"]


def test_the_engine_knows_our_extensions_and_no_others() -> None:
    pinned = {pin.key: pin.value for pin in PINNED if pin.key.startswith("spark.connect.extensions.")}
    assert pinned == {
        "spark.connect.extensions.relation.classes": "sqe.spark.request.GatewayRelations",
        "spark.connect.extensions.command.classes": "sqe.spark.request.GatewayCommands",
        "spark.connect.extensions.expression.classes": "",
    }


def test_the_secret_is_not_shown() -> None:
    assert "the secret" not in repr(Endpoint("sc://localhost:1", None, request_secret="the secret"))
