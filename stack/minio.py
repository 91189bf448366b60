"""Run MinIO, the store: S3 and STS, users by their tokens of Keycloak, and an audit of every request."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from minio import Minio as Client
from minio.credentials.providers import StaticProvider
from minio.minioadmin import MinioAdmin
from stack import accounts
from stack.audit import Audit
from stack.ports import HOST
from stack.process import ServiceProcess, answers

BUCKET = "lake"
REGION = "us-east-1"
# Each catalog keeps its tables below a prefix of its own.
PREFIXES = ("nessie", "polaris")
_START_SECONDS = 60.0
_ROOT = "minio-root"
_OBJECTS = [
    "s3:GetObject",
    "s3:PutObject",
    "s3:DeleteObject",
    "s3:AbortMultipartUpload",
    "s3:ListMultipartUploadParts",
]


@dataclass(frozen=True, slots=True)
class Keys:
    access_key: str
    secret_key: str = field(repr=False)


class Minio:
    def __init__(
        self,
        binary: Path,
        directory: Path,
        port: int,
        issuer: str,
        services: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        """Prepare MinIO; `services` are keys of catalogs that have theirs already."""
        self._binary = binary
        self._data = directory / "minio"
        self._data.mkdir()
        self._address = f"{HOST}:{port}"
        self._issuer = issuer
        self._process = ServiceProcess("minio", directory)
        self._root = Keys(_ROOT, secrets.token_urlsafe(24))
        self.endpoint = f"http://{self._address}"
        self.audit = Audit(directory / "minio-audit.jsonl", self._flush)
        # What stands behind the credentials that the catalogs vend.
        given = services or {}
        self.services = {
            name: Keys(*given.get(name, (f"{name}-service", secrets.token_urlsafe(24)))) for name in PREFIXES
        }

    @property
    def process(self) -> ServiceProcess:
        return self._process

    def start(self) -> None:
        """Start it; Keycloak must run by then, because MinIO fetches its keys."""
        settings = {
            "MINIO_ROOT_USER": self._root.access_key,
            "MINIO_ROOT_PASSWORD": self._root.secret_key,
            "MINIO_BROWSER": "off",
            "MINIO_SITE_REGION": REGION,
            "MINIO_IDENTITY_OPENID_CONFIG_URL": f"{self._issuer}/.well-known/openid-configuration",
            "MINIO_IDENTITY_OPENID_CLIENT_ID": accounts.AUDIENCE,
            "MINIO_IDENTITY_OPENID_CLAIM_NAME": "policy",
            "MINIO_AUDIT_WEBHOOK_ENABLE_SQE": "on",
            "MINIO_AUDIT_WEBHOOK_ENDPOINT_SQE": self.audit.url,
            "MINIO_UPDATE": "off",
            "MINIO_CI_CD": "on",  # it may keep its data on the system's disk
            "NO_PROXY": HOST,
            "no_proxy": HOST,
        }
        self._process.start(
            [str(self._binary), "server", "--quiet", "--address", self._address, str(self._data)],
            environ={**os.environ, **settings},
        )
        self._process.wait_until(lambda: answers(f"{self.endpoint}/minio/health/ready"), _START_SECONDS)

    def stop(self) -> None:
        self._process.stop()

    def close(self) -> None:
        self.stop()
        self.audit.close()

    def set_up(self) -> None:
        """Create the bucket, the catalogs' accounts, and the policies of users with a token."""
        self._client().make_bucket(BUCKET)
        admin = MinioAdmin(
            endpoint=self._address,
            credentials=StaticProvider(self._root.access_key, self._root.secret_key),
            region=REGION,
            secure=False,
        )
        for name, keys in self.services.items():
            # A catalog looks whether there is a bucket, and then only below its prefix.
            self._add_policy(admin, f"{name}-service", _everything_below([f"{name}/"], listed=[""]))
            admin.user_add(keys.access_key, keys.secret_key)
            admin.attach_policy([f"{name}-service"], user=keys.access_key)
        for user, namespaces in accounts.NAMESPACES.items():
            if policy := accounts.PEOPLE[user].policy:
                below = [f"{prefix}/{namespace}/" for prefix in PREFIXES for namespace in namespaces]
                self._add_policy(admin, policy, _everything_below(below))

    def objects(self, prefix: str = "") -> list[str]:
        """Return the keys below a prefix, as the store's root sees them."""
        found = self._client().list_objects(BUCKET, prefix=prefix, recursive=True)
        return [one.object_name for one in found if one.object_name]

    def remove(self, name: str) -> None:
        """Remove an object."""
        self._client().remove_object(bucket_name=BUCKET, object_name=name)

    def _add_policy(self, admin: MinioAdmin, name: str, policy: dict[str, Any]) -> None:
        file = self._data.with_name(f"{name}.json")
        file.write_text(json.dumps(policy), encoding="utf-8")
        admin.policy_add(name, str(file))

    def _client(self) -> Client:
        return Client(
            endpoint=self._address,
            access_key=self._root.access_key,
            secret_key=self._root.secret_key,
            region=REGION,
            secure=False,
        )

    def _flush(self, name: str) -> None:
        # Without credentials: MinIO refuses and reports it.
        httpx.head(f"{self.endpoint}/{BUCKET}/{name}", timeout=10, trust_env=False)


def _everything_below(prefixes: list[str], listed: list[str] | None = None) -> dict[str, Any]:
    bucket = f"arn:aws:s3:::{BUCKET}"
    return {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Action": ["s3:GetBucketLocation"], "Resource": [bucket]},
            {
                "Effect": "Allow",
                "Action": ["s3:ListBucket"],
                "Resource": [bucket],
                "Condition": {"StringLike": {"s3:prefix": [f"{prefix}*" for prefix in listed or prefixes]}},
            },
            {
                "Effect": "Allow",
                "Action": _OBJECTS,
                "Resource": [f"{bucket}/{prefix}*" for prefix in prefixes],
            },
        ],
    }
