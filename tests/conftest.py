"""Settings of all suites."""

from __future__ import annotations

import json
import os

from hypothesis import HealthCheck, settings
from testing.command import JAVA_OPTIONS, QUICK_JAVA, WARM_UP

os.environ.setdefault(JAVA_OPTIONS, json.dumps(QUICK_JAVA))
# As long as a start itself: most engines of the tests answer a few questions. Tests of the warm-up turn it on.
os.environ.setdefault(WARM_UP, "false")

# A busy machine takes long for an example; that is no error of the code.
settings.register_profile("sqe", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sqe")
