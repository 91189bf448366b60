"""Decide on SQE's directories and files on this machine, and create them privately.

home    what belongs to the user and must survive: warehouse, history, logs
cache   what SQE can fetch or make again: jars, the compiled Java part, class data archives
run     sockets, tokens and locks of running gateways

A home that cannot be written (a read-only container, another account) is replaced by a private directory below the
system's temporary one, so that queries still run.
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
STAND_INS = "--stand-ins"  # lets clients of a gateway act as any principal; see sqe.cli.policy_test.test_bed

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
        """The login that `sqe login` stores, with its tokens."""
        return self.home / "login"


def locate(config: Config) -> Locations:
    """Find or create the directories of `config`, or private fallbacks where they cannot be written."""
    wanted_home = config.paths.home.expanduser().absolute()
    home = _writable(wanted_home)
    run = home / "run"
    if len(os.fsencode(run)) > _LONGEST_RUN:
        run = _fallback(wanted_home) / "run"
    return Locations(home=home, cache=_writable(_cache(config)), run=private_directory(run))


def users_file(config: Config) -> Path:
    return (config.auth.users_file or config.paths.home / "users").expanduser().absolute()


def keys_file(config: Config) -> Path:
    return (config.api_key.file or config.paths.home / "keys").expanduser().absolute()


def grants_file(config: Config) -> Path:
    """Return the database of grants: never in a fallback directory, since grants in it would be lost."""
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
        return _fallback(wanted)


def _fallback(wanted: Path) -> Path:
    """Return a short, private directory, the same one each time for the same wanted one."""
    name = hashlib.sha256(os.fsencode(wanted)).hexdigest()[:12]
    return private_directory(private_directory(Path(tempfile.gettempdir()) / f"sqe-{os.getuid()}") / name)


def private_directory(path: Path) -> Path:
    """Create a directory that only this user can enter, or check that an existing one is such a directory.

    Another local user may have created it to read the token or to plant a socket, so symbolic links, other owners and
    open permissions are refused.
    """
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = path.lstat()
    except OSError as error:
        raise SetupError(
            f"The directory {path} cannot be created: {error.strerror}.",
            hint="Set paths.home to a directory of your own.",
        ) from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise SetupError(
            f"{path} is not a private directory of this user.",
            hint="Another user may have created it. Remove it, or set paths.home to a directory of your own.",
        )
    return path


def write_private(path: Path, text: str) -> None:
    """Write a file that only this user can read, atomically."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink()
        raise
