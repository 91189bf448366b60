"""Write the results of policy test cases as JUnit XML, which CI systems read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

# Characters that XML 1.0 cannot hold, even escaped.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of one case; it passed if there are no problems."""

    suite: str
    name: str
    seconds: float
    problems: tuple[str, ...] = ()


def write_junit(path: Path, results: Sequence[CaseResult]) -> None:
    """Write the report. Raises OSError."""
    root = ET.Element("testsuites")
    for suite in dict.fromkeys(case.suite for case in results):
        cases = [case for case in results if case.suite == suite]
        element = ET.SubElement(
            root,
            "testsuite",
            name=_clean(suite),
            tests=str(len(cases)),
            failures=str(sum(bool(case.problems) for case in cases)),
            errors="0",
            time=f"{sum(case.seconds for case in cases):.3f}",
        )
        for case in cases:
            _add(element, case)
    ET.indent(root)
    ET.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _add(suite: ET.Element, case: CaseResult) -> None:
    element = ET.SubElement(
        suite, "testcase", classname=_clean(case.suite), name=_clean(case.name), time=f"{case.seconds:.3f}"
    )
    if case.problems:
        failure = ET.SubElement(element, "failure", message=_clean(case.problems[0]))
        failure.text = _clean("\n".join(case.problems))


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
