"""Make copies of signed jars without their signatures.

The JVM puts no class of a signed jar into a class data archive, and checks signatures each time it loads one. Two of
Spark's jars are signed: the compiler of generated code, which every first query waits for. What they contain is pinned
by the hash of the package that brought them.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

from sqe.engine.runtime.cache import Cache

SIGNED = ("janino-", "commons-compiler-")

_SIGNATURE = re.compile(r"META-INF/[^/]+\.(SF|RSA|DSA|EC)")
_MANIFEST = "META-INF/MANIFEST.MF"


def unsigned(jars: Iterable[Path], cache: Cache) -> tuple[Path, ...]:
    """Return the same jars in the same order, with copies in place of those that are known to be signed."""
    return tuple(_copy(jar, cache) if jar.name.startswith(SIGNED) else jar for jar in jars)


def _copy(jar: Path, cache: Cache) -> Path:
    name = f"unsigned/{jar.stem}-{jar.stat().st_size}.jar"
    return cache.find(name) or cache.put(name, strip(jar))


def strip(jar: Path) -> bytes:
    """Return the jar's content without signatures; the same bytes each time."""
    content = io.BytesIO()
    with zipfile.ZipFile(jar) as source, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            if _SIGNATURE.fullmatch(entry.filename):
                continue
            data = source.read(entry)
            if entry.filename == _MANIFEST:
                data = (
                    data.replace(b"\r\n", b"\n").split(b"\n\n")[0] + b"\n\n"
                )  # the rest is digests of each file
            copy = zipfile.ZipInfo(entry.filename)
            copy.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(copy, data)
    return content.getvalue()
