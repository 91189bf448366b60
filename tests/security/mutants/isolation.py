"""Clauses that keep one statement from harming others."""

from __future__ import annotations

from tests.security.mutants.mutant import Mutant, java

ISOLATION: tuple[Mutant, ...] = (
    Mutant(
        "settings-have-ranges",
        java("kinds/Settings"),
        "      SettingValue.check(key, value.get(), verdict.detail(), verdict.what());\n",
        "",
        ("tests/integration/engine/test_isolation_of_queries.py",),
    ),
    Mutant(
        "hints-have-ranges",
        java("isolation/WorkLimits"),
        "      if (number > PARTITIONS) {\n",
        "      if (false) {\n",
        ("tests/integration/engine/test_isolation_of_queries.py",),
    ),
    Mutant(
        "a-replaced-engine-is-no-crash",
        "src/sqe/engine/launcher/supervisor.py",
        "            if code == _REPLACED:\n",
        "            if False:\n",
        ("tests/unit/engine/launcher/test_supervisor.py",),
    ),
)
