from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from sqe.cli.policy_test.junit import CaseResult, write_junit


def test_a_report(tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    write_junit(
        path,
        [
            CaseResult("one", "ann: SELECT '<&\">'", 0.25),
            CaseResult("two", "eve", 1.0, ("missing row: [1]", "unexpected row: ['\x00\x1b\ud800é']")),
            CaseResult("one", "bob", 0.5, ("failed",)),
        ],
    )
    root = ET.parse(path).getroot()
    assert [
        (suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("time")) for suite in root
    ] == [
        ("one", "2", "1", "0.750"),
        ("two", "1", "1", "1.000"),
    ]
    first, second, third = root.iter("testcase")
    assert (first.get("name"), first.get("classname"), list(first)) == ("ann: SELECT '<&\">'", "one", [])
    assert second.find("failure") is not None
    failure = third.find("failure")
    assert failure is not None
    assert failure.get("message") == "missing row: [1]"
    assert failure.text == "missing row: [1]\nunexpected row: ['\ufffd\ufffd\ufffdé']"
