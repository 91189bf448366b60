"""List the benchmark suites by name."""

from __future__ import annotations

from collections.abc import Mapping

from sqe.bench.suite import Suite
from sqe.bench.suites.clickbench import suite as clickbench
from sqe.bench.suites.ssb import suite as ssb

_MODULES = (clickbench, ssb)

SUITES: Mapping[str, Suite] = {module.SUITE.name: module.SUITE for module in _MODULES}
