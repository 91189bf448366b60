"""Generate docs/clients.md from the conformance suite: `python -m tests.conformance.page`.

The suite enforces the page: it fails for a gap that has closed, and for a new one.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from tests.conformance.suite import CASES, CLIENTS

PAGE = Path(__file__).parents[2] / "docs" / "clients.md"

_INTRO = """\
<!-- Made by `make docs` from tests/conformance; do not edit. -->

# Clients

SQE has two protocols that many programs support: Arrow Flight SQL and Trino's. One suite of cases, in
`tests/conformance`, runs through each client below against a real server with TLS, passwords and two
catalogs. The tables at the end show the results.

Prefer Flight SQL: it sends results as Arrow, as they leave the engine. Trino's protocol uses JSON, and is for
tools that need it.

Passwords need TLS. If the client's machine does not trust the server's certificate, give the certificate to
the client; each has an option for it. On the same machine, a server without TLS and with the provider
`anonymous` accepts clients without a password.
"""
_SUITES = """\
## Suites of other projects

`make client-suites` runs the tests of these projects, from checkouts, on a server whose catalogs have the names that
the tests expect. It is not part of `make test`. The figures are of runs without segments.

| suite | version | tests | passed | skipped | expected to fail | failed | not run |
|---|---|--:|--:|--:|--:|--:|--:|
| trino-python-client, dbapi | 0.339.0 | 210 | 193 | 5 | 0 | 12 | 0 |
| trino-python-client, types | 0.339.0 | 33 | 32 | 0 | 0 | 1 | 0 |
| trino-python-client, SQLAlchemy | 0.339.0 | 61 | 58 | 0 | 0 | 3 | 0 |
| dbt-trino, functional | 1.10.2 | 310 | 152 | 1 | 0 | 3 | 154 |
| ibis, Trino backend | 12.0.0 | 2041 | 370 | 1 | 36 | 7 | 1627 |

What fails in trino-python-client:

- Texts have the type `varchar`, where Trino knows the length of a literal, and of a column that is not Iceberg's (7).
- Client tags are looked up in the interface of Trino's web page, as another user (3). Here a user sees only their own
  queries, with their tags, at `/v1/query/ID`.
- A client that names no catalog has the first one, and not none (1).
- An interval of 999999999 days is refused (1): Spark's have at most 106751991.
- CREATE CATALOG is refused (2). One test counts the catalogs, and one reads the log of a container.

What fails in dbt-trino:

- A column has the type `timestamp(6)`, the only one of Iceberg, where the connector `memory` keeps `timestamp(3)` (1).
- A column of the type `time` is refused (1): Iceberg's tables in Spark cannot have it.
- A test takes the last statements by the order of their ids (1). Ids of queries are random here.

The run of dbt-trino is not complete. Two tests ran into their time limit on a busy machine and count as not run. The
tests of materialized views, and those with a `location` in S3, did not run. SQE refuses both statements, the second
in a catalog without storage credentials for each user.

What fails in ibis:

- `bucketed_by` is a property of Hive's tables (1).
- A column has the type `timestamp(6)`, whatever precision its definition has (1).
- A column of the type `json` is kept as text, and its type is `varchar` (2).
- The concatenation of an array with an empty one works, and the test expects an error (1).
- Two tests look for a catalog `tpcds`, and for rows in `tpch.sf1.region` (2). The server of that run had neither;
  `make client-suites` creates both, and they have not run again.

The run of ibis is not complete either: the queries of TPC-H and TPC-DS (120), `system.metadata.table_comments`, and
most of the variants of tests did not run. The figures of dbt-trino and ibis are put together from several partial runs
on one server with the catalogs and tables of `make client-suites`.

**dbt-trino.** A model that is a view is created with SECURITY DEFINER unless the project says otherwise. Where users
have different rights (policy engines, REST catalogs), SQE refuses it. Set in `dbt_project.yml`:

```yaml
models:
  +view_security: invoker
```

Materialized views are refused; use `table` or `incremental`. `grants` need the policy engine `grants`. A `location` of
a model is refused in a warehouse, whose directories the engine chooses.
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
    return "\n".join([_INTRO, *_how_to_connect(), *_tables(), _SUITES])


def _how_to_connect() -> list[str]:
    lines = ["## Connecting clients", ""]
    for front_end in ("Flight SQL", "Trino"):
        lines += [f"### {front_end}", ""]
        for client in CLIENTS:
            if client.front_end == front_end:
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
        "## Compatibility",
        "",
        "✓ works. A number: does not work, for the reason below the tables. With an asterisk the limitation is in SQE",
        "and may change; without one it is in the client or its protocol.",
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
