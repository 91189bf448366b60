"""Object stores that plans read, and the storage credentials that open them for one principal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqe.units import Secret


@dataclass(frozen=True, slots=True)
class Store:
    """The part of an S3 store below `scope`. It holds nothing secret."""

    catalog: str
    scope: str  # s3://bucket/prefix/
    endpoint: str  # host and port, without a scheme
    region: str
    path_style: bool
    use_tls: bool

    @classmethod
    def from_answer(cls, answer: dict[str, Any]) -> Store:
        """Read what `sqe.spark.local.Stores` writes."""
        return cls(
            answer["catalog"],
            answer["scope"],
            answer["endpoint"],
            answer["region"],
            answer["path_style"],
            answer["use_tls"],
        )


@dataclass(frozen=True, slots=True)
class StoreKeys:
    """Storage credentials of one principal."""

    key_id: str
    secret: Secret
    session_token: Secret | None = None
    expires_at: float | None = None  # as `time.time()` counts; None if unknown


@dataclass(frozen=True, slots=True)
class StoreAccess:
    """A store, and the credentials that open it."""

    store: Store
    keys: StoreKeys

    def revealed(self) -> dict[str, str | bool | None]:
        """Return the parameters of DuckDB's secret, for the worker that runs the plan and nothing else."""
        token = self.keys.session_token
        return {
            "scope": self.store.scope,
            "endpoint": self.store.endpoint,
            "region": self.store.region,
            "url_style": "path" if self.store.path_style else "vhost",
            "use_ssl": self.store.use_tls,
            "key_id": self.keys.key_id,
            "secret": self.keys.secret.reveal(),
            "session_token": "" if token is None else token.reveal(),
        }
