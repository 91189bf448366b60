"""Write the list of Trino's functions that SQE has: `python -m tests.parity.functions URL` asks a real Trino.

`test_functions.py` shows that SQE has each of them, and has none of those that are left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from tests.parity.client import run_all

from sqe.sql.trino.builtin_functions import PATH, BuiltinFunction

# Functions that SQE does not have, under a name that it does not have, or with these arguments.
MISSING = frozenset({"current_groups", "exclude_columns", "word_stem"})
MISSING_FORMS = frozenset(
    (name, f"{kind}, double, double, double")
    for name in ("approx_percentile",)
    for kind in ("bigint", "double", "real")
)
# Of Trino's plug-in for Teradata's functions, which a server need not have.
TERADATA = (
    BuiltinFunction("char2hexint", "varchar", "varchar", "scalar", True),
    BuiltinFunction("index", "bigint", "varchar, varchar", "scalar", True),
    BuiltinFunction("to_char", "varchar", "timestamp(3) with time zone, varchar", "scalar", True),
    BuiltinFunction("to_date", "date", "varchar, varchar", "scalar", True),
    BuiltinFunction("to_timestamp", "timestamp(3)", "varchar, varchar", "scalar", True),
)
_VARIABLES = re.compile(r"\b(?:[A-Z]\d?|[a-z]\d?)\b")


def call(function: BuiltinFunction) -> str:
    """Return a query that calls a function with NULLs of its types; a lambda returns NULL."""
    arguments = ", ".join(_null(kind) for kind in _split(function.arguments))
    if function.name == "count" and not arguments:
        arguments = "*"
    window = " OVER (ORDER BY 1)" if function.kind == "window" else ""
    return f"SELECT {function.name}({arguments}){window}"


def _null(kind: str) -> str:
    if kind.startswith("function("):
        names = [f"x{number}" for number, _ in enumerate(_split(kind[9:-1])[1:])]
        return f"({', '.join(names)}) -> NULL"
    if kind.startswith("decimal("):
        return "CAST(NULL AS decimal(10, 2))"
    known = re.sub(r"\b(varchar|char|timestamp|time)\([a-z]\d?\)", r"\1(3)", kind)
    return f"CAST(NULL AS {_VARIABLES.sub('bigint', known)})"


def _split(types: str) -> list[str]:
    """Return the types of a list; those in brackets belong to the type before."""
    found, depth = [""], 0
    for character in types:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return [kind.strip() for kind in found if kind.strip()]


def _listed(rows: Sequence[Sequence[object]]) -> list[BuiltinFunction]:
    named = [
        BuiltinFunction(str(name), str(result), str(arguments), str(kind), bool(deterministic))
        for name, result, arguments, kind, deterministic, _ in rows
    ]
    kept = [
        function
        for function in {*named, *TERADATA}
        if function.name not in MISSING and (function.name, function.arguments) not in MISSING_FORMS
    ]
    return sorted(kept, key=lambda function: (function.name, function.result, function.arguments))


def main(url: str) -> None:
    (answer,) = run_all(url, ["SHOW FUNCTIONS"])
    if answer.error is not None or not answer.rows:
        raise SystemExit(f"{url}: {answer.message}")
    lines = ["\t".join(function.fields()) for function in _listed(answer.rows)]
    PATH.write_text("\n".join([*lines, ""]))
    sys.stdout.write(f"{len(lines)} functions\n")


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
