"""One schema for both sides of the control protocol."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from sqe.control import protocol
from sqe.engine.runtime import guard

JAVA = guard.find_sources() / "sqe/spark"
GENERATED = JAVA / "identity/Protocol.java"
# The classes that write requests and read responses.
SPEAKING = (
    *("identity/Control", "identity/ControlCall", "local/S3Store"),
    *("guard/Question", "guard/Decision", "guard/Decisions"),
)
MESSAGES = (*protocol.REQUESTS, *protocol.RESPONSES)
NAMES = {field for model in MESSAGES for field in model.model_fields}


def literals(source: str) -> set[str]:
    without_comments = re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)
    return set(re.findall(r'"((?:[^"\\\\]|\\\\.)*)"', without_comments))


def test_the_constants_of_java_are_those_of_the_schema() -> None:
    assert GENERATED.read_text(encoding="utf-8") == protocol.java_source(), "run `make protocol`"


def test_every_message_and_path_is_generated() -> None:
    defined = {
        model
        for model in vars(protocol).values()
        if isinstance(model, type) and issubclass(model, BaseModel) and model.__module__ == protocol.__name__
    }
    assert {model for model in defined if not model.__name__.startswith("_")} - {BaseModel} == set(MESSAGES)
    assert literals(GENERATED.read_text(encoding="utf-8")) == NAMES | set(protocol.PATHS.values())


@pytest.mark.parametrize("name", SPEAKING)
def test_java_takes_names_from_the_schema_only(name: str) -> None:
    source = (JAVA / f"{name}.java").read_text(encoding="utf-8")
    assert "Protocol" in source
    assert not {text for text in literals(source) if text in NAMES or text.startswith("/v1")}
    # What is written to a request or read from a response is a constant of the schema, which the compiler checks.
    for call in re.findall(r"(?:\bbody\.put|\bfields\.put|\banswer\.(?:path|get))\(([^,)]*)", source):
        assert re.fullmatch(r"(?:Protocol\.)?\w+(?:Request|Response|Fields|Decision)\.[A-Z_]+|field", call), (
            call
        )


@pytest.mark.parametrize("model", protocol.REQUESTS, ids=lambda model: str(model.__name__))
def test_java_sends_every_field_of_a_request(model: type[BaseModel]) -> None:
    sources = "".join((JAVA / f"{name}.java").read_text(encoding="utf-8") for name in SPEAKING)
    for field in model.model_fields:
        assert f"{model.__name__}.{field.upper()}" in sources, field


@pytest.mark.parametrize("name", ["app", "handlers", "questions", "endpoint"])
def test_python_takes_names_from_the_schema_only(name: str) -> None:
    source = Path(protocol.__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
    assert not re.findall(r'"/v1|\[["\'](?:' + "|".join(NAMES) + r')["\']\]|\.get\("|\{"error"', source)


def test_secrets_are_not_shown() -> None:
    keys = protocol.CredentialsResponse(
        access_key_id="id", secret_access_key="hidden", session_token="hidden", expires_in=1
    )
    assert "hidden" not in repr(keys)
    assert "hidden" not in repr(protocol.TokenResponse(token="hidden", expires_in=1))
