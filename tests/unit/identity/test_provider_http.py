from __future__ import annotations

import pytest
from pydantic import BaseModel

from sqe.common.http_client import Response
from sqe.errors import IdentityProviderError
from sqe.identity.provider_http import read_json


class Model(BaseModel):
    a: int


def test_only_objects_of_the_right_kind_are_responses() -> None:
    for body in (b"", b"[]", b"<html>", b"\xff", b"[" * 100_000, b'{"a": "x"}', b"{}"):
        with pytest.raises(IdentityProviderError):
            read_json(Response(200, body), Model)
    assert read_json(Response(200, b'{"a": 1, "b": 2}'), Model) == Model(a=1)


def test_the_error_names_fields_and_repeats_no_values() -> None:
    with pytest.raises(IdentityProviderError) as caught:
        read_json(Response(200, b'{"a": "hunter2"}'), Model, "https://idp.example.com/token")
    assert "https://idp.example.com/token" in str(caught.value.detail)
    assert "a: Input should be a valid integer" in str(caught.value.detail)
    assert "hunter2" not in str(caught.value.detail)
