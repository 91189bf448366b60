from __future__ import annotations

import pytest

from sqe.engine.scrub import remove_secrets

JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl"
HANDLE = "9c12d441-03fe-4693-9a96-a0705ddf69c1." + "0f" * 32


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"Malformed token {JWT} in request", "Malformed token *** in request"),
        (f"Authorization: Bearer {JWT}", "Authorization: Bearer ***"),
        ("Authorization: bearer 0a1b2c3d4e", "Authorization: bearer ***"),
        ("Authorization: Basic YWxpY2U6c2VjcmV0", "Authorization: Basic ***"),
        (
            "GET https://lake.s3.example/t/a.parquet?X-Amz-Signature=abc&X-Amz-Credential=AK/us failed",
            "GET https://lake.s3.example/t/a.parquet failed",
        ),
        ("http://127.0.0.1:1/sts?Action=Assume", "http://127.0.0.1:1/sts"),
        ("X-Amz-Security-Token: FwoGZX, next", "X-Amz-Security-Token:***, next"),
        ("with x-amz-signature=abcdef&more", "with x-amz-signature=***&more"),
        ("AWS4-HMAC-SHA256 Credential=AK/2/us, Signature=ff", "AWS4-HMAC-SHA256 ***"),
        ("{s3.secret-access-key=abc, s3.region=x}", "{s3.secret-access-key=***, s3.region=x}"),
        ('{"s3.session-token": "abc", "a": 1}', '{"s3.session-token": "***", "a": 1}'),
        ("refresh_token=abc&grant=x", "refresh_token=***&grant=x"),
        (f"the session {HANDLE} is not known", "the session *** is not known"),
    ],
)
def test_what_could_be_used_is_taken_out(text: str, clean: str) -> None:
    assert remove_secrets(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "The table or view `lake`.`sales`.`t` cannot be found.",
        "The basic plan is `bearer_of_news`; why?",
        "s3://lake/t/data/00000-1-9c12d441-03fe-4693-9a96-a0705ddf69c1-0-00001.parquet",
        "Cannot read https://example.org/a.csv",
        "session 9c12d441-03fe-4693-9a96-a0705ddf69c1",
    ],
)
def test_the_rest_stays(text: str) -> None:
    assert remove_secrets(text) == text
