"""The whole schema. Attribute names are the sections and keys of the TOML file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast, get_args, get_origin

from pydantic import field_validator
from pydantic.fields import FieldInfo

from sqe.config.fields import Section
from sqe.config.names import RESERVED_CATALOGS
from sqe.config.rendering import plain_section, toml_section
from sqe.config.sections.api_key import ApiKeyConfig
from sqe.config.sections.auth import AuthConfig
from sqe.config.sections.aws_iam import AwsIamConfig
from sqe.config.sections.catalogs import CatalogConfig
from sqe.config.sections.client_credentials import ClientCredentialsConfig
from sqe.config.sections.control import ControlConfig
from sqe.config.sections.engine import EngineConfig
from sqe.config.sections.executor import ExecutorConfig
from sqe.config.sections.limits import LimitsConfig
from sqe.config.sections.mtls import MtlsConfig
from sqe.config.sections.oidc import OidcConfig
from sqe.config.sections.opa import OpaConfig
from sqe.config.sections.paths import PathsConfig
from sqe.config.sections.policy import PolicyConfig
from sqe.config.sections.production import ProductionConfig
from sqe.config.sections.rate_limit import RateLimitConfig
from sqe.config.sections.server import ServerConfig
from sqe.config.sections.shell import ShellConfig
from sqe.config.sections.tls import TlsConfig
from sqe.config.sections.token_exchange import TokenExchangeConfig
from sqe.config.sources import ANY_NAME, Origin

_CATALOG_NAME = re.compile(r"[a-z_][a-z0-9_]*")


class Config(Section):
    """Every setting, checked."""

    engine: EngineConfig = EngineConfig()
    executor: ExecutorConfig = ExecutorConfig()
    tls: TlsConfig = TlsConfig()
    paths: PathsConfig = PathsConfig()
    catalogs: dict[str, CatalogConfig] = {}  # noqa: RUF012  # pydantic copies it
    limits: LimitsConfig = LimitsConfig()
    rate_limit: RateLimitConfig = RateLimitConfig()
    server: ServerConfig = ServerConfig()
    control: ControlConfig = ControlConfig()
    auth: AuthConfig = AuthConfig()
    oidc: OidcConfig = OidcConfig()
    token_exchange: TokenExchangeConfig = TokenExchangeConfig()
    client_credentials: ClientCredentialsConfig = ClientCredentialsConfig()
    api_key: ApiKeyConfig = ApiKeyConfig()
    mtls: MtlsConfig = MtlsConfig()
    aws_iam: AwsIamConfig = AwsIamConfig()
    policy: PolicyConfig = PolicyConfig()
    opa: OpaConfig = OpaConfig()
    production: ProductionConfig = ProductionConfig()
    shell: ShellConfig = ShellConfig()

    @field_validator("catalogs")
    @classmethod
    def _check_names(cls, catalogs: dict[str, CatalogConfig]) -> dict[str, CatalogConfig]:
        for name in catalogs:
            if not _CATALOG_NAME.fullmatch(name):
                raise ValueError(
                    f"holds '{name}'; a catalog's name has lower-case letters, digits and underscores"
                )
            if name in RESERVED_CATALOGS:
                raise ValueError(f"holds '{name}', which is a name of SQE's or Spark's own")
        return catalogs

    def redacted(self) -> dict[str, dict[str, Any]]:
        """Return plain values by section and key, to be shown: sizes are text, secrets a mark."""
        shown: dict[str, dict[str, Any]] = {section: {} for section in type(self).model_fields}
        for (section, *name), content in self._tables():
            target = shown[section].setdefault(name[0], {}) if name else shown[section]
            target.update(plain_section(content))
        return shown

    def to_toml(self, *, redact: bool = True, origins: Mapping[str, Origin] | None = None) -> str:
        """Write the configuration as TOML; with `origins`, each line says where its value came from."""
        return "\n".join(
            line
            for path, section in self._tables()
            for line in toml_section(path, section, redact=redact, origins=origins)
        )

    def _tables(self) -> Iterator[tuple[tuple[str, ...], Section]]:
        for name, value in self:
            if isinstance(value, dict):
                for chosen, section in value.items():
                    yield (name, chosen), section
            else:
                yield (name,), value


def sections() -> Iterator[tuple[tuple[str, ...], type[Section]]]:
    """Return every section by the path of its table; ANY_NAME stands where the user chooses a name."""
    for name, field in Config.model_fields.items():
        if get_origin(field.annotation) is dict:
            yield (name, ANY_NAME), get_args(field.annotation)[1]
        else:
            yield (name,), cast("type[Section]", field.annotation)


def known_keys() -> dict[tuple[str, ...], FieldInfo]:
    """Return every setting by its path, in the order of the schema."""
    return {
        (*path, key): field for path, section in sections() for key, field in section.model_fields.items()
    }
