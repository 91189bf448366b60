"""Run all cases on an SQE server, and write the list of differences and the page: `python -m tests.parity.update`."""

from __future__ import annotations

import re
import sys
from collections import Counter

from testing.server import running_server
from tests.parity.client import Answer, run_all
from tests.parity.compare import verdict
from tests.parity.page import PAGE, page
from tests.parity.suite import (
    KnownDifference,
    read_cases,
    read_expected,
    read_known,
    shorten,
    show,
    topics,
    write_known,
)


def main() -> None:
    known = read_known()
    differences: dict[str, KnownDifference] = {}
    counts: Counter[str] = Counter()
    with running_server() as server:
        server.wait_until_ready()
        for topic in topics():
            cases = read_cases(topic)
            expected = read_expected(topic)
            for case, answer in zip(cases, run_all(server.trino, [case.sql for case in cases]), strict=True):
                found = verdict(case.sql, expected[case.name], answer)
                counts[found] += 1
                if found != "same":
                    before = known.get(case.id)
                    differences[case.id] = _difference(found, answer, before)
    write_known(differences)
    PAGE.write_text(page(), encoding="utf-8")
    total = counts.total()
    for name, count in counts.most_common():
        sys.stdout.write(f"{name}: {count} of {total} ({count / total:.1%})\n")


def _difference(found: str, answer: Answer, before: KnownDifference | None) -> KnownDifference:
    message = shorten(
        re.sub(r"#\d+L?", "", answer.message)
    )  # Spark's numbers of expressions change each time
    if before is not None and before.verdict == found and before.why:
        why = before.why
    else:
        why = message if found == "refused" else ""
    return KnownDifference(found, why, answer.error or show(answer))


if __name__ == "__main__":
    main()
