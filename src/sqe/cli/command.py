"""The `sqe` command: a shell, a batch mode and subcommands."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from sqe import __version__
from sqe.cli import exit_codes
from sqe.cli.command_line import LazyCommand, LazyGroup, OrderedOption, ordered_values
from sqe.errors import SqeError

FORMATS = ("table", "csv", "tsv", "json", "jsonl", "markdown", "vertical")

SUBCOMMANDS = {
    "setup": LazyCommand("sqe.cli.commands.setup:command", "Fetch and prepare what the engine needs."),
    "engine": LazyCommand(
        "sqe.cli.commands.engine:command", "Show and stop the engine that runs in the background."
    ),
    "login": LazyCommand("sqe.cli.commands.login:login", "Log in at the identity provider."),
    "logout": LazyCommand("sqe.cli.commands.login:logout", "End that login."),
    "whoami": LazyCommand("sqe.cli.commands.login:whoami", "Print the user that is logged in."),
    "token": LazyCommand(
        "sqe.cli.commands.login:token", "Print the access token of the login, for other programs."
    ),
    "server": LazyCommand("sqe.cli.commands.server:command", "Run a server."),
    "users": LazyCommand("sqe.cli.commands.users:command", "Add and remove users of a server."),
    "keys": LazyCommand("sqe.cli.commands.keys:command", "Add and remove API keys of a server."),
    "config": LazyCommand("sqe.cli.commands.config:command", "Check and show the configuration."),
    "policy": LazyCommand(
        "sqe.cli.commands.policy:command", "Check policies, and test their effect on users."
    ),
    "bench": LazyCommand("sqe.cli.commands.bench:command", "Measure this installation."),
}

EPILOG = """\b
Examples:
  sqe                                          a shell on ~/.sqe/warehouse
  sqe -e "SELECT 1 AS x" --format csv          one statement
  sqe -f load.sql -e "SELECT count(*) FROM t"  a script, then a statement
  sqe --memory < script.sql                    a throw-away warehouse
  sqe --catalog lake=/data/lake                a second catalog, to join with
  sqe -e "SELECT * FROM '/data/x.parquet'"     a file as a table

\b
Exit codes:
  0    everything succeeded
  1    a statement failed
  2    the command line or the configuration is wrong
  3    the engine or its gateway failed, or could not be set up
  130  interrupted
"""


@click.group(
    "sqe",
    cls=LazyGroup,
    lazy=SUBCOMMANDS,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "-e", "--execute", cls=OrderedOption, multiple=True, metavar="SQL", help="Run SQL and exit; repeatable."
)
@click.option(
    "-f",
    "--file",
    cls=OrderedOption,
    multiple=True,
    metavar="FILE",
    help="Run a script and exit; repeatable, - is stdin.",
)
@click.option(
    "--stop-on-error/--no-stop-on-error",
    default=False,
    help="End a script at its first error, instead of going on and exiting with 1 at the end.",
)
@click.option("--format", "format_", type=click.Choice(FORMATS), help="The format of results.")
@click.option(
    "--warehouse",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The directory of the catalog iceberg.",
)
@click.option("--memory", is_flag=True, help="Use a throw-away warehouse that ends with the session.")
@click.option("--catalog", multiple=True, metavar="NAME=PATH", help="Add a catalog; repeatable.")
@click.option(
    "--config", "config_file", type=click.Path(path_type=Path), metavar="FILE", help="The configuration file."
)
@click.option("--no-header", is_flag=True, help="Leave out column names.")
@click.option("--null", metavar="TEXT", help="The text that stands for NULL.")
@click.option("--timer", is_flag=True, help="Print how long each statement takes.")
@click.version_option(__version__, "-V", "--version", prog_name="sqe")
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Run SQL on Apache Iceberg with Spark: an interactive shell, or statements from -e, -f or stdin."""
    sources = ordered_values(ctx)
    if ctx.invoked_subcommand is not None:
        if sources:
            raise click.UsageError(f"-e and -f cannot be used with '{ctx.invoked_subcommand}'.")
        ctx.obj = options  # subcommands read `config_file`
        return
    ctx.exit(_session(options, sources))


def _session(options: dict[str, Any], sources: Sequence[tuple[str, str]]) -> int:
    """Open a session and run the shell or the batch in it."""
    from sqe.cli.client.light_arrow import import_light_arrow

    import_light_arrow()  # before anything that imports pyarrow
    # Searching for plugins takes longer than a query.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from sqe.cli.client.session import open_session, run_session
    from sqe.cli.execution.batch import STDIN, Source

    interactive = not sources and os.isatty(0) and os.isatty(1)
    given = [Source(text, file=name == "file") for name, text in sources] or [STDIN]
    return run_session(open_session(options, interactive=interactive), None if interactive else given)


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command with `argv`, None: this process's arguments, and return its exit code."""
    try:
        return int(command(args=argv, prog_name="sqe", standalone_mode=False) or exit_codes.OK)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as problem:
        problem.show()
        return exit_codes.USAGE if isinstance(problem, click.UsageError) else problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        return exit_codes.INTERRUPTED
    except BrokenPipeError:
        # The rest of the output has no reader: keep the interpreter from writing it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return exit_codes.OK
    except SqeError as error:
        from sqe.cli.execution.console import Console
        from sqe.cli.execution.report import report

        console = Console.of_process(os.environ, interactive=False)
        console.write_error(report(error, paint=console.paint))
        return exit_codes.exit_code(error)
