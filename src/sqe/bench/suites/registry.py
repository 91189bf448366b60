"""The suites that `sqe bench` knows, by name."""

from __future__ import annotations

from collections.abc import Mapping

from sqe.bench.suite import Suite
from sqe.bench.suites.clickbench.suite import SUITE as CLICKBENCH
from sqe.bench.suites.ssb.suite import SUITE as SSB
from sqe.bench.suites.tpc import TPCDS, TPCH
from sqe.bench.suites.tpcbb.suite import SUITE as TPCBB
from sqe.bench.suites.tpcc.suite import SUITE as TPCC
from sqe.bench.suites.tpce.suite import SUITE as TPCE

SUITES: Mapping[str, Suite] = {
    suite.name: suite for suite in (TPCH, TPCDS, SSB, CLICKBENCH, TPCC, TPCE, TPCBB)
}
