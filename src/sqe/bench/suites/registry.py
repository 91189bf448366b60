"""The suites that `sqe bench` knows, by name."""

from __future__ import annotations

from collections.abc import Mapping

from sqe.bench.suite import Suite
from sqe.bench.suites.tpc import TPCDS, TPCH

SUITES: Mapping[str, Suite] = {suite.name: suite for suite in (TPCH, TPCDS)}
