"""`[executor]`: the local executor, which runs reads that fit on this machine."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sqe.config.fields import Section
from sqe.units import Duration, Size


class ExecutorConfig(Section):
    """The local executor, which runs reads that fit on this machine."""

    local: Literal["auto", "off"] = Field(
        default="auto",
        description="`auto`: Spark plans and authorises every read, and DuckDB runs those whose plan has the same "
        "meaning there. `off`: Spark runs everything. The session property `local_executor` overrides it.",
    )
    max_scan: Size | None = Field(
        default=None,
        description="How many bytes of files a read may have, after pruning, to run here. Unset: four times "
        "`executor.memory`, and at most 8 GiB for each core.",
        ge=Size("1MB"),
    )
    memory: Size | None = Field(
        default=None,
        description="Memory of all workers together; what does not fit is written to temporary files. Unset: a "
        "quarter of the machine's.",
        ge=Size("256MB"),
    )
    workers: int | None = Field(
        default=None,
        description="Worker processes; each runs one read at a time. Unset: two for each core, at least four.",
        ge=1,
        le=256,
    )
    spill: Size = Field(
        default=Size("50GB"),
        description="Temporary files of one read.",
        ge=Size("1MB"),
    )
    result_cache: Size = Field(
        default=Size("0B"),
        description="Memory for results of earlier reads. A read is planned and authorised as always; if it is the "
        "same plan over the same files, its rows come from here. `0B`: none are kept.",
        ge=Size("0B"),
    )
    wait: Duration = Field(
        default=Duration("2s"),
        description="How long a read waits for a worker before Spark runs it.",
        ge=Duration("0s"),
        le=Duration("1min"),
    )
