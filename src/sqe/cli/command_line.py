"""Extensions of click: subcommands that are imported when they run, and options that keep their order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class LazyCommand:
    target: str  # "module:attribute"
    help: str  # for the list, so that `sqe --help` need not import the module

    def load(self) -> click.Command:
        module, _, attribute = self.target.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


class LazyGroup(click.Group):
    """A group whose subcommands are a table of LazyCommand."""

    def __init__(self, *args: Any, lazy: Mapping[str, LazyCommand], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        lazy = self._lazy.get(cmd_name)
        return lazy.load() if lazy else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, lazy.help) for name, lazy in self._lazy.items()])


class OrderedOption(click.Option):
    """An option whose values go to one list that all such options share: `-f a -e b` is not `-e b -f a`."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        flags = {**parser._short_opt, **parser._long_opt}  # noqa: SLF001 - click has no public way to see the order
        option = flags[self.opts[0]]
        option.process = self._recorder(option.process, ctx)

    def _recorder(self, process: Any, ctx: click.Context) -> Any:
        def record(value: str, state: Any) -> None:
            ordered: list[tuple[str, str]] = ctx.meta.setdefault(__name__, [])
            ordered.append((str(self.name), value))
            process(value, state)

        return record


def ordered_values(ctx: click.Context) -> list[tuple[str, str]]:
    """Return the values of all OrderedOptions as (name, value), in the order of the command line."""
    ordered: list[tuple[str, str]] = ctx.meta.get(__name__, [])
    return ordered
