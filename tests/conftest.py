"""Settings of all suites."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from testing.command import JAVA_OPTIONS, WARM_UP

# An engine of the tests answers many different questions once. The optimising compiler would take a third of the
# machine for what is never asked again; benchmarks, and tests that watch time or memory, run with it.
# Without it a JVM takes a fifth of the room for code, which hundreds of queries fill.
os.environ.setdefault(JAVA_OPTIONS, '["-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=256m"]')
# As long as a start itself: most engines of the tests answer a few questions. Tests of the warm-up turn it on.
os.environ.setdefault(WARM_UP, "false")

# A busy machine takes long for an example; that is no error of the code.
settings.register_profile("sqe", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sqe")
