"""The clauses of the guard, each with the tests that fail without it.

A text has to be in its file exactly once: tests/security/test_mutants.py says so when code has changed.
"""

from __future__ import annotations

from tests.security.mutants.bounds import BOUNDS
from tests.security.mutants.catalog import CATALOG
from tests.security.mutants.decisions import DECISIONS
from tests.security.mutants.history import HISTORY
from tests.security.mutants.internals import INTERNALS
from tests.security.mutants.isolation import ISOLATION
from tests.security.mutants.local import LOCAL
from tests.security.mutants.mutant import Mutant
from tests.security.mutants.names import NAMES
from tests.security.mutants.plans import PLANS
from tests.security.mutants.statements import STATEMENTS

MUTANTS: tuple[Mutant, ...] = (
    *PLANS,
    *NAMES,
    *CATALOG,
    *STATEMENTS,
    *DECISIONS,
    *HISTORY,
    *INTERNALS,
    *BOUNDS,
    *ISOLATION,
    *LOCAL,
)
