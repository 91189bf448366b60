"""Make the class data archive in a process of its own: `.. archive_maker WORK_DIRECTORY [--waited-for]`.

`ClassDataArchive.begin` starts it with the archive's lock. It starts an engine that lists the classes it loads, runs
the statements of the warm-up on it, stops it, and makes the archive. Only then is there one JVM more than the user's.
"""

from __future__ import annotations

import getpass
import logging
import os
import shutil
import signal
import sys
from pathlib import Path

from sqe.common.priority import LOWEST, set_priority
from sqe.config.load import load
from sqe.config.schema import Config
from sqe.engine.launcher.archive import WAITED_FOR, ClassDataArchive
from sqe.engine.launcher.command import JvmPlan
from sqe.engine.launcher.memory import heap_of
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.report import LogReporter
from sqe.errors import SqeError
from sqe.locations import CONFIG_FILE, Locations, locate, private_directory
from sqe.units import Duration, Size

_log = logging.getLogger(__name__)

_LISTING_HEAP = Size("768MB")
_LISTING_START = Duration("10min")  # at the lowest priority, beside whatever else the machine does


def make_archive(config: Config, work: Path, nice: int) -> bool:
    """Make the archive for the engine's parts that `config` leads to. Raises SqeError, OSError."""
    locations = locate(config)
    runtime = provide(config, LogReporter())
    plan = JvmPlan.of(runtime, config.engine.master, heap_of(config.engine), None)
    archive = ClassDataArchive(locations, plan, nice=nice)
    classes = work / "classes"
    try:
        _list_classes(config, Locations(home=work, cache=locations.cache, run=work), classes)
        return archive.make_from(classes)
    except SystemExit:
        archive.forget_beginning()
        raise


def _list_classes(config: Config, locations: Locations, classes: Path) -> None:
    from sqe.engine.sessions import EngineSessions
    from sqe.engine.warm_up import warm_up

    engine = config.engine.model_copy(
        update={
            "class_data_sharing": False,
            "java_options": ("-Xshare:off", f"-XX:DumpLoadedClassList={classes}"),
            "memory": _LISTING_HEAP,
            "start_timeout": _LISTING_START,
        }
    )
    # Locked, as a server's engine is: that loads the most classes.
    supervisor = Supervisor(
        config.model_copy(update={"engine": engine}), locations, locations.run, locked=True
    )
    try:
        supervisor.endpoint(lambda: False)
        sessions = EngineSessions(supervisor, private_directory(locations.run / "memory"))
        warm_up(sessions, getpass.getuser(), lambda: True)
    finally:
        supervisor.stop()


def main(arguments: list[str]) -> int:
    os.umask(0o077)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-5s %(name)s: %(message)s")
    # A service manager ends what its preparing commands leave behind: then nothing is to stay of it.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    nice = os.getpriority(os.PRIO_PROCESS, 0) if WAITED_FOR in arguments else LOWEST
    set_priority(os.getpid(), nice)  # which the JVMs get, too
    work = Path(arguments[0])
    try:
        return 0 if make_archive(load(work / CONFIG_FILE, {}), work, nice) else 1
    except (SqeError, OSError):
        _log.exception("the class data archive was not made; an idle engine will try again")
        return 1
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except SystemExit:
        code = 128 + signal.SIGTERM
    logging.shutdown()
    os._exit(code)  # PySpark leaves threads that wait for a server which has ended
