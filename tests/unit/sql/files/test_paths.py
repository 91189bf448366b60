"""Resolution of the paths in a statement to files on this machine."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sqe.errors import FileAccessError, SqeError, UnsupportedError
from sqe.sql.files.find import find_files
from sqe.sql.files.paths import resolve
from sqe.sql.files.table import FileTable
from sqe.sql.quote import quote_literal


def table(relation: str) -> FileTable:
    (found,) = find_files(f"SELECT * FROM {relation}")
    return found


def names(relation: str, directory: Path) -> list[str]:
    prefix = f"file://{directory}/"
    paths = resolve(table(relation), directory).paths
    assert all(path.startswith(prefix) for path in paths)
    return [path.removeprefix(prefix) for path in paths]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in [
        "a.csv", "b.csv", "c.tsv", "x[1].csv", "x{y}.csv", "z*.csv", "w:v.csv", "_SUCCESS", ".hidden.csv", "_part.csv",
        "out.parquet/part-0.parquet", "out.parquet/_SUCCESS", "d/p=1/e.parquet", "d/_q=2/f.parquet", "d/g.parquet",
    ]:  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("'a.csv'", ["a.csv"]),
        ("'./d/../a.csv'", ["a.csv"]),
        ("'[ab].csv'", ["a.csv", "b.csv"]),
        ("'[^a].csv'", ["b.csv"]),
        ("'?.csv'", ["a.csv", "b.csv"]),
        ("'{b,a}.csv'", ["b.csv", "a.csv"]),
        ("read_csv('{a,{b,c}}.?sv')", ["a.csv", "b.csv", "c.tsv"]),
        ("read_csv('{a.csv,c.tsv,nothing}')", ["a.csv", "c.tsv"]),
        ("read_csv(['a.csv', '[ab].csv'])", ["a.csv", "b.csv"]),
        ("'x[1].csv'", [r"x\[1\].csv"]),
        ("'x{y}.csv'", [r"x\{y\}.csv"]),
        ("'z*.csv'", [r"z\*.csv"]),
        (r"'x\\[1].csv'", [r"x\[1\].csv"]),
        ("'out.parquet'", ["out.parquet"]),
        ("'*.parquet'", ["out.parquet"]),
        ("read_parquet('d/')", ["d"]),
        (
            "'**/*.parquet'",
            ["d/_q=2/f.parquet", "d/g.parquet", "d/p=1/e.parquet", "out.parquet/part-0.parquet"],
        ),
        ("read_parquet('d/**')", ["d/_q=2/f.parquet", "d/g.parquet", "d/p=1/e.parquet"]),
        ("'d/**/p=*/*.parquet'", ["d/p=1/e.parquet"]),
    ],
)
def test_patterns(tree: Path, relation: str, expected: list[str]) -> None:
    assert names(relation, tree) == expected


def test_a_path_can_start_at_the_root_or_at_home(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tree))
    for written in ["~/a.csv", f"{tree}/a.csv", f"file://{tree}/a.csv", f"file:{tree}/a.csv"]:
        assert resolve(table(f"'{written}'"), Path("/elsewhere")).paths == (f"file://{tree}/a.csv",)


@pytest.mark.parametrize(
    ("relation", "error", "message"),
    [
        ("'nothing.csv'", FileAccessError, "No file matches 'nothing.csv'"),
        ("'nothing/*.csv'", FileAccessError, r"No file matches 'nothing/\*.csv'"),
        ("read_csv(['a.csv', 'nothing'])", FileAccessError, "No file matches 'nothing'"),
        ("'_part.csv'", FileAccessError, "ignores files whose names start with"),
        ("'.hidden.csv'", FileAccessError, "ignores files whose names start with"),
        ("'w*.csv'", FileAccessError, "w:v.csv' cannot be read: the engine cannot open files with a colon"),
        ("'dangling.csv'", FileAccessError, "link to a file that does not exist"),
        ("'~nobody-of-that-name/x.csv'", FileAccessError, "an unknown user"),
        ("'s3://bucket/x.csv'", UnsupportedError, "only files of this machine"),
        ("read_csv('HTTPS://host/x')", UnsupportedError, "only files of this machine"),
        ("'" + "{a,b}" * 11 + ".csv'", UnsupportedError, "more than 1000 alternatives"),
    ],
)
def test_refusals(tree: Path, relation: str, error: type[SqeError], message: str) -> None:
    (tree / "dangling.csv").symlink_to("nowhere")
    with pytest.raises(error, match=message):
        resolve(table(relation), tree)


def test_a_pattern_does_not_hide_a_compression(tree: Path) -> None:
    (tree / "packed").mkdir()
    (tree / "packed/x.csv.xz").write_bytes(b"")
    with pytest.raises(UnsupportedError, match=r"cannot unpack \.xz"):
        resolve(table("read_csv('packed/*')"), tree)


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_a_file_without_permission(tree: Path) -> None:
    (tree / "a.csv").chmod(0)
    with pytest.raises(FileAccessError, match="permission denied"):
        resolve(table("'a.csv'"), tree)


def test_a_session_without_a_directory_has_no_files() -> None:
    with pytest.raises(UnsupportedError, match="This session cannot use files as tables"):
        resolve(table("'/a.csv'"), None)


def test_the_base_path_is_resolved_too(tree: Path) -> None:
    resolved = resolve(table("read_parquet('d/p=*', base_path => 'd')"), tree)
    assert dict(resolved.options) == {"basePath": f"file://{tree}/d"}


@pytest.mark.parametrize(
    ("content", "document"),
    [
        (b'{"a": 1}\n{"a": 2}\n', "false"),
        (b'{"a": 1}', "false"),
        (b'[{"a": 1},\n {"a": 2}]', "true"),
        (b"\xef\xbb\xbf \n[1]", "true"),
        (b'{\n  "a": 1\n}\n', "true"),
        (b"", "false"),
    ],
)
def test_json_is_looked_at(tmp_path: Path, content: bytes, document: str) -> None:
    (tmp_path / "x.json").write_bytes(content)
    (tmp_path / "x.json.gz").write_bytes(gzip.compress(content))
    (tmp_path / "x.json.bz2").write_bytes(bz2.compress(content))
    (tmp_path / "dir").mkdir()
    (tmp_path / "dir" / "part-0").write_bytes(content)
    for relation in ["'x.json'", "'x.json.gz'", "'x.json.bz2'", "read_json('dir')"]:
        assert resolve(table(relation), tmp_path).options["multiLine"] == document


def test_json_that_is_not_what_its_name_says_is_for_spark_to_refuse(tmp_path: Path) -> None:
    (tmp_path / "x.json.gz").write_bytes(b"not packed")
    assert resolve(table("'x.json.gz'"), tmp_path).options["multiLine"] == "false"


def test_a_given_format_of_json_is_kept(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[1]")
    resolved = resolve(table("read_json('x.json', format => 'newline_delimited')"), tmp_path)
    assert resolved.options["multiLine"] == "false"


paths = st.lists(
    st.sampled_from([*"[]{}*?!^-\\/,.~a", "**", "/**/", "..", "a.csv", "[^", "[z-a]"]),
    min_size=1,
    max_size=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(paths.map("".join) | st.text(min_size=1, max_size=20))
def test_any_path_is_found_or_refused(tree: Path, path: str) -> None:
    relation = (
        f"read_csv({quote_literal('d/' + path)})"  # below a directory, so that no search leaves the fixture
    )
    with contextlib.suppress(SqeError):
        if ".." not in path:
            assert resolve(table(relation), tree).paths
