"""Record what a real Trino answers to every case: `python -m tests.parity.record URL [TOPIC ...]`."""

from __future__ import annotations

import json
import sys
import urllib.request

from tests.parity.client import run_all
from tests.parity.suite import TRINO_VERSION, read_cases, show, topics, write_expected


def main(url: str, wanted: list[str]) -> None:
    with urllib.request.urlopen(f"{url}/v1/info", timeout=30) as response:
        version = json.load(response)["nodeVersion"]["version"]
    if version != TRINO_VERSION:
        raise SystemExit(f"{url} is Trino {version}; the answers are those of Trino {TRINO_VERSION}.")
    for topic in wanted or topics():
        cases = read_cases(topic)
        answers = run_all(url, [case.sql for case in cases], threads=2)
        write_expected(topic, {case.name: answer for case, answer in zip(cases, answers, strict=True)})
        errors = [(case, answer) for case, answer in zip(cases, answers, strict=True) if answer.error]
        sys.stdout.write(f"{topic}: {len(cases)} cases, {len(errors)} errors\n")
        for case, answer in errors:
            sys.stdout.write(f"  {case.name}: {show(answer)}\n")


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2:])
