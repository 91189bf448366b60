"""`sqe policy`: check rules, and test what they do for whom."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sqe.cli import exits
from sqe.cli.commands.configured import configured
from sqe.cli.policy_test.cases import Case, CasesDocument
from sqe.cli.policy_test.junit import Tried, write_junit
from sqe.config.schema import Config
from sqe.errors import ConfigError, UsageError
from sqe.policy import documents

if TYPE_CHECKING:
    from sqe.cli.policy_test.test_bed import Ground

_TEST_HELP = """Run the cases in CASES, each as the person that it names, against the configured policy engines.

\b
A file of cases is YAML or TOML:
  setup:                                  # without any policy, in warehouses that end with the test
    - CREATE SCHEMA hr
    - CREATE TABLE hr.people AS SELECT * FROM VALUES (1, 'eng'), (2, 'hr') AS t(id, dept)
  cases:
    - user: ann
      roles: [engineer]                   # and groups
      query: SELECT id, dept FROM hr.people
      expect: {rows: [[1, eng]]}          # in any order, unless ordered: true
    - user: eve
      query: SELECT * FROM hr.people
      expect: {refused: ACCESS_DENIED}    # an error's code, or a part of its message
    - user: ann
      dialect: trino
      query: SELECT * FROM hr.people
      expect: {columns: [id, dept], count: 1}

Catalogs of type warehouse are replaced by empty ones of the same name. Those of type rest are used with your own login,
whoever a case names: the catalog decides about you, the policies about the person of the case.

\b
Exit codes:
  0  every case is as expected
  1  a case is not
  2  the command line, the configuration or a file is wrong
  3  the engine failed, or could not be set up
"""


@click.group("policy", help="Check policies, and test what they do for whom.")
def command() -> None: ...


@command.command(
    help="Check the policy engines of the configuration and what they read, without starting an engine. With RULES: "
    "check these files of rules instead, such as one that is to take the place of policy.file."
)
@click.argument("rules", nargs=-1, type=click.Path(path_type=Path))
@configured
def check(config: Config, rules: tuple[Path, ...]) -> None:
    if rules:
        from sqe.policy.file.document import RulesDocument

        for path in rules:
            count = len(documents.read(path, RulesDocument, "rules file").rules)
            click.echo(f"{path}: no problems in {count} rule{'s' if count != 1 else ''}.")
        return
    _needs_engines(config)
    from sqe.locations import locate
    from sqe.policy.engines import make_engines

    engines = make_engines(config, locate(config))
    for engine in engines:
        click.echo(f"{engine.name}: no problems.")
        engine.close()


@command.command(help=_TEST_HELP)
@click.argument("cases", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--junit",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    metavar="FILE",
    help="Write a report for CI systems, in JUnit's XML.",
)
@configured
def test(config: Config, cases: tuple[Path, ...], junit: Path | None) -> None:
    _needs_engines(config)
    files = [(path, documents.read(path, CasesDocument, "file of cases")) for path in cases]
    from sqe.cli.client.light_arrow import import_light_arrow

    import_light_arrow()  # before anything that imports pyarrow
    tried: list[Tried] = []
    for done in _run(config, files):
        tried.append(done)
        _tell(done)
    failed = sum(bool(done.problems) for done in tried)
    click.echo(f"{len(tried) - failed} of {len(tried)} cases are as expected.")
    if junit is not None:
        try:
            write_junit(junit, tried)
        except OSError as error:
            raise UsageError(f"The report {junit} cannot be written: {error.strerror}.") from error
    if failed:
        sys.exit(exits.STATEMENT_FAILED)


def _needs_engines(config: Config) -> None:
    if not config.policy.engines:
        raise ConfigError(
            "There is nothing to test: policy.engines is empty, and the catalog alone decides.",
            hint='Name the engines that decide, such as policy.engines = ["file"].',
        )


def _run(config: Config, files: list[tuple[Path, CasesDocument]]) -> Iterator[Tried]:
    from sqe.cli.policy_test.test_bed import Trial

    click.echo("starting an engine for the test", err=True)
    with Trial(config) as trial:
        for path, document in files:
            ground = trial.ground()
            ground.prepare(document.setup)
            for case, title in zip(document.cases, document.titles(), strict=True):
                began = time.monotonic()
                problems = tuple(_problems(ground, case))
                yield Tried(path.stem, title, time.monotonic() - began, problems)


def _problems(ground: Ground, case: Case) -> Iterator[str]:
    from sqe.cli.policy_test.outcome import differences
    from sqe.frontends.flight.stand_in import StandIn
    from sqe.model.session import Dialect

    who = StandIn(case.user, frozenset(case.roles), frozenset(case.groups))
    return differences(case.expect, ground.ask(who, case.query, Dialect(case.dialect)))


def _tell(done: Tried) -> None:
    from sqe.cli.output.escape import visible

    state = (
        click.style("failed", fg="red", bold=True)
        if done.problems
        else click.style("ok", fg="green") + "    "
    )
    click.echo(f"{state}  {visible(done.name)}  ({done.seconds:.1f} s)")
    for problem in done.problems:
        click.echo(f"        {visible(problem)}")
