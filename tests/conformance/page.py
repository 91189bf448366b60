"""docs/clients.md, made from the suite: `python -m tests.conformance.page` writes it.

The suite holds strictly what the page says: a gap that closes fails it, and so does one that opens.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from tests.conformance.suite import CASES, CLIENTS

PAGE = Path(__file__).parents[2] / "docs" / "clients.md"

_INTRO = """\
<!-- Made by `make docs` from tests/conformance; do not edit. -->

# Clients

SQE speaks two protocols that many programs know: Arrow Flight SQL and Trino's. One suite of cases, in
`tests/conformance`, runs through each client below against a real server with TLS, passwords and two
catalogs. The tables at the end say what came of it.

Prefer Flight SQL where you can choose: results come as Arrow, as they leave the engine. Trino's protocol is
JSON, and is there for the tools that speak it.

Passwords need TLS. A certificate that the client's machine does not trust has to be given to the client;
each has an option for it. On the same machine, a server without TLS and with the provider `anonymous` lets
clients in without a password.
"""
_TOPICS = {
    "types": "Types",
    "results": "Results",
    "errors": "Errors",
    "prepared": "Parameters",
    "statements": "Statements",
    "metadata": "Metadata",
    "sessions": "Sessions",
    "cancel": "Cancel",
}


def page() -> str:
    return "\n".join([_INTRO, *_how_to_connect(), *_tables()])


def _how_to_connect() -> list[str]:
    lines = ["## How to connect", ""]
    for door in ("Flight SQL", "Trino"):
        lines += [f"### {door}", ""]
        for client in CLIENTS:
            if client.door == door:
                lines += [
                    f"**{client.title}**",
                    "",
                    f"```{client.language}",
                    client.connect_example.rstrip(),
                    "```",
                    "",
                ]
    return lines


def _tables() -> list[str]:
    notes: dict[str, int] = {}
    lines = [
        "## What works with which client",
        "",
        "✓ works. A number: does not, for the reason below the tables. With an asterisk it is SQE's fault and",
        "could change; without one the client or its protocol has no way to do it.",
        "",
    ]
    for topic, cases in groupby(CASES, key=lambda case: case.topic):
        lines += [f"### {_TOPICS[topic]}", ""]
        lines += [f"| | {' | '.join(client.name.replace('_', ' ') for client in CLIENTS)} |"]
        lines += ["|---|" + ":-:|" * len(CLIENTS)]
        for case in cases:
            cells = []
            for client in CLIENTS:
                gap = case.gap(client)
                if gap is None:
                    cells.append("✓")
                else:
                    number = notes.setdefault(gap.reason, len(notes) + 1)
                    cells.append(f"{number}*" if gap.kind == "notimpl" else str(number))
            lines.append(f"| {case.title.replace('|', chr(92) + '|')} | {' | '.join(cells)} |")
        lines.append("")
    lines += [f"{number}. {reason[0].upper()}{reason[1:]}." for reason, number in notes.items()]
    lines.append("")
    return lines


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
