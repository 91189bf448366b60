from __future__ import annotations

import pytest

from sqe.engine.runtime import guard, lockfile
from sqe.errors import SetupError

ENTRY = """[[jar]]
group = "org.example"
artifact = "thing"
version = "1.0"
sha256 = "{sha256}"
size = {size}
needed = "{needed}"
why = "a test"
"""


def entry(sha256: str = "a" * 64, size: str = "3", needed: str = "engine") -> str:
    return ENTRY.format(sha256=sha256, size=size, needed=needed)


def test_our_own_lock_file_holds_what_the_engine_needs_in_class_path_order() -> None:
    jars = lockfile.load()
    assert [jar.artifact for jar in jars if jar.needed == "engine"] == [
        "iceberg-spark-runtime-4.1_2.13",
        "sqlite-jdbc",
        "iceberg-aws-bundle",
        "spark-avro_2.13",
    ]
    assert [jar.artifact for jar in jars if jar.needed == "compiler"] == ["ecj"]


def test_an_entry_is_read() -> None:
    [jar] = lockfile.parse(entry())
    assert (jar.file_name, jar.coordinates, jar.size) == ("thing-1.0.jar", "org.example:thing:1.0", 3)


def test_a_jar_beside_the_main_one_has_its_classifier_in_its_name() -> None:
    [jar] = lockfile.parse(entry() + 'classifier = "all"\n')
    assert (jar.file_name, jar.coordinates) == ("thing-1.0-all.jar", "org.example:thing:1.0:all")


def test_what_only_the_tests_of_the_java_part_need_is_pinned_apart() -> None:
    apart = lockfile.load(guard.find_sources().parents[1] / "test" / "test.lock.toml")
    assert [jar.artifact for jar in apart] == ["junit-platform-console-standalone"]
    assert {jar.needed for jar in apart} == {"test"}
    assert "test" not in {jar.needed for jar in lockfile.load()}


def test_what_is_not_a_jar_has_its_extension_in_its_name() -> None:
    [jar] = lockfile.parse(entry() + 'extension = "tar.gz"\n')
    assert jar.file_name == "thing-1.0.tar.gz"


@pytest.mark.parametrize(
    "text",
    [
        "jar = 1",
        "[[jar",
        "more = 1\n" + entry(),
        entry() + 'surprise = "x"\n',
        entry() + 'classifier = "../all"\n',
        entry() + "classifier = 1\n",
        entry() + 'extension = "tar/gz"\n',
        entry().replace('why = "a test"\n', ""),
        entry(sha256="A" * 64),
        entry(sha256="a" * 63),
        entry(size="0"),
        entry(size='"3"'),
        entry(size="true"),
        entry(needed="perhaps"),
        entry().replace('"thing"', '"../thing"'),
        entry().replace('"1.0"', '"1.0\\"/>"'),
        entry() + entry(),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(SetupError, match="lock file"):
        lockfile.parse(text)
