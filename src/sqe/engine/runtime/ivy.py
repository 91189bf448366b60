"""Fetch jars with Ivy, which pyspark ships among its own.

Ivy knows the public repository by itself, so that no address stands in our code, and its settings file serves
company mirrors. It runs as a process of its own on the engine's Java.
"""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from sqe.engine.runtime.lockfile import Jar
from sqe.engine.runtime.proxy import proxy_properties
from sqe.engine.runtime.report import Reporter
from sqe.engine.runtime.truststore import TrustStore

_TICK_SECONDS = 0.2
_CONNECT_SECONDS = 30
_READ_SECONDS = 60
_ARGUMENTS = "java.args"


class Cause(Enum):
    UNREACHABLE = "the repository cannot be reached"
    UNTRUSTED = "the repository's certificate is not trusted"
    ABSENT = "the repository does not have it"
    BROKEN = "Ivy failed"


class FetchError(Exception):
    """The reason why Ivy fetched nothing; the caller writes the message for the user."""

    def __init__(self, cause: Cause, reason: str, output: str) -> None:
        super().__init__(f"{cause.value}: {reason}")
        self.cause = cause
        self.reason = reason
        self.output = output


@dataclass(frozen=True, slots=True)
class Ivy:
    java: Path
    jar: Path
    settings: Path | None
    truststore: TrustStore | None
    environ: Mapping[str, str]
    # More than the read timeout, so that Ivy itself has the chance to say what went wrong.
    stall_seconds: float = 150.0

    def fetch(self, jars: Sequence[Jar], work: Path, lock: int, report: Reporter) -> None:
        """Bring `jars`, unchecked, to somewhere below the private directory `work`.

        Its process inherits the descriptor `lock`: if this process is killed, no other disturbs Ivy.

        Raises:
            FetchError: not all of them came. Some may have.
        """
        module = work / "ivy.xml"
        module.write_text(_module(jars), encoding="utf-8")
        # Properties go through a file, because a proxy's password must not be seen in the list of processes.
        arguments = work / _ARGUMENTS
        descriptor = os.open(arguments, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.writelines(f"{quoted}\n" for quoted in map(_quote, self._options()))
        command = [
            str(self.java),
            f"@{arguments}",
            "-cp",
            str(self.jar),
            "org.apache.ivy.Main",
            *(["-settings", str(self.settings)] if self.settings else []),
            # Its schema for our own small module knows classifiers only under another name space, which is an address.
            *["-novalidate", "-ivy", str(module), "-cache", str(work / "cache")],
            *["-retrieve", f"{work}/out/[artifact]-[revision](-[classifier]).[ext]"],
        ]
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(self.environ),
            pass_fds=(lock,),
        ) as process:
            try:
                output = self._watch(process, work, jars, report)
                status = process.wait(timeout=_READ_SECONDS)
            finally:
                process.kill()  # does nothing once it has ended
        if status != 0:
            raise _failure(status, output)

    def _options(self) -> list[str]:
        properties = {
            # Java waits for ever by default.
            "sun.net.client.defaultConnectTimeout": str(_CONNECT_SECONDS * 1000),
            "sun.net.client.defaultReadTimeout": str(_READ_SECONDS * 1000),
            **(self.truststore.properties() if self.truststore else {}),
            **proxy_properties(self.environ),
        }
        return [
            *["-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"],
            *[f"-D{name}={value}" for name, value in properties.items()],
        ]

    def _watch(
        self, process: subprocess.Popen[bytes], work: Path, jars: Sequence[Jar], report: Reporter
    ) -> str:
        """Report progress until the process closes its output, and return that."""
        if process.stdout is None:
            raise ValueError("The process has no output to watch.")
        stream = process.stdout.fileno()
        names = tuple(jar.file_name for jar in jars)
        output = bytearray()
        done = 0
        last_look = last_sign = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(stream, selectors.EVENT_READ)
            while True:
                if selector.select(_TICK_SECONDS):
                    chunk = os.read(stream, 1 << 16)
                    if not chunk:
                        return output.decode("utf-8", errors="replace")
                    output += chunk
                    last_sign = time.monotonic()
                    (work / _ARGUMENTS).unlink(missing_ok=True)  # it speaks, so it has read them
                now = time.monotonic()
                if now - last_look >= _TICK_SECONDS:
                    last_look = now
                    so_far = _downloaded(work / "cache", names)
                    if so_far != done:
                        done, last_sign = so_far, now
                        report.advance(done)
                if now - last_sign > self.stall_seconds:
                    raise FetchError(
                        Cause.UNREACHABLE,
                        f"nothing came for {self.stall_seconds:.0f} s",
                        output.decode("utf-8", errors="replace"),
                    )


def _module(jars: Iterable[Jar]) -> str:
    # The lock file admits no character in these names that means something in XML. "master" is the main jar
    # of a Maven module without its sources; a repository without descriptions has only "default".
    dependencies = "".join(
        f'<dependency org="{jar.group}" name="{jar.artifact}" rev="{jar.version}"'
        f' conf="default->master(default)" transitive="false">{_beside(jar)}</dependency>\n'
        for jar in jars
    )
    return (
        '<ivy-module version="2.0">\n'
        '<info organisation="sqe" module="engine"/>\n'
        '<configurations><conf name="default"/></configurations>\n'
        f"<dependencies>\n{dependencies}</dependencies>\n</ivy-module>\n"
    )


def _beside(jar: Jar) -> str:
    if not jar.classifier and jar.extension == "jar":
        return ""
    classifier = f' classifier="{jar.classifier}"' if jar.classifier else ""
    return f'<artifact name="{jar.artifact}" type="{jar.extension}" ext="{jar.extension}"{classifier}/>'


def _quote(argument: str) -> str:
    """As java's argument files want it."""
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _downloaded(cache: Path, names: tuple[str, ...]) -> int:
    total = 0
    for directory, _, files in os.walk(cache):
        for name in files:
            if name.startswith(names):  # also while it still ends in .part
                with suppress(FileNotFoundError):
                    total += Path(directory, name).stat().st_size
    return total


def _failure(status: int, output: str) -> FetchError:
    access = re.search(r"(?:Server access error|SERVER ERROR).*", output)
    if access and re.search(r"SSLHandshake|PKIX|Certificate", access[0]):
        return FetchError(Cause.UNTRUSTED, _exception(access[0]), output)
    if access:
        return FetchError(Cause.UNREACHABLE, _exception(access[0]), output)
    if absent := re.findall(r":: (\S+): not found", output):
        return FetchError(Cause.ABSENT, ", ".join(absent), output)
    if status < 0:
        return FetchError(Cause.BROKEN, f"it was killed by signal {-status}", output)
    last = next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "it said nothing")
    return FetchError(Cause.BROKEN, last, output)


def _exception(line: str) -> str:
    """Shorten "Server access error at url U (java.net.ConnectException: Connection refused)" to the end."""
    found = re.search(r"\((?:[\w.$]+\.)?(\w+)(?:: (.*))?\)$", line.strip())
    if found is None:
        return line.strip()
    name, text = found[1], found[2]
    return text if text and name != "UnknownHostException" else f"{name} {text or ''}".strip()
