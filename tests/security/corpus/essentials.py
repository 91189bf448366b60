"""The cases that run with every policy engine and every kind of catalog: at least one of each way to hidden values."""

from __future__ import annotations

from tests.security.case import Case
from tests.security.corpus.everything import CASES

NAMES = frozenset(
    {
        # rows, masks and restricted columns
        *("kyuubi-3186-any-filter-at-all", "kyuubi-2391-in-a-condition", "kyuubi-2399-in-a-window"),
        *("kyuubi-2391-restricted-in-a-condition", "name-upper-case-column", "name-mixed-case-restricted"),
        *("postgres-2025-8713-min-max-of-a-partition", "column-file-under-a-filter"),
        # what is evaluated on hidden rows
        *("postgres-leaky-division-in-where", "postgres-leaky-raise-in-cte"),
        # what is denied
        *("kyuubi-7173-count-star", "kyuubi-7740-files-of-a-forbidden-table", "command-show-tables-hides"),
        # views
        *("kyuubi-3325-view", "kyuubi-3581-view-on-forbidden", "kyuubi-5417-subquery-in-a-view"),
        *("view-nested", "view-restricted"),
        # other times, and metadata
        *("travel-version-of-a-tag", "travel-version-of-a-branch", "travel-restricted", "travel-in-a-view"),
        "travel-timestamp",
        *("kyuubi-7740-files-table", "kyuubi-5803-snapshots"),
        # writes
        *("kyuubi-4474-update", "kyuubi-6803-delete", "kyuubi-3515-delete-what-is-hidden"),
        *("postgres-with-check", "write-insert-under-masks", "write-insert-without-a-right"),
        *("write-merge-delete", "write-delete-by-a-subquery"),
    }
)

ESSENTIALS: tuple[Case, ...] = tuple(case for case in CASES if case.everywhere or case.name in NAMES)
