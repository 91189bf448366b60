"""The lists of what a shared engine allows name every kind of plan and expression that there is, and nothing else."""

from __future__ import annotations

import re
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.support.class_files import JavaClass, concrete_kinds, read_class, read_jars
from tests.support.kinds import LISTS, ROOTS, Entry, compare, read_list, read_reasons, report

from sqe.engine.runtime import guard
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.model.decision import Operation

PLAN = ROOTS["plans.txt"]
FILES = (
    "plans.txt",
    "expressions.txt",
    "functions.txt",
    "table_functions.txt",
    "procedures.txt",
    "settings.txt",
)
# What may follow the type of a setting.
_RANGES = {
    "boolean": "",
    "zone": "",
    "number": r"\d+\.\.\d+",
    "size": r"-?\d+(MB|GB)?\.\.\d+(MB|GB)",
    "word": r"\w+(\|\w+)+",
}
INTERFACE, ABSTRACT = 0x0200, 0x0400


@pytest.mark.parametrize("file", FILES)
def test_every_line_is_understood(file: str) -> None:
    reasons = read_reasons()
    for name, entry in read_list(LISTS / file).items():
        match entry:
            case Entry("allow" | "early" | "relation", "", ""):
                pass
            case Entry("decide", operation, ""):
                assert operation in set(Operation), name
            case Entry("value", type_, range_):
                assert re.fullmatch(_RANGES[type_], range_), name
            case Entry("refuse", reason, _):
                assert reason in reasons, name
            case _:
                pytest.fail(f"{file}: {name} {entry}")


def test_every_reason_is_used_and_a_sentence() -> None:
    reasons = read_reasons()
    entries = [entry for file in FILES for entry in read_list(LISTS / file).values()]
    java = "".join(path.read_text() for path in (guard.find_sources() / "sqe/spark/kinds").glob("*.java"))
    used = {entry.detail for entry in entries if entry.verdict == "refuse"} | set(
        re.findall(r'"(\w+)"', java)
    )
    assert set(reasons) <= used
    assert all(re.fullmatch(r"[A-Z][^.]*\.", sentence) for sentence in reasons.values())


def test_a_line_that_stands_twice_is_told(tmp_path: Path) -> None:
    (tmp_path / "twice.txt").write_text("[a.b]\nC allow\n[a]\nb.C refuse code\n")
    with pytest.raises(ValueError, match=r"twice.txt:4"):
        read_list(tmp_path / "twice.txt")


def test_the_lists_are_those_of_the_jars(engine_jars: Sequence[Path]) -> None:
    """A new Spark or Iceberg makes this fail: somebody has to look at what is new. See `tests.support.kinds`."""
    lists = {file: read_list(LISTS / file) for file in ROOTS}
    for file, difference in compare([*find_pyspark().jars, *engine_jars], lists).items():
        assert not difference.missing, f"{file} lacks kinds"
        assert not difference.gone, f"{file} has kinds that are not in the jars"


def class_file(name: str, parent: str, interfaces: Sequence[str] = (), flags: int = 0) -> bytes:
    """A class file without content, but for a number of 8 bytes, which takes two places in the pool."""
    names = [name, parent, *interfaces]
    pool = struct.pack(">Bq", 5, 1)
    for number, text in enumerate(names):
        encoded = text.replace(".", "/").encode()
        pool += struct.pack(">BH", 1, len(encoded)) + encoded + struct.pack(">BH", 7, 3 + 2 * number)
    ids = [4 + 2 * number for number in range(len(names))]
    head = struct.pack(">IHHH", 0xCAFEBABE, 0, 61, 3 + 2 * len(names))
    return head + pool + struct.pack(f">{4 + len(interfaces)}H", flags, *ids[:2], len(interfaces), *ids[2:])


def make_jar(path: Path, *classes: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for content in classes:
            archive.writestr(read_class(content).name.replace(".", "/") + ".class", content)
    return path


def test_a_kind_that_is_new_or_gone_is_told(tmp_path: Path) -> None:
    new = "org.apache.spark.sql.New"
    jar = make_jar(
        tmp_path / "spark.jar",
        class_file(PLAN, "java.lang.Object", flags=ABSTRACT),
        class_file(f"{new}Trait", "java.lang.Object", [PLAN], INTERFACE | ABSTRACT),
        class_file(f"{new}Command", "java.lang.Object", ["java.io.Serializable", f"{new}Trait"]),
        class_file(f"{new}Command$Inner", f"{new}Command"),
        class_file(f"{new}Other", "java.lang.Object"),
    )
    listed = {"plans.txt": [f"{new}Command", "org.apache.spark.sql.Gone"]}
    differences = compare([jar], listed)
    assert differences["plans.txt"].missing == [f"{new}Command$Inner"]
    assert differences["plans.txt"].gone == ["org.apache.spark.sql.Gone"]
    lines = report(differences).splitlines()
    assert lines[1:3] == ["[org.apache.spark.sql]", f"{'NewCommand$Inner':<31} refuse unlisted"]
    assert lines[4:] == ["org.apache.spark.sql.Gone"]


def test_the_reader_reads_spark_s_own_classes() -> None:
    [jar] = [jar for jar in find_pyspark().jars if jar.name.startswith("spark-catalyst_")]
    logical = "org.apache.spark.sql.catalyst.plans.logical"
    classes = read_jars([jar], [logical])
    project = classes[f"{logical}.Project"]
    assert project.parents[0] == PLAN
    assert f"{logical}.OrderPreservingUnaryNode" in project.parents  # a trait, too
    assert project.concrete
    assert not classes[f"{logical}.Command"].concrete  # a trait
    assert not classes[PLAN].concrete
    assert f"{logical}.ScriptTransformation" in concrete_kinds(classes, PLAN)


def test_what_is_no_class_file() -> None:
    with pytest.raises(ValueError, match="not a class file"):
        read_class(b"PK\x03\x04 and so on")
    with pytest.raises(ValueError, match="tag 99"):
        read_class(struct.pack(">IHHHB", 0xCAFEBABE, 0, 61, 2, 99))


def test_of_two_classes_with_one_name_the_first_counts(tmp_path: Path) -> None:
    first = make_jar(tmp_path / "1.jar", class_file("a.B", "a.First"))
    second = make_jar(tmp_path / "2.jar", class_file("a.B", "a.Second"), class_file("b.C", "a.B"))
    assert read_jars([first, second], ["a"]) == {"a.B": JavaClass("a.B", ("a.First",), concrete=True)}
