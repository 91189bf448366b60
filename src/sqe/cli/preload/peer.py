"""Decide whether a forked process can stand in for a client, from what Linux tells of both."""

from __future__ import annotations

import os
import socket
import struct
from dataclasses import dataclass
from pathlib import Path

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid
# Of /proc/PID/status: what decides on what a process may do.
_RIGHTS = (
    "Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp",
)  # fmt: skip
_NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")


class DifferentProcessError(Exception):
    """The client has rights, limits or a view of the machine that this process does not have."""


@dataclass(frozen=True, slots=True)
class Peer:
    """What a process that stands in for the client takes over from it."""

    pid: int
    umask: int
    nice: int
    cores: frozenset[int]

    def take_over(self) -> None:
        os.umask(self.umask)
        os.sched_setaffinity(0, self.cores)
        os.setpriority(os.PRIO_PROCESS, 0, self.nice)


def check_peer(connection: socket.socket) -> Peer:
    """Return the client at the other end. Raises DifferentProcessError, OSError."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _ = _CREDENTIALS.unpack(credentials)
    if uid != os.getuid():
        raise DifferentProcessError("it is another user's")
    theirs, ours = Path(f"/proc/{pid}"), Path("/proc/self")
    status, own = _status(theirs), _status(ours)
    if any(status.get(name) != own.get(name) for name in _RIGHTS):
        raise DifferentProcessError("it has other rights")
    if (theirs / "limits").read_bytes() != (ours / "limits").read_bytes():
        raise DifferentProcessError("it has other limits")
    links = ("root", *(f"ns/{name}" for name in _NAMESPACES))
    if any((theirs / link).readlink() != (ours / link).readlink() for link in links):
        raise DifferentProcessError("it sees another machine")
    label = Path("attr/current")
    if _label(theirs / label) != _label(ours / label):
        raise DifferentProcessError("it has another security label")
    nice = os.getpriority(os.PRIO_PROCESS, pid)
    if nice < os.getpriority(os.PRIO_PROCESS, 0):
        raise DifferentProcessError("it has a higher priority")
    return Peer(pid, int(status["Umask"], 8), nice, frozenset(os.sched_getaffinity(pid)))


def _status(process: Path) -> dict[str, str]:
    lines = (process / "status").read_text(errors="replace").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _label(path: Path) -> bytes:
    """Return the label of SELinux or AppArmor; empty where there is neither."""
    try:
        return path.read_bytes()
    except OSError:
        return b""
