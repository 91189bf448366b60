"""One statement does not end the engine, nor keep it busy: bombs are refused, and a canceled one frees its cores."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from testing.command import until
from tests.support.guarded_engine import GuardedEngine

from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.sessions import SparkEngineSession
from sqe.errors import LimitError, QueryCanceledError, SqeError, StatementTooComplexError
from sqe.frontends.trino.trino_errors import code_of
from sqe.model.query import Progress

pytestmark = pytest.mark.engine

USER = "ann"
# The machine may be busy with other things; a bomb would take hours or all memory.
SOON = 60.0


@pytest.fixture(scope="module")
def engine(guarded: GuardedEngine) -> GuardedEngine:
    assert guarded.run(USER, "SELECT 1") == [(1,)]
    return guarded


def refusal(engine: GuardedEngine, sql: str) -> SqeError:
    """Return the error of a statement, which has to come soon and to leave the engine as it was."""
    started = time.monotonic()
    error = engine.failure(USER, sql)
    assert time.monotonic() - started < SOON
    assert engine.run(USER, "SELECT 1") == [(1,)]
    return error


ROWS = "CAST(id AS INT)"  # a value that is not known before the statement runs
TOO_LARGE = {
    "repeat": "SELECT length(repeat('a', 2000000000))",
    "repeat-rows": f"SELECT length(repeat('a', 2000000000 - {ROWS})) FROM range(2)",
    "space": f"SELECT length(space(2000000000 - {ROWS})) FROM range(2)",
    "lpad": f"SELECT length(lpad('a', 2000000000 - {ROWS}, 'xy')) FROM range(2)",
    "rpad-binary": "SELECT length(rpad(X'00', 2000000000, X'01'))",
    "array_repeat": f"SELECT size(array_repeat(1, 2000000000 - {ROWS})) FROM range(2)",
    "array_repeat-texts": "SELECT size(array_repeat(repeat('a', 60000000), 1000))",
    "sequence": "SELECT size(sequence(1, 2000000000 + id)) FROM range(2)",
    "sequence-times": "SELECT size(sequence(TIMESTAMP'2000-01-01', TIMESTAMP'2030-01-01', INTERVAL '1' SECOND))",
    "concat": "SELECT length(aggregate(sequence(1, 40), 'a', (acc, x) -> acc || acc))",
    "concat-arrays": "SELECT size(aggregate(sequence(1, 40), array(1), (acc, x) -> concat(acc, acc)))",
    "concat_ws": "SELECT length(concat_ws(repeat('a', 1000), sequence(1, 1000000)::array<string>))",
    "array_join": "SELECT length(array_join(array_repeat('a', 1000000), repeat('a', 1000)))",
    "replace": "SELECT length(replace(repeat('a', 60000000), 'a', repeat('b', 1000)))",
    "regexp_replace": "SELECT length(regexp_replace(repeat('a', 10000000), 'a', repeat('b', 1000)))",
    "split": f"SELECT size(split(repeat('a,', 15000000 + {ROWS}), ',')) FROM range(1)",
    "format_string-width": "SELECT length(format_string('%1000000000d', 1))",
    "format_string-again": "SELECT length(format_string(repeat('%1$s', 1000), repeat('a', 1000000)))",
    "format_number": "SELECT format_number(1.5, 2000000000)",
    "round": "SELECT round(1.5D, 2000000000)",
    "array_insert": "SELECT size(array_insert(array(1), 2000000000, 2))",
    "flatten": "SELECT size(flatten(array_repeat(sequence(1, 1000000), 15)))",
    "transform": "SELECT size(transform(sequence(1, 1000000), x -> sequence(1, 1000000)))",
    "hex": "SELECT length(hex(repeat('a', 60000000)))",
    "randstr": "SELECT length(randstr(2000000000))",
    "stack": "SELECT stack(2000000000, 1)",
    "stack-table": "SELECT * FROM stack(2000000000, 1)",
    "histogram_numeric": "SELECT histogram_numeric(id, 2000000000) FROM range(2)",
    "count_min_sketch": "SELECT count_min_sketch(id, 1e-9D, 0.9D, 1) FROM range(2)",
    "approx_count_distinct": "SELECT approx_count_distinct(id, 1e-9D) FROM range(2)",
    "values": "SELECT length(a) FROM VALUES (repeat('a', 2000000000)) AS t(a)",
}
TEXTS = f"(SELECT repeat('a', 60000000 + {ROWS}) AS x FROM range(1))"
ARRAYS = "(SELECT sequence(1L, 9000000L + id) AS a FROM range(1))"
ALL = ", ".join(["a"] * 400)
TOO_LARGE |= {
    "date_format": f"SELECT date_format(now(), repeat('y', 40000000 + {ROWS})) FROM range(1)",
    "to_char": "SELECT to_char(1, repeat('9', 50000000))",
    "to_number": "SELECT to_number('1', repeat('9', 50000000))",
    "to_timestamp": f"SELECT to_timestamp('2020', repeat('y', 40000000 + {ROWS})) FROM range(1)",
    "option": "SELECT from_csv('1', 'a timestamp', map('timestampFormat', repeat('y ', 20000000)))",
    "json-path": f"SELECT get_json_object('{{}}', '$' || repeat('.a', 100000 + {ROWS})) FROM range(1)",
    "sentences": f"SELECT size(sentences(x)) FROM {TEXTS}",
    "to_json": f"SELECT length(to_json(struct({', '.join(['x'] * 40)}))) FROM {TEXTS}",
    "to_csv": f"SELECT length(to_csv(struct({', '.join(['x'] * 40)}))) FROM {TEXTS}",
    "hash": f"SELECT hash({ALL}) FROM {ARRAYS}",
    "greatest": f"SELECT size(greatest({ALL})) FROM {ARRAYS}",
    "sort_array": f"SELECT size(sort_array(array({ALL}))) FROM {ARRAYS}",
    "array-to-text": f"SELECT length(CAST(array({ALL}) AS STRING)) FROM {ARRAYS}",
    "decimal": f"SELECT CAST(repeat('9', 10000000 + {ROWS}) AS DECIMAL(38, 0)) FROM range(1)",
    "decimal-in-values": "SELECT * FROM VALUES (CAST(repeat('9', 10000000) AS DECIMAL(38, 0)))",
    "kll_sketch_agg": "SELECT kll_sketch_agg_bigint(id, 65535) FROM range(2)",
    "from_json": f"SELECT size(from_json(repeat(' ', 20000000 + {ROWS}) || '[1]', 'array<int>')) FROM range(1)",
    "parse_json": f"SELECT length(CAST(parse_json(repeat(' ', 20000000 + {ROWS}) || '[1]') AS STRING)) FROM range(1)",
    "split_part": f"SELECT split_part(repeat('a', 30000000 + {ROWS}), 'a', 2) FROM range(1)",
    "from_xml": (
        f"SELECT size(from_xml('<r>' || repeat('<a/>', 30000 + {ROWS}) || '</r>', 'a array<int>').a) FROM range(1)"
    ),
    "cast-of-array": (
        f"SELECT size(CAST(array_repeat('2020-01-02 03:04:05 Europe/Berlin', 600000 + {ROWS}) AS ARRAY<TIMESTAMP>))"
        " FROM range(1)"
    ),
    "collation": f"SELECT x COLLATE UNICODE_CI = x || 'b' FROM {TEXTS}",
}
TOO_EXPENSIVE = {
    "find_in_set-of-collation": (
        f"SELECT find_in_set('b' COLLATE UNICODE_CI, repeat('a,', 50000 + {ROWS})) FROM range(1)"
    ),
    "translate-of-collation": (
        f"SELECT length(translate(repeat('a', 30000 + {ROWS}) COLLATE UNICODE_CI, 'abcdef', 'ABCDEF')) FROM range(1)"
    ),
    "instr-of-collation": "SELECT instr(repeat('a', 90000) COLLATE UNICODE_CI, repeat('a', 20000) || 'b')",
    "sets-of-collation": (
        "SELECT size(array_distinct(transform(sequence(1, 15000), x -> (repeat('a', 3000) || x) COLLATE UNICODE_CI)))"
    ),
    "many-constants": "SELECT * FROM VALUES "
    + ", ".join(f"(sha2(substr(repeat('a', 60000000), {each}), 512))" for each in range(2, 400)),
    "deep-regex": f"SELECT regexp_like(repeat('ab', 100000 + {ROWS}), '(a|b)*c') FROM range(2)",
    "sets": "SELECT size(array_distinct(transform(sequence(1, 8000), x -> array(x))))",
    "keys": (
        "SELECT size(map_zip_with(m, m, (k, x, y) -> x)) FROM (SELECT map_from_arrays(transform(s, i -> array(i)), s)"
        " AS m FROM (SELECT sequence(1, 9000 + id) AS s FROM range(1)))"
    ),
    "instr": "SELECT instr(repeat('a', 30000000), repeat('a', 15000000) || 'b')",
    "trim": "SELECT length(trim(BOTH repeat('b', 30000000) || 'a' FROM repeat('a', 30000000)))",
    "parse_url": "SELECT parse_url('http://a/b?k=1', 'QUERY', '(a*)*b')",
    # In analysis nobody can interrupt: these end by themselves.
    "regex-in-values": "SELECT * FROM VALUES (repeat('a', 50) RLIKE '(.*a){25}b')",
    "explained": "EXPLAIN SELECT * FROM VALUES (repeat('a', 50) RLIKE '(.*a){25}b')",
}


def nested(select: str, times: int) -> str:
    return f"({select} " * times + "(SELECT id AS a FROM range(3))" + ")" * times


CUBE = "CUBE(" + ", ".join(f"id + {each}" for each in range(30)) + ")"
TOO_COMPLEX = {
    "lateral-aliases": "SELECT id AS a0, "
    + ", ".join(f"a{each} + a{each} AS a{each + 1}" for each in range(60))
    + " FROM range(3)",
    "aliases": "SELECT * FROM " + nested("SELECT a + a AS a FROM", 30) + " WHERE a > 5",
    "structs": "SELECT * FROM " + nested("SELECT struct(a, a) AS a FROM", 30),
    "named-queries": "WITH c0 AS (SELECT id AS a FROM range(3)), "
    + ", ".join(
        f"c{each + 1} AS (SELECT x.a FROM c{each} x JOIN c{each} y ON x.a = y.a)" for each in range(30)
    )
    + " SELECT * FROM c30",
    "unions": "WITH c0 AS (SELECT id AS a FROM range(3)), "
    + ", ".join(
        f"c{each + 1} AS (SELECT a FROM c{each} UNION ALL SELECT a FROM c{each})" for each in range(30)
    )
    + " SELECT * FROM c30",
    "cube": f"SELECT count(*) FROM range(3) GROUP BY {CUBE}",
    "cube-in-sets": f"SELECT count(*) FROM range(3) GROUP BY GROUPING SETS ({CUBE})",
    "cubes": "SELECT count(*) FROM range(3) GROUP BY "
    + ", ".join("CUBE(id, id + 1, id + 2)" for _ in range(10)),
    "pivot": "SELECT * FROM (SELECT id, id % 100 AS k FROM range(3)) PIVOT (sum(id), count(id) FOR k IN ("
    + ", ".join(map(str, range(1001)))
    + "))",
    "window": "SELECT window(TIMESTAMP'2024-01-01', '1000 days', '1 second') FROM range(1)",
    "type": f"SELECT CAST(NULL AS {'array<' * 200}int{'>' * 200})",
    "type-of-json": f"SELECT from_json('[]', '{'array<' * 200}int{'>' * 200}')",
}


@pytest.mark.parametrize("sql", TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_value_that_is_too_large_is_refused_before_it_is_made(engine: GuardedEngine, sql: str) -> None:
    error = refusal(engine, sql)
    assert type(error) is LimitError
    assert "allowed" in error.message


@pytest.mark.parametrize("sql", TOO_EXPENSIVE.values(), ids=TOO_EXPENSIVE)
def test_an_expression_that_would_take_hours_is_refused(engine: GuardedEngine, sql: str) -> None:
    assert type(refusal(engine, sql)) is LimitError


@pytest.mark.parametrize("sql", TOO_COMPLEX.values(), ids=TOO_COMPLEX)
def test_a_statement_that_grows_while_it_is_planned_is_refused(engine: GuardedEngine, sql: str) -> None:
    assert type(refusal(engine, sql)) is StatementTooComplexError


def double_views(engine: GuardedEngine, times: int) -> None:
    for each in range(times):
        twice = f"SELECT x.a FROM v{each} x JOIN v{each} y ON x.a = y.a"
        engine.run(USER, f"CREATE TEMPORARY VIEW v{each + 1} AS {twice}")


def test_views_that_double_are_refused(engine: GuardedEngine) -> None:
    engine.run(USER, "CREATE TEMPORARY VIEW v0 AS SELECT id AS a FROM range(3)")
    with pytest.raises(StatementTooComplexError):
        double_views(engine, 20)
    assert engine.run(USER, "SELECT 1") == [(1,)]


def test_what_cannot_be_stopped_is_not_allowed(engine: GuardedEngine) -> None:
    assert "cannot be stopped" in (refusal(engine, "SELECT xpath_string('<a/>', 'a')").hint or "")


@pytest.mark.parametrize("message", ["NULL", "CAST(NULL AS STRING)"])
def test_an_error_without_a_message_is_one(engine: GuardedEngine, message: str) -> None:
    assert (
        engine.failure(USER, f"SELECT raise_error({message})").message
        == "raise_error was called without a message."
    )
    assert "without a message" in engine.failure(USER, f"SELECT assert_true(false, {message})").message
    for sql in (f"raise_error({message})", f"assert_true(id < 0, {message})"):
        assert code_of(engine.failure(USER, f"SELECT {sql} FROM range(3)")).type == "USER_ERROR"


def test_like_takes_no_time_for_many_wildcards(engine: GuardedEngine) -> None:
    sql = "SELECT count(*) FROM range(100) WHERE repeat('a', 3000 + CAST(id AS INT)) LIKE repeat('%a', 300) || 'b'"
    assert engine.run(USER, sql) == [(0,)]
    part = "repeat('a', 15000000) || 'b'"
    sql = f"SELECT count(*) FROM range(2) WHERE repeat('a', 30000000 + CAST(id AS INT)) LIKE '%' || {part} || '%'"
    assert engine.run(USER, sql) == [(0,)]


def test_spark_still_makes_prefixes_of_like_and_gives_them_to_iceberg(engine: GuardedEngine) -> None:
    engine.run(USER, "CREATE NAMESPACE lake.db")
    engine.run(USER, "CREATE TABLE lake.db.t (name STRING) USING iceberg")
    engine.run(USER, "INSERT INTO lake.db.t VALUES ('abc'), ('xbc')")
    [(plan,)] = engine.run(USER, "EXPLAIN SELECT * FROM lake.db.t WHERE name LIKE 'ab%'")
    assert "name LIKE 'ab%'" in plan  # how Iceberg writes what it was given
    assert "StartsWith(name" in plan
    assert engine.run(USER, "SELECT * FROM lake.db.t WHERE name LIKE 'ab%'") == [("abc",)]
    assert engine.run(USER, "SELECT * FROM lake.db.t WHERE name LIKE '%x%'") == [("xbc",)]


def test_columns_have_the_names_that_spark_gives_them(engine: GuardedEngine) -> None:
    sql = "SELECT 'a' LIKE 'b', 'a' || 'b' || 'c', repeat('a', 2), hex('a'), transform(array(1), x -> x + 1)"
    assert engine.columns(USER, sql) == [
        "a LIKE b",
        "concat(concat(a, b), c)",
        "repeat(a, 2)",
        "hex(a)",
        "transform(array(1), lambdafunction((namedlambdavariable() + 1), namedlambdavariable()))",
    ]


def test_functions_with_bounds_work(engine: GuardedEngine) -> None:
    expressions = {
        "date_format(TIMESTAMP'2020-01-02 03:04:05', 'yyyy')": "2020",
        "to_char(12, '99')": "12",
        "CAST(to_number('12', '99') AS INT)": 12,
        "CAST(to_date('02.01.2020', 'dd.MM.yyyy') AS STRING)": "2020-01-02",
        "to_json(struct(1 AS a))": '{"a":1}',
        "to_csv(struct(1 AS a, 2 AS b), map('sep', ';'))": "1;2",
        "from_csv('1;2', 'a INT, b INT', map('sep', ';')).b": 2,
        """from_json('{"a": 1}', 'a INT').a""": 1,
        """get_json_object('{"a": 1}', '$.a')""": "1",
        "hash(1, 'a') = hash(1, 'a')": True,
        "sort_array(array('b', 'a'))[0]": "a",
        "to_json(sort_array(array(2, NULL, 1)))": "[null,1,2]",
        "to_json(sort_array(array(2, NULL, 1), false))": "[2,1,null]",
        "size(map_zip_with(map(array(1), 2), map(array(1), 3), (k, x, y) -> x + y))": 1,
        "greatest('a', 'b')": "b",
        "size(sentences('Good day. See you.'))": 2,
        "map_concat(map(1, 2), map(3, 4))[3]": 4,
        "CAST(CAST('12.5' AS DECIMAL(5, 1)) AS STRING)": "12.5",
        "CAST(array(1, 2) AS STRING)": "[1, 2]",
        "instr('xAb' COLLATE UNICODE_CI, 'ab')": 2,
        "length(sha2('a', 256))": 64,
        "kll_sketch_get_n_bigint(kll_sketch_agg_bigint(1, 200))": 1,
    }
    columns = ", ".join(f"{sql} AS c{number}" for number, sql in enumerate(expressions))
    assert engine.run(USER, f"SELECT {columns}") == [tuple(expressions.values())]


def test_large_lists_and_cases_are_answered(engine: GuardedEngine) -> None:
    numbers = ", ".join(map(str, range(1, 20_001)))
    sql = f"SELECT count(*) FROM range(10) WHERE id IN ({numbers}) AND CAST(id AS STRING) NOT IN ('7', {numbers[3:]})"
    assert engine.run(USER, sql) == [(1,)]
    branches = " ".join(f"WHEN id = {each} THEN 'n{each}'" for each in range(2_000))
    sql = f"SELECT max(CASE {branches} ELSE 'x' END), count(*) FROM range(1998, 2002)"
    assert engine.run(USER, sql) == [("x", 4)]
    [(text,)] = engine.run(USER, f"SELECT CASE {branches} END FROM range(1999, 2000)")
    assert text == "n1999"


LONG = {
    "hashes": ", ".join(
        f"sha2(substr(repeat('a', 20000000 + CAST(id AS INT)), {each}), 512)" for each in range(2, 200)
    ),
    "regex": "concat(repeat('a', 60), id) RLIKE '(.*a){25}b'",
    "regexp_replace": "length(regexp_replace(concat(repeat('a', 60), id), '(.*a){25}b', ''))",
    "split": "size(split(concat(repeat('a', 60), id), '(.*a){25}b'))",
    "like-of-collation": "(concat(repeat('a', 3000), id) COLLATE UTF8_LCASE) LIKE repeat('%a', 300) || 'b'",
    "levenshtein": "levenshtein(repeat('ab', 10000000) || id, repeat('ba', 10000000))",
    "aggregate": (
        "aggregate(sequence(1, 1000000 + id), 0L, (a, x) -> aggregate(sequence(1, 1000000), 0L, (b, y) -> b + y))"
    ),
    "sort_array": "size(sort_array(transform(sequence(1, 1000000 + id), i -> repeat('a', 200) || hash(i))))",
    "filter": "size(filter(sequence(1, 1000000 + id), x -> exists(sequence(1, 1000000), y -> y < 0)))",
}


@pytest.mark.parametrize("expression", LONG.values(), ids=LONG)
def test_a_canceled_statement_frees_its_cores(engine: GuardedEngine, expression: str) -> None:
    session, tag = engine.session("bob"), f"long-{abs(hash(expression))}"
    started, errors, times = threading.Event(), list[SqeError](), list[Progress]()

    def on_progress(progress: Progress) -> None:
        times.extend([progress] * (progress.tasks_running > 0))
        if len(times) > 1:  # a task that has just begun may not be at the expression yet
            started.set()

    def run() -> None:
        try:
            for _ in session.stream(f"SELECT {expression} FROM range(0, 8, 1, 8)", tag, on_progress):
                pass
        except SqeError as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert started.wait(SOON)
    session.interrupt(tag)
    thread.join(SOON)
    assert not thread.is_alive()
    assert isinstance(errors[0], QueryCanceledError)
    # As many tasks as there are cores would be in their way.
    answers = list[list[tuple[Any, ...]]]()
    small = "SELECT sum(id) FROM range(0, 100, 1, 8)"
    other = threading.Thread(target=lambda: answers.append(engine.run(USER, small)), daemon=True)
    other.start()
    other.join(SOON)
    assert answers == [[(4950,)]]


def engine_pid(engine: GuardedEngine) -> int | None:
    source = engine.sessions.source
    assert isinstance(source, Supervisor)
    return source.pid


def cpu_seconds(engine: GuardedEngine) -> float:
    stat = Path(f"/proc/{engine_pid(engine)}/stat").read_text()
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def is_idle(engine: GuardedEngine) -> bool:
    before = cpu_seconds(engine)
    time.sleep(1)
    return cpu_seconds(engine) - before < 0.2


def cpu_after_cancel(
    engine: GuardedEngine, seconds: float, work: Callable[[SparkEngineSession, str], None]
) -> float:
    """Cancel `work` when it has used this much of a core, and return what the engine has used when it is idle again."""
    session, errors, pid = engine.session("bob"), list[SqeError](), engine_pid(engine)

    def run() -> None:
        try:
            work(session, "long")
        except SqeError as error:
            errors.append(error)

    until(lambda: is_idle(engine), "an idle engine")
    before = cpu_seconds(engine)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    until(lambda: cpu_seconds(engine) - before > seconds, "work")
    assert thread.is_alive()
    session.interrupt("long")
    canceled = cpu_seconds(engine)
    thread.join(SOON)
    assert [type(error) for error in errors] == [QueryCanceledError]
    until(lambda: is_idle(engine), "an idle engine")
    assert engine_pid(engine) == pid
    return cpu_seconds(engine) - canceled


def test_a_canceled_analysis_frees_its_core(engine: GuardedEngine) -> None:
    def describe(session: SparkEngineSession, tag: str) -> None:
        session.describe(TOO_EXPENSIVE["many-constants"], tag)

    assert cpu_after_cancel(engine, 2, describe) < 4  # it would take 10 s of a core


def test_a_canceled_sort_frees_its_core(engine: GuardedEngine) -> None:
    keys = "SELECT (repeat('a', 50) || hash(id)) COLLATE UNICODE_CI AS k FROM range(0, 2000000, 1, 2)"

    def sort(session: SparkEngineSession, tag: str) -> None:
        sql = f"SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY k) AS n FROM ({keys}))"
        for _ in session.stream(sql, tag, lambda _: None):
            pass

    assert cpu_after_cancel(engine, 8, sort) < 4  # one comparison takes a microsecond
