"""Where SQE keeps things on this machine.

home    what belongs to the user and must survive: warehouse, history, logs
cache   what can be fetched or made again: jars, the compiled Java part, class data archives
run     sockets, tokens and locks of running gateways

A home that cannot be written (a read-only container, a foreign account) must not stop anyone from querying: what would
be written goes to a private directory below the system's temporary one instead.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sqe.config.schema import Config
from sqe.errors import SetupError

CONFIG_FILE = "config.toml"  # in a gateway's run directory
STAND_INS = (
    "--stand-ins"  # tells a gateway that its clients may act as anybody; see sqe.cli.policy_test.test_bed
)

# A unix socket's path has 107 bytes at most on Linux and 103 on macOS; "/<16 hex>/socket" is appended to `run`.
_LONGEST_RUN = 103 - 25


@dataclass(frozen=True, slots=True)
class Locations:
    home: Path
    cache: Path
    run: Path

    @property
    def logs(self) -> Path:
        return self.home / "logs"

    @property
    def login(self) -> Path:
        """Who has run `sqe login`, and the tokens."""
        return self.home / "login"


def locate(config: Config) -> Locations:
    """Find and make the directories that `config` asks for, or private stand-ins where it cannot be done."""
    wanted_home = config.paths.home.expanduser().absolute()
    home = _writable(wanted_home)
    run = home / "run"
    if len(os.fsencode(run)) > _LONGEST_RUN:
        run = _stand_in(wanted_home) / "run"
    return Locations(home=home, cache=_writable(_cache(config)), run=private_directory(run))


def users_file(config: Config) -> Path:
    return (config.auth.users_file or config.paths.home / "users").expanduser().absolute()


def keys_file(config: Config) -> Path:
    return (config.api_key.file or config.paths.home / "keys").expanduser().absolute()


def grants_file(config: Config) -> Path:
    """Never in a stand-in for a home that cannot be written: grants that vanish would be others than were given."""
    return (config.paths.home / "grants.db").expanduser().absolute()


def _cache(config: Config) -> Path:
    if config.paths.cache is not None:
        return config.paths.cache.expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "sqe"


def _writable(wanted: Path) -> Path:
    try:
        wanted.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=wanted):
            return wanted
    except OSError:
        return _stand_in(wanted)


def _stand_in(wanted: Path) -> Path:
    """The same short, private directory each time for the same wanted one."""
    name = hashlib.sha256(os.fsencode(wanted)).hexdigest()[:12]
    return private_directory(private_directory(Path(tempfile.gettempdir()) / f"sqe-{os.getuid()}") / name)


def private_directory(path: Path) -> Path:
    """Make a directory that only this user can enter, or check that the one there is such a one.

    Another local user may have made it first to read our token or to plant a socket, so neither a symbolic link nor a
    foreign owner nor open permissions are accepted.
    """
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = path.lstat()
    except OSError as error:
        raise SetupError(
            f"The directory {path} cannot be made: {error.strerror}.",
            hint="Set paths.home to a place of your own.",
        ) from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise SetupError(
            f"{path} is not a private directory of this user.",
            hint="Somebody else may have made it. Remove it, or set paths.home to a place of your own.",
        )
    return path


def write_private(path: Path, text: str) -> None:
    """Write a file that only this user can read, at once or not at all."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink()
        raise
