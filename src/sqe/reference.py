"""Write the reference pages of the documentation from the code."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from pydantic.fields import FieldInfo

from sqe import errors
from sqe.config.allowed_values import allowed
from sqe.config.schema import sections
from sqe.config.sources import variable

_NOTE = "<!-- Made by `make docs` from {source}; do not edit. -->"
_TREE_LINE = re.compile(
    r"^[│├└─ ]*(?P<name>[A-Z]\w+)\s+(?P<code>[A-Z_]+)\s+(?P<sqlstate>\w{5})(?:\s+(?P<meaning>.+))?$"
)

_CONFIGURATION_INTRO = """\
# Configuration

SQE reads one TOML file: the one given with `--config`, else the one that `$SQE_CONFIG` names, else
`~/.sqe/sqe.toml` if it exists. A file in the current directory is never read by itself, since it could
decide where the engine's code comes from. Relative paths in the file start at the file's own directory.

Each value is taken from the first of these places that has it: a command-line flag, the environment, the
file, the default. The variable of `engine.memory` is `SQE_ENGINE__MEMORY`; an empty variable unsets a value
that may be unset, and a table is written as in TOML: `SQE_ENGINE__SETTINGS='{"spark.ui.enabled" =
"true"}'`. So is a list: `SQE_AUTH__PROVIDERS='["users_file"]'`. Tables from several places are merged entry by
entry. Where you choose a name, it is part of the variable: `catalogs.lake.uri` is `SQE_CATALOGS__LAKE__URI`; catalogs
that only the environment has come after those of the file, by name.

An unknown key, section or variable is an error. `sqe config check FILE` lists everything that is wrong with
a file, and `sqe config show --origin` prints what is in force and where it comes from. A file that holds a
secret must not be readable by every user of the machine. What is kept secret can be elsewhere: `env:NAME` means a
variable of the environment, `file:PATH` the content of a file without its last line break; a path that is not
absolute begins at the configuration file.

- **Sizes** have a unit: `kB`, `MB`, `GB`, `TB` count in thousands (`512MB` is 512,000,000 bytes) and `KiB`,
  `MiB`, `GiB`, `TiB` in 1024 (`512MiB` is 536,870,912 bytes). Java's `2g` is refused, because it does not
  say which.
- **Durations** have a unit too: `ms`, `s`, `min` (or `m`), `h`, `d`, also together as in `1h30m`.
"""

_ERRORS_INTRO = """\
# Errors

Every error has a code, which stays the same and is meant for programs, and a SQLSTATE. When Spark gave a
more exact SQLSTATE for a failed statement, that one is reported. An error of a class is also one of each
class above it.
"""


def configuration_page() -> str:
    """Describe every setting as Markdown."""
    lines = [_NOTE.format(source="src/sqe/config"), "", _CONFIGURATION_INTRO]
    for path, section in sections():
        lines += [f"## [{'.'.join(path)}]", "", inspect.cleandoc(section.__doc__ or ""), ""]
        lines += ["| key | default | allowed | meaning |", "|---|---|---|---|"]
        for key, field in section.model_fields.items():
            cells = (f"`{key}`", _default(field), allowed(field), field.description or "")
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        example = variable((*path, next(iter(section.model_fields))))
        lines += ["", f"Variables: `{variable((*path, 'KEY'))}`, such as `{example}`.", ""]
    return "\n".join(lines).rstrip() + "\n"


def errors_page() -> str:
    """Describe the tree of errors as Markdown."""
    lines = [_NOTE.format(source="src/sqe/errors.py"), "", _ERRORS_INTRO]
    lines += ["| code | SQLSTATE | class | a kind of | meaning |", "|---|---|---|---|---|"]
    meanings = dict(error_meanings())
    for error in errors.tree():
        above = error.__bases__[0].__name__ if error is not errors.SqeError else ""
        meaning = meanings[error.__name__] or (error.__doc__ or "").strip()
        lines.append(f"| `{error.code}` | {error.sqlstate} | {error.__name__} | {above} | {meaning} |")
    return "\n".join(lines) + "\n"


def error_meanings() -> list[tuple[str, str]]:
    """Return each class in the tree of errors.py's docstring, with the text beside it."""
    found = (_TREE_LINE.match(line) for line in (errors.__doc__ or "").splitlines())
    return [(match["name"], match["meaning"] or "") for match in found if match]


PAGES = {"configuration.md": configuration_page, "errors.md": errors_page}


def write_pages(directory: Path) -> None:
    """Write every generated page into `directory`."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (directory / name).write_text(page(), encoding="utf-8")


def _default(field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    if default is None:
        return "not set"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, tuple):
        return "`[" + ", ".join(f'"{item}"' for item in default) + "]`"
    if isinstance(default, dict):
        return "empty"
    return f"`{default}`" if type(default) is int else f'`"{default}"`'
