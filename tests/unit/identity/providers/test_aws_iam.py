from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from botocore.session import get_session
from tests.support.clock import Clock
from tests.support.moto import Moto, running_moto

from sqe.errors import AuthenticationError, ConfigError, IdentityProviderError
from sqe.identity.credentials import Password, PresentedCredentials
from sqe.identity.provider_http import provider_http_client
from sqe.identity.providers.aws_iam import ArnUsers, AwsIam
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.model.identity import Principal

ACCOUNT = "123456789012"  # moto's
ALICE = f"arn:aws:iam::{ACCOUNT}:user/alice"
KEY_ID = "AKIAIOSFODNN7EXAMPLE"
SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
EVERYTHING = json.dumps(
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
)
Ask = Callable[..., Principal | None]


def ask(provider: AwsIam, user: str, secret: str, address: str | None = "192.0.2.1") -> Principal | None:
    return provider.authenticate(PresentedCredentials(Password(user, secret), address=address))


def refused(provider: AwsIam, user: str, secret: str) -> AuthenticationError:
    with pytest.raises(AuthenticationError) as caught:
        ask(provider, user, secret)
    assert not isinstance(caught.value, IdentityProviderError)
    assert caught.value.message == "The user or the password is wrong."
    assert secret not in f"{caught.value.message} {caught.value.hint} {caught.value.detail}"
    return caught.value


def unanswered(provider: AwsIam, user: str = KEY_ID, secret: str = SECRET) -> IdentityProviderError:
    with pytest.raises(IdentityProviderError) as caught:
        ask(provider, user, secret)
    assert secret not in f"{caught.value.message} {caught.value.hint} {caught.value.detail}"
    return caught.value


# -- against moto, which checks signatures ----------------------------------------------------------------------------


@dataclass
class Aws:
    url: str
    keys: dict[str, tuple[str, str]]  # who -> id, password


@pytest.fixture(scope="module")
def aws() -> Iterator[Aws]:
    with running_moto() as moto:
        yield Aws(moto.url, _people(moto))


def _people(moto: Moto) -> dict[str, tuple[str, str]]:
    def client(service: str) -> Any:
        return get_session().create_client(
            service,
            endpoint_url=moto.url,
            region_name="eu-west-1",
            aws_access_key_id="setup",
            aws_secret_access_key="setup",
        )

    iam, keys = client("iam"), {}
    for name in ("alice", "mallory"):
        iam.create_user(UserName=name)
        iam.put_user_policy(UserName=name, PolicyName="all", PolicyDocument=EVERYTHING)
        key = iam.create_access_key(UserName=name)["AccessKey"]
        keys[name] = (key["AccessKeyId"], key["SecretAccessKey"])
    role = iam.create_role(RoleName="Analyst", AssumeRolePolicyDocument=EVERYTHING)["Role"]["Arn"]
    iam.put_role_policy(RoleName="Analyst", PolicyName="all", PolicyDocument=EVERYTHING)
    given = client("sts").assume_role(RoleArn=role, RoleSessionName="carol")["Credentials"]
    keys["carol"] = (given["AccessKeyId"], f"{given['SecretAccessKey']}|{given['SessionToken']}")
    moto.check_signatures()
    return keys


@pytest.fixture
def provider(aws: Aws) -> Iterator[AwsIam]:
    users = {ALICE: "alice", f"arn:aws:sts::{ACCOUNT}:assumed-role/Analyst/*": "analyst"}
    provider = AwsIam(lambda: provider_http_client(60.0), users, "eu-west-1", aws.url)
    yield provider
    provider.close()


def test_aws_says_whose_key_it_is(aws: Aws, provider: AwsIam) -> None:
    assert ask(provider, *aws.keys["alice"]) == Principal("alice", "aws_iam", subject=ALICE)


def test_keys_of_a_role_come_with_their_session_token(aws: Aws, provider: AwsIam) -> None:
    user, password = aws.keys["carol"]
    assert user.startswith("ASIA")
    subject = f"arn:aws:sts::{ACCOUNT}:assumed-role/Analyst/carol"
    assert ask(provider, user, password) == Principal("analyst", "aws_iam", subject=subject)
    assert "STS answers 4" in str(refused(provider, user, password.partition("|")[0]).detail)


def test_a_wrong_secret_and_an_unknown_key_are_refused(aws: Aws, provider: AwsIam) -> None:
    user, secret = aws.keys["alice"]
    other = "x" if secret[0] != "x" else "y"
    assert "STS answers 4" in str(refused(provider, user, other + secret[1:]).detail)
    assert "STS answers 4" in str(refused(provider, KEY_ID, SECRET).detail)
    assert ask(provider, user, secret)


def test_a_right_key_of_somebody_whom_nobody_named_is_refused(aws: Aws, provider: AwsIam) -> None:
    assert "user/mallory" in str(refused(provider, *aws.keys["mallory"]).detail)


# -- against an STS that answers what it is told to -------------------------------------------------------------------


@dataclass
class Sts:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    seen: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    url: str = ""


def caller(arn: str) -> bytes:
    return (
        '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>'
        f"<Arn>{arn}</Arn><UserId>AIDA</UserId><Account>{ACCOUNT}</Account></GetCallerIdentityResult>"
        "<ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></GetCallerIdentityResponse>"
    ).encode()


def refusal(code: str) -> bytes:
    return (
        '<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>'
        f"<Code>{code}</Code><Message>no</Message></Error></ErrorResponse>"
    ).encode()


@pytest.fixture
def sts() -> Iterator[Sts]:
    plan = Sts(body=caller(ALICE))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            plan.seen.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(plan.status)
            for name, value in {"Content-Length": str(len(plan.body)), **plan.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(plan.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    plan.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield plan
    server.shutdown()
    thread.join(120)
    server.server_close()


@pytest.fixture
def clock() -> Clock:
    return Clock(0.0)


@pytest.fixture
def fake(sts: Sts, clock: Clock) -> Iterator[AwsIam]:
    failed_logins = FailedLogins(clock, per_address=30)
    provider = AwsIam(
        lambda: provider_http_client(60.0), {ALICE: "alice"}, "eu-west-1", sts.url, failed_logins, clock
    )
    yield provider
    provider.close()


def test_what_has_no_access_key_is_none_of_its_business(fake: AwsIam, sts: Sts) -> None:
    for presented in (
        PresentedCredentials(),
        PresentedCredentials(bearer=KEY_ID),
        PresentedCredentials(Password("alice", SECRET)),
        PresentedCredentials(Password("akiaiosfodnn7example", SECRET)),
        PresentedCredentials(Password(f"{KEY_ID}\n", SECRET)),
        PresentedCredentials(claimed_user=KEY_ID, loopback=True),
    ):
        assert fake.authenticate(presented) is None
    assert sts.seen == []


def test_the_secret_stays_here(fake: AwsIam, sts: Sts, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert ask(fake, KEY_ID, f"{SECRET}|SESSION/token==")
    ((headers, body),) = sts.seen
    assert body == b"Action=GetCallerIdentity&Version=2011-06-15"
    assert headers["authorization"].startswith(f"AWS4-HMAC-SHA256 Credential={KEY_ID}/")
    assert "/eu-west-1/sts/aws4_request" in headers["authorization"]
    assert "content-type;host;x-amz-date;x-amz-security-token" in headers["authorization"]
    assert headers["x-amz-security-token"] == "SESSION/token=="
    assert headers["accept"] == "text/xml"
    assert SECRET not in str(sts.seen)
    assert SECRET not in caplog.text
    assert "SESSION" not in caplog.text


@pytest.mark.parametrize(
    "password",
    [
        "",
        "|",
        f"{SECRET}|",
        f"|{SECRET}",
        f"{SECRET}|a|b",
        f"{SECRET}\n",
        "geheim!",
        "x" * 200,
        f"{SECRET}|a\r\nX: y",
    ],
)
def test_what_cannot_be_a_secret_is_not_sent_anywhere(fake: AwsIam, sts: Sts, password: str) -> None:
    with pytest.raises(AuthenticationError, match="is wrong"):
        ask(fake, KEY_ID, password)
    assert sts.seen == []


def test_an_answer_is_good_for_a_few_minutes_and_for_that_secret_only(
    fake: AwsIam, sts: Sts, clock: Clock
) -> None:
    for _ in range(3):
        assert ask(fake, KEY_ID, SECRET)
    assert len(sts.seen) == 1
    sts.status, sts.body = 403, refusal("InvalidClientTokenId")
    refused(fake, KEY_ID, SECRET[:-1])
    refused(fake, KEY_ID, f"{SECRET}|token")
    refused(fake, "AKIAIOSFODNN7EXAMPLF", SECRET)
    assert ask(fake, KEY_ID, SECRET)
    clock.now = 301.0
    refused(fake, KEY_ID, SECRET)


@pytest.mark.parametrize(
    "code", ["InvalidClientTokenId", "SignatureDoesNotMatch", "ExpiredToken", "AccessDenied", "Anything"]
)
@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_refusal_of_aws_is_one(fake: AwsIam, sts: Sts, status: int, code: str) -> None:
    sts.status, sts.body = status, refusal(code)
    assert code in str(refused(fake, KEY_ID, SECRET).detail)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, refusal("InternalFailure")),
        (503, refusal("ServiceUnavailable")),
        (503, b"<html>busy</html>"),
        (400, refusal("Throttling")),
        (400, refusal("ThrottlingException")),
        (429, refusal("TooManyRequests")),
        (403, b"<html>the proxy says no</html>"),
        (403, b""),
        (404, b"not found"),
        (204, caller(ALICE)),
        (200, b""),
        (200, b"{}"),
        (200, b"<GetCallerIdentityResult>"),
        (200, refusal("AccessDenied")),
        (200, f"<x><Arn>{ALICE}</Arn></x>".encode()),
        (200, b"<!DOCTYPE x [<!ENTITY a 'b'>]>" + caller("&a;")),
        (200, b"<!DOCTYPE x SYSTEM 'file:///etc/passwd'>" + caller(ALICE)),
        (200, ('<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x [<!ENTITY a "b">]><x/>').encode("utf-16")),
        (200, caller(ALICE) + b" " * 70_000),
        (200, b"<a>" * 5000),
        (200, caller(ALICE).replace(b"<Arn>", b"<Arn>\xff")),
    ],
)
def test_anything_else_is_an_sts_that_does_not_answer(
    fake: AwsIam, sts: Sts, clock: Clock, status: int, body: bytes
) -> None:
    sts.status, sts.body = status, body
    unanswered(fake)
    sts.status, sts.body = 200, caller(ALICE)
    assert ask(fake, KEY_ID, SECRET)  # nobody was refused, so nobody has to wait


def test_redirects_are_not_followed(fake: AwsIam, sts: Sts) -> None:
    sts.status, sts.headers = 307, {"Location": f"{sts.url}/elsewhere"}
    unanswered(fake)
    assert len(sts.seen) == 1


def test_nobody_there_is_no_refusal() -> None:
    provider = AwsIam(lambda: provider_http_client(60.0), {ALICE: "alice"}, "eu-west-1", "http://127.0.0.1:9")
    unanswered(provider)
    provider.close()


def test_guessing_is_slowed_down(fake: AwsIam, sts: Sts, clock: Clock) -> None:
    sts.status, sts.body = 403, refusal("SignatureDoesNotMatch")
    for number in range(5):
        refused(fake, KEY_ID, f"guess{number}")
    with pytest.raises(AuthenticationError, match="Too many failed logins"):
        ask(fake, KEY_ID, "guess")
    assert len(sts.seen) == 5
    for number in range(25):
        refused(fake, f"AKIAIOSFODNN7EXAM{number:03}", SECRET)
    with pytest.raises(AuthenticationError, match="Too many failed logins"):
        ask(fake, "AKIAIOSFODNN7EXAMPLF", SECRET)
    assert len(sts.seen) == 30


def test_the_arn_is_what_counts_not_what_is_around_it(fake: AwsIam, sts: Sts) -> None:
    for arn in (
        f"{ALICE}x",
        f"x{ALICE}",
        f"{ALICE}/x",
        f"{ALICE} {ALICE}",
        ALICE.upper(),
        ALICE.replace("iam", "sts"),
    ):
        sts.body = caller(arn)
        refused(fake, KEY_ID, SECRET)
        fake._failed_logins.clear((KEY_ID, "192.0.2.1"))
    sts.body = caller("arn:aws:iam::999999999999:user/alice")
    refused(fake, KEY_ID, SECRET)


def test_where_the_sts_is() -> None:
    def url(region: str, endpoint: str | None = None) -> str:
        return AwsIam(lambda: provider_http_client(1.0), {ALICE: "a"}, region, endpoint)._url

    assert url("eu-west-1") == "https://sts.eu-west-1.amazonaws.com/"
    assert url("cn-north-1") == "https://sts.cn-north-1.amazonaws.com.cn/"
    assert url("eu-west-1", "https://sts.example.com") == "https://sts.example.com/"


# -- patterns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "arn", "fits"),
    [
        ("user/alice", "user/alice", True),
        ("user/*", "user/alice", True),
        ("user/*", "user/team/alice", False),
        ("user/*/*", "user/team/alice", True),
        ("user/al?ce", "user/alice", True),
        ("user/al?ce", "user/al/ce", False),
        ("user/a.ice", "user/alice", False),
        ("user/a+", "user/aa", False),
        ("user/Alice", "user/alice", False),
        ("user/alice", "user/alice2", False),
        ("user/alice", "user/alice\n", False),
        ("user/*", "user/alice\n/x", False),
        ("assumed-role/Analyst/*", "assumed-role/Analyst/carol", True),
        ("assumed-role/Analyst/*", "assumed-role/Analyst2/carol", False),
        ("assumed-role/A*", "assumed-role/Admin/carol", False),
        ("*", "user/alice", False),
        ("*", "root", True),
    ],
)
def test_patterns(pattern: str, arn: str, fits: bool) -> None:
    start = f"arn:aws:iam::{ACCOUNT}:"
    assert (ArnUsers({start + pattern: "x"}).find(start + arn) == "x") is fits


def test_the_first_that_fits_counts() -> None:
    start = f"arn:aws:iam::{ACCOUNT}:user/"
    users = ArnUsers({f"{start}alice": "alice", f"{start}*": "somebody", f"{start}bob": "bob"})
    assert [users.find(start + name) for name in ("alice", "bob")] == ["alice", "somebody"]


@pytest.mark.parametrize(
    "pattern",
    [
        "*",
        "arn:*",
        "arn:aws:iam::*:user/alice",
        "arn:aws:iam::12345678901?:user/alice",
        "arn:aws:iam::1234:user/alice",
        "arn:aws:*::123456789012:user/alice",
        "arn:*:iam::123456789012:user/alice",
        "arn:aws:s3:::bucket",
        "arn:aws:iam::123456789012:",
        "arn:aws:iam::123456789012:user/[ab]",
        "arn:aws:iam::123456789012:user/alice\n",
        "arn:aws:iam::123456789012:user/a:b",
        "",
    ],
)
def test_a_pattern_for_more_than_one_account_is_refused(pattern: str) -> None:
    with pytest.raises(ConfigError, match=r"aws_iam\.users"):
        ArnUsers({pattern: "alice"})


def test_nobody_and_strange_names_are_refused() -> None:
    with pytest.raises(ConfigError, match="is empty"):
        ArnUsers({})
    with pytest.raises(ConfigError, match="cannot be a user's name"):
        ArnUsers({ALICE: "al ice"})
