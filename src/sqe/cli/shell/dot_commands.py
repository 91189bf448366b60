"""Dot commands: one table of names, aliases, arguments and help, and a function for each."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyarrow as pa

from sqe.catalogs import place_of
from sqe.cli.execution.runner import Runner
from sqe.cli.output.escape import visible_lines
from sqe.cli.output.formats import FORMATS
from sqe.cli.shell.dot_sql import is_file, name_parts, relation, summarize_sql
from sqe.errors import QueryCanceledError, QueryError, SchemaNotFoundError, UsageError
from sqe.model.session import SessionSpec
from sqe.sql.files.table import VIEW_PREFIX
from sqe.sql.quote import quote_literal, quote_name


class Quit(Exception):  # noqa: N818 - it is no error
    """Ends the shell or the script."""


@dataclass(frozen=True, slots=True)
class DotContext:
    """The state of the shell that dot commands use."""

    runner: Runner
    spec: SessionSpec
    read: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class DotCommand:
    names: tuple[str, ...]  # the first is the one that help shows
    argument: str  # as help writes it: "" none, "[X]" may be left out, "X" must be there
    help: str
    function: Callable[[DotContext, str], None]
    choices: tuple[str, ...] = ()  # for completion


def run_dot(line: str, context: DotContext) -> None:
    """Run one line such as `.describe t`. Raises SqeError and Quit."""
    word, _, argument = line.strip().rstrip(";").partition(" ")
    command = find(word)
    argument = argument.strip()
    if argument and not command.argument:
        raise UsageError(f"{command.names[0]} takes no argument.")
    if not argument and command.argument and not command.argument.startswith("["):
        raise UsageError(
            f"{command.names[0]} needs an argument.", hint=f"{command.names[0]} {command.argument}"
        )
    command.function(context, argument)


def find(word: str) -> DotCommand:
    r"""Find a command by any of its names; `\q` is the same as `.q`. Raises UsageError."""
    name = "." + word[1:].lower()
    for command in COMMANDS:
        if name in command.names:
            return command
    near = difflib.get_close_matches(name, [known for command in COMMANDS for known in command.names], 1, 0.5)
    hint = f"Did you mean {near[0]}?" if near else ".help lists all commands."
    raise UsageError(f"There is no command {word}.", hint=hint)


def _help(context: DotContext, argument: str) -> None:
    commands: Sequence[DotCommand] = [find("." + argument.lstrip(".\\"))] if argument else COMMANDS
    usages = [f"{command.names[0]} {command.argument}".rstrip() for command in commands]
    size = max(len(usage) for usage in usages)
    lines = []
    for usage, command in zip(usages, commands, strict=True):
        aliases = f" (also {', '.join(command.names[1:])})" if len(command.names) > 1 else ""
        lines.append(f"{usage:<{size}}  {command.help}{aliases}")
    if not argument:
        lines += [
            "",
            "A statement ends with ; and may take several lines. Ctrl-C cancels it, Ctrl-D quits, Tab completes.",
        ]
    context.runner.console.out.text("\n".join(lines) + "\n")


def _quit(_context: DotContext, _argument: str) -> None:
    raise Quit


def _tables(context: DotContext, argument: str) -> None:
    run = context.runner
    try:
        tables = _listed(run, _where(argument))
    except SchemaNotFoundError:
        if "." in argument:
            raise
        # No schema has that name: search for tables by a part of their name.
        tables = _listed(run, f" LIKE {quote_literal(f'*{argument}*')}")
    run.show_table(tables)


def _where(argument: str) -> str:
    if not argument:
        return ""
    if "*" in argument or "%" in argument:
        return f" LIKE {quote_literal(argument.replace('%', '*'))}"
    return f" IN {quote_name(*name_parts(argument))}"


def _listed(run: Runner, where: str) -> pa.Table:
    rows = [(row[0], row[1], "table") for row in _rows(run.collect(f"SHOW TABLES{where}"))]
    try:
        views = [(row[0], row[1], "view") for row in _rows(run.collect(f"SHOW VIEWS{where}"))]
    except QueryCanceledError:
        raise
    except QueryError:
        views = []  # a catalog without views refuses to list them
    known = set(views)
    rows = sorted([row for row in rows if (row[0], row[1], "view") not in known] + views)
    rows = [row for row in rows if not row[1].startswith(VIEW_PREFIX)]
    names = ("schema", "name", "type")
    return pa.table(
        {name: pa.array([row[index] for row in rows], pa.string()) for index, name in enumerate(names)}
    )


def _rows(table: pa.Table) -> list[tuple[str, ...]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def _schema(context: DotContext, argument: str) -> None:
    table = context.runner.collect(f"SHOW CREATE TABLE {relation(argument)}")
    for text, *_ in _rows(table):
        context.runner.console.out.text(visible_lines(text.rstrip()) + ";\n")


def _describe(context: DotContext, argument: str) -> None:
    target = relation(argument)
    query = f"DESCRIBE QUERY SELECT * FROM {target}"  # noqa: S608 - `relation` has quoted it
    sql = query if is_file(target) else f"DESCRIBE TABLE {target}"
    context.runner.show_table(context.runner.collect(sql))


def _summarize(context: DotContext, argument: str) -> None:
    target = relation(argument)
    schema = context.runner.schema(f"SELECT * FROM {target} LIMIT 0")  # noqa: S608 - `relation` has quoted it
    context.runner.show_table(context.runner.collect(summarize_sql(target, schema)))


def _catalogs(context: DotContext, _argument: str) -> None:
    paths = {catalog.name: place_of(catalog) for catalog in context.spec.catalogs}
    # Spark lists a catalog only after its first use, so the session's own catalogs come from its spec.
    names = [
        *paths,
        *(name for (name, *_) in _rows(context.runner.collect("SHOW CATALOGS")) if name not in paths),
    ]
    columns = {
        "catalog": pa.array(names, pa.string()),
        "warehouse": pa.array([paths.get(name) for name in names], pa.string()),
    }
    context.runner.show_table(pa.table(columns))


def _read(context: DotContext, argument: str) -> None:
    quoted = len(argument) > 2 and argument[0] == argument[-1] and argument[0] in "'\""
    context.read(argument[1:-1] if quoted else argument)


def _switch(name: str, value: str) -> bool:
    states = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
    if value.lower() not in states:
        raise UsageError(f"{name} takes on or off, not '{value}'.")
    return states[value.lower()]


def _timer(context: DotContext, argument: str) -> None:
    context.runner.display.timer = _switch(".timer", argument)


def _headers(context: DotContext, argument: str) -> None:
    context.runner.display.header = _switch(".headers", argument)


def _pager(context: DotContext, argument: str) -> None:
    context.runner.display.pager = _switch(".pager", argument)


def _format(context: DotContext, argument: str) -> None:
    display = context.runner.display
    if not argument:
        context.runner.console.out.text(f"{display.format} (one of {', '.join(FORMATS)})\n")
        return
    if argument.lower() not in FORMATS:
        raise UsageError(f"There is no format '{argument}'.", hint=f"Use one of {', '.join(FORMATS)}.")
    display.format = argument.lower()


def _null(context: DotContext, argument: str) -> None:
    display = context.runner.display
    display.null = display.data_null = "" if argument in ("''", '""') else argument


def _maxrows(context: DotContext, argument: str) -> None:
    if argument.lower() == "all":
        context.runner.display.max_rows = None
    elif argument.isdecimal() and int(argument) > 0:
        context.runner.display.max_rows = int(argument)
    else:
        raise UsageError(f".maxrows takes a number or all, not '{argument}'.")


def _cancel(_context: DotContext, _argument: str) -> None:
    raise UsageError(
        "No statement is running in this shell.",
        hint="Press Ctrl-C while one runs: that cancels it and keeps the shell.",
    )


COMMANDS: tuple[DotCommand, ...] = (
    DotCommand((".help", ".h", ".?"), "[COMMAND]", "show this list, or one command", _help),
    DotCommand((".quit", ".exit", ".q"), "", "leave the shell", _quit),
    DotCommand(
        (".tables",),
        "[SCHEMA | PATTERN]",
        "list tables and views; * in a pattern stands for anything",
        _tables,
    ),
    DotCommand((".schema",), "TABLE", "show the statement that creates a table", _schema),
    DotCommand((".describe", ".d"), "TABLE", "list a table's columns and their types", _describe),
    DotCommand(
        (".summarize", ".summary"), "TABLE", "count, distinct, nulls, min and max of each column", _summarize
    ),
    DotCommand((".catalogs", ".databases"), "", "list the catalogs and where they are", _catalogs),
    DotCommand((".read",), "FILE", "run the statements of a file", _read),
    DotCommand((".timer",), "on|off", "print how long each statement takes", _timer, ("on", "off")),
    DotCommand(
        (".format", ".mode"),
        "[FORMAT]",
        f"set the format of results: {', '.join(FORMATS)}",
        _format,
        tuple(FORMATS),
    ),
    DotCommand((".headers", ".header"), "on|off", "show column names", _headers, ("on", "off")),
    DotCommand((".null", ".nullvalue"), "TEXT", "set the text that stands for NULL", _null),
    DotCommand(
        (".maxrows",), "N|all", "set how many rows of a long result the shell shows", _maxrows, ("40", "all")
    ),
    DotCommand((".pager",), "on|off", "show what does not fit the screen in a pager", _pager, ("on", "off")),
    DotCommand((".cancel",), "", "explain how to cancel the running statement", _cancel),
)
