"""One list of formats for the configuration, the command line and the writers."""

from __future__ import annotations

from typing import get_args

from sqe.cli import command
from sqe.cli.output import formats
from sqe.config.sections.shell import OutputFormat


def test_the_command_line_the_configuration_and_the_writers_agree() -> None:
    assert set(command.FORMATS) == set(formats.FORMATS) == set(get_args(OutputFormat))
