from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

from sqe.config.schema import Config
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.engine.runtime.unsigned import SIGNED, strip, unsigned


def signed(jar: Path) -> bool:
    with zipfile.ZipFile(jar) as archive:
        return any(name.startswith("META-INF/") and name.endswith(".SF") for name in archive.namelist())


def test_the_list_names_every_signed_jar_of_spark() -> None:
    assert {jar.name for jar in find_pyspark().jars if signed(jar)} == {
        jar.name for jar in find_pyspark().jars if jar.name.startswith(SIGNED)
    }


def test_a_copy_has_every_class_and_no_signature(make_config: Callable[..., Config]) -> None:
    jars = find_pyspark().jars
    found = unsigned(jars, Cache(make_config()))
    assert len(found) == len(jars)
    for original, copy in zip(jars, found, strict=True):
        if original == copy:
            continue
        assert not signed(copy)
        with zipfile.ZipFile(original) as one, zipfile.ZipFile(copy) as other:
            classes = [name for name in one.namelist() if name.endswith(".class")]
            assert classes
            assert [name for name in other.namelist() if name.endswith(".class")] == classes
            assert all(one.read(name) == other.read(name) for name in classes)
            assert b"Digest" not in other.read("META-INF/MANIFEST.MF")
    assert unsigned(jars, Cache(make_config())) == found


def test_the_same_jar_gives_the_same_bytes() -> None:
    [jar] = [jar for jar in find_pyspark().jars if jar.name.startswith("commons-compiler-")]
    assert strip(jar) == strip(jar)
