"""Read the cases, the answers that a real Trino gave to them, and the list of known differences."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.parity.client import Answer

FOLDER = Path(__file__).parent
CASES = FOLDER / "cases"
EXPECTED = FOLDER / "expected"
KNOWN = FOLDER / "known.toml"
TRINO_VERSION = "476"
VERDICTS = ("same", "different", "type", "refused", "accepted")

_NAME = re.compile(r"-- ([a-z][a-z0-9_]*)")


@dataclass(frozen=True)
class Case:
    topic: str
    name: str
    sql: str

    @property
    def id(self) -> str:
        return f"{self.topic}.{self.name}"


@dataclass(frozen=True)
class KnownDifference:
    """A case in which SQE and Trino differ, and the reason."""

    verdict: str
    why: str
    answer: str  # of SQE, shortened, for the page


def topics() -> list[str]:
    return sorted(path.stem for path in CASES.glob("*.sql"))


def read_cases(topic: str) -> list[Case]:
    text = (CASES / f"{topic}.sql").read_text(encoding="utf-8")
    cases: list[Case] = []
    for block in re.split(r"\n{2,}", text.strip()):
        head, _, sql = block.partition("\n")
        found = _NAME.fullmatch(head)
        if found is None or not sql.strip():
            raise ValueError(f"{topic}.sql: a case is `-- name` and a query below it, not {block!r}.")
        cases.append(Case(topic, found[1], sql.strip()))
    return cases


def read_expected(topic: str) -> dict[str, Answer]:
    path = EXPECTED / f"{topic}.json"
    if not path.exists():
        return {}
    recorded = json.loads(path.read_text(encoding="utf-8"))
    return {name: Answer.from_json(answer) for name, answer in recorded.items()}


def write_expected(topic: str, answers: Mapping[str, Answer]) -> None:
    """Write one line for each case, sorted by name, so that a difference can be read."""
    lines = [f"{json.dumps(name)}: {_dump(_as_json(answers[name]))}" for name in sorted(answers)]
    EXPECTED.mkdir(exist_ok=True)
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (EXPECTED / f"{topic}.json").write_text(text, encoding="utf-8")


def _as_json(answer: Answer) -> dict[str, Any]:
    if answer.error is not None:
        return {"error": answer.error, "message": answer.message}
    return {"types": answer.types, "rows": answer.rows}


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def read_known() -> dict[str, KnownDifference]:
    """Return the known differences by `topic.case`."""
    listed = tomllib.loads(KNOWN.read_text(encoding="utf-8"))
    return {
        f"{topic}.{name}": KnownDifference(entry["verdict"], entry["why"], entry.get("answer", ""))
        for topic, entries in listed.items()
        for name, entry in entries.items()
    }


def write_known(differences: Mapping[str, KnownDifference]) -> None:
    blocks = [
        "# The cases in which SQE does not do what Trino does: `python -m tests.parity.update` writes it."
    ]
    blocks += [
        "\n".join(
            [
                f"[{case}]",
                f"verdict = {_toml(known.verdict)}",
                f"why = {_toml(known.why)}",
                *([f"answer = {_toml(known.answer)}"] if known.answer else []),
            ]
        )
        for case, known in sorted(differences.items())
    ]
    KNOWN.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def _toml(text: str) -> str:
    # A basic string of TOML is one of JSON, except for the character DEL, and has no surrogates.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def shorten(text: str, length: int = 160) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1] + "…"


def show(answer: Answer, length: int = 160) -> str:
    """Describe an answer in one line."""
    if answer.error is not None:
        return shorten(f"{answer.error}: {answer.message}", length)
    return shorten(f"{show_rows(answer.rows)} ({', '.join(answer.types)})", length)


def show_rows(rows: Sequence[Sequence[Any]]) -> str:
    return "; ".join(", ".join(_dump(value) for value in row) for row in rows) if rows else "no rows"
