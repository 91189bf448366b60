"""Read Java class files, to find the superclasses and interfaces of a jar's classes."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_MAGIC = 0xCAFEBABE
_INTERFACE, _ABSTRACT = 0x0200, 0x0400

_UTF8, _LONG, _DOUBLE, _CLASS = 1, 5, 6, 7
# How many bytes follow the tag of an entry in the constant pool; a text says so itself.
_SIZES = {3: 4, 4: 4, _LONG: 8, _DOUBLE: 8, _CLASS: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2}
_SIZES |= {17: 4, 18: 4, 19: 2, 20: 2}


@dataclass(frozen=True, slots=True)
class JavaClass:
    """A class by its binary name, with dots: `a.b.Outer$Inner`."""

    name: str
    parents: tuple[str, ...]  # the superclass, if any, and the interfaces; Scala's traits are interfaces
    concrete: bool  # something can be one and nothing more special


def read_class(content: bytes) -> JavaClass:
    """Read a class file (Java Virtual Machine Specification, chapter 4)."""
    magic, _, _, count = struct.unpack_from(">IHHH", content)
    if magic != _MAGIC:
        raise ValueError("not a class file")
    texts: dict[int, bytes] = {}
    classes: dict[int, int] = {}
    at, index = 10, 1
    while index < count:
        tag = content[at]
        at += 1
        if tag == _UTF8:
            (size,) = struct.unpack_from(">H", content, at)
            texts[index] = content[at + 2 : at + 2 + size]
            at += 2 + size
        elif tag in _SIZES:
            if tag == _CLASS:
                (classes[index],) = struct.unpack_from(">H", content, at)
            at += _SIZES[tag]
        else:
            raise ValueError(f"a constant with the tag {tag}")
        index += 2 if tag in (_LONG, _DOUBLE) else 1
    flags, this, parent, interfaces = struct.unpack_from(">HHHH", content, at)
    parents = ([parent] if parent else []) + list(struct.unpack_from(f">{interfaces}H", content, at + 8))

    def name(number: int) -> str:
        return texts[classes[number]].decode().replace("/", ".")

    return JavaClass(name(this), tuple(name(one) for one in parents), not flags & (_INTERFACE | _ABSTRACT))


def read_jars(jars: Iterable[Path], below: Sequence[str]) -> dict[str, JavaClass]:
    """The classes of some jars that are below some packages, by name.

    Of two with one name the first counts, as on a class path.
    """
    starts = tuple(package.replace(".", "/") + "/" for package in below)
    found: dict[str, JavaClass] = {}
    for jar in jars:
        with zipfile.ZipFile(jar) as archive:
            for entry in archive.namelist():
                if entry.endswith(".class") and entry.startswith(starts):
                    one = read_class(archive.read(entry))
                    found.setdefault(one.name, one)
    return found


def concrete_kinds(classes: Mapping[str, JavaClass], root: str) -> set[str]:
    """The concrete classes that are a `root`, through any number of superclasses and interfaces."""
    children: dict[str, list[str]] = {}
    for one in classes.values():
        for parent in one.parents:
            children.setdefault(parent, []).append(one.name)
    seen: set[str] = set()
    todo = [root]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += children.get(name, [])
    return {name for name in seen if name in classes and classes[name].concrete}
