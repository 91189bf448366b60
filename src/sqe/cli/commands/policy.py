"""The command `sqe policy`: check policies, and test their effect on users."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sqe.cli import exit_codes
from sqe.cli.commands.config_option import config_option
from sqe.cli.policy_test.cases import Case, CasesDocument
from sqe.cli.policy_test.junit import CaseResult, write_junit
from sqe.config.schema import Config
from sqe.errors import ConfigError, UsageError
from sqe.policy import documents

if TYPE_CHECKING:
    from sqe.cli.policy_test.test_bed import PolicyTestBed

_TEST_HELP = """Run the cases in CASES, each as its user, against the configured policy engines.

\b
A file of cases is YAML or TOML:
  setup:                                  # without any policy, in temporary warehouses
    - CREATE SCHEMA hr
    - CREATE TABLE hr.people AS SELECT * FROM VALUES (1, 'eng'), (2, 'hr') AS t(id, dept)
  cases:
    - user: ann
      roles: [engineer]                   # and groups
      query: SELECT id, dept FROM hr.people
      expect: {rows: [[1, eng]]}          # in any order, unless ordered: true
    - user: eve
      query: SELECT * FROM hr.people
      expect: {refused: ACCESS_DENIED}    # an error code, or a part of the message
    - user: ann
      dialect: trino
      query: SELECT * FROM hr.people
      expect: {columns: [id, dept], count: 1}

The test replaces catalogs of type warehouse by empty ones of the same name, and uses those of type rest with your own
login: the catalog authorizes you, the policies authorize the user of the case.

\b
Exit codes:
  0  every case passed
  1  a case failed
  2  the command line, the configuration or a file is wrong
  3  the engine failed, or could not be set up
"""


@click.group("policy", help="Check policies, and test their effect on users.")
def command() -> None: ...


@command.command(
    help="Check the configured policy engines and their files, without starting an engine. With RULES: check these "
    "files of rules instead, for example before one replaces policy.file."
)
@click.argument("rules", nargs=-1, type=click.Path(path_type=Path))
@config_option
def check(config: Config, rules: tuple[Path, ...]) -> None:
    if rules:
        from sqe.policy.file.document import RulesDocument

        for path in rules:
            count = len(documents.read(path, RulesDocument, "rules file").rules)
            click.echo(f"{path}: no problems in {count} rule{'s' if count != 1 else ''}.")
        return
    _require_engines(config)
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
@config_option
def test(config: Config, cases: tuple[Path, ...], junit: Path | None) -> None:
    _require_engines(config)
    files = [(path, documents.read(path, CasesDocument, "file of cases")) for path in cases]
    from sqe.cli.client.light_arrow import import_light_arrow

    import_light_arrow()  # before anything that imports pyarrow
    results: list[CaseResult] = []
    for result in _run(config, files):
        results.append(result)
        _print_result(result)
    failed = sum(bool(result.problems) for result in results)
    click.echo(f"{len(results) - failed} of {len(results)} cases passed.")
    if junit is not None:
        try:
            write_junit(junit, results)
        except OSError as error:
            raise UsageError(f"The report {junit} cannot be written: {error.strerror}.") from error
    if failed:
        sys.exit(exit_codes.STATEMENT_FAILED)


def _require_engines(config: Config) -> None:
    if not config.policy.engines:
        raise ConfigError(
            "policy.engines is empty, so that there are no policies to test.",
            hint='Set it, for example policy.engines = ["file"].',
        )


def _run(config: Config, files: list[tuple[Path, CasesDocument]]) -> Iterator[CaseResult]:
    from sqe.cli.policy_test.test_bed import PolicyTestGateway

    click.echo("starting an engine for the test", err=True)
    with PolicyTestGateway(config) as gateway:
        for path, document in files:
            test_bed = gateway.new_test_bed()
            test_bed.prepare(document.setup)
            for case, title in zip(document.cases, document.titles(), strict=True):
                began = time.monotonic()
                problems = tuple(_problems(test_bed, case))
                yield CaseResult(path.stem, title, time.monotonic() - began, problems)


def _problems(test_bed: PolicyTestBed, case: Case) -> Iterator[str]:
    from sqe.cli.policy_test.outcome import differences
    from sqe.frontends.flight.wire import Impersonation
    from sqe.model.session import Dialect

    who = Impersonation(case.user, frozenset(case.roles), frozenset(case.groups))
    return differences(case.expect, test_bed.run_query(who, case.query, Dialect(case.dialect)))


def _print_result(result: CaseResult) -> None:
    from sqe.cli.output.escape import visible

    state = (
        click.style("failed", fg="red", bold=True)
        if result.problems
        else click.style("ok", fg="green") + "    "
    )
    click.echo(f"{state}  {visible(result.name)}  ({result.seconds:.1f} s)")
    for problem in result.problems:
        click.echo(f"        {visible(problem)}")
