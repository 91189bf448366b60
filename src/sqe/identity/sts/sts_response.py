"""Read the responses of an STS without trusting it: no declarations, no entities, a limited size."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from xml.parsers import expat

LONGEST = 64 * 1024
_DEEPEST = 16


class MalformedResponseError(Exception):
    """A response is not one of an STS."""


@dataclass(frozen=True, slots=True)
class Refusal:
    code: str
    message: str


def read_credentials(document: bytes) -> tuple[str, str, str, float]:
    """Return access key, secret key, session token and their end (`time.time()`). Raises MalformedResponseError."""
    found = _leaves(document, "Credentials")
    try:
        key, secret, token = found["AccessKeyId"], found["SecretAccessKey"], found["SessionToken"]
        end = datetime.datetime.fromisoformat(found["Expiration"])
    except (KeyError, ValueError) as error:
        raise MalformedResponseError(
            f"no {error}" if isinstance(error, KeyError) else "no time of their end"
        ) from None
    if not (key and secret and token) or end.tzinfo is None:
        raise MalformedResponseError("something is empty")
    return key, secret, token, end.timestamp()


def read_arn(document: bytes) -> str:
    """Return the ARN of the caller (GetCallerIdentity). Raises MalformedResponseError."""
    arn = _leaves(document, "GetCallerIdentityResult").get("Arn")
    if not arn:
        raise MalformedResponseError("no ARN")
    return arn


def read_refusal(document: bytes) -> Refusal:
    """Return the reason of a refusal. Raises MalformedResponseError when there is none."""
    found = _leaves(document, "Error")
    if not found.get("Code"):
        raise MalformedResponseError("no code")
    return Refusal(found["Code"], found.get("Message", ""))


def _leaves(document: bytes, parent: str) -> Mapping[str, str]:
    """Return the texts of the elements inside the element `parent`, by local name."""
    if len(document) > LONGEST:
        raise MalformedResponseError("it is too long")
    path: list[str] = []
    found: dict[str, str] = {}

    def start(name: str, _: object) -> None:
        path.append(name.rpartition(":")[2])
        if len(path) > _DEEPEST:
            raise MalformedResponseError("it is too deep")

    def end(_: str) -> None:
        path.pop()

    def text(data: str) -> None:
        if len(path) > 1 and path[-2] == parent:
            found[path[-1]] = found.get(path[-1], "") + data

    def refuse(*_: object) -> None:
        raise MalformedResponseError("it has declarations")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(document, True)
    except expat.ExpatError as error:
        raise MalformedResponseError(f"it is no XML: {expat.errors.messages[error.code]}") from None
    return {name: value.strip() for name, value in found.items()}
