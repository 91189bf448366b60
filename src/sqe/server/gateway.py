"""The private gateway: serves the shells of one account on a unix socket, and ends when it is idle.

A shell starts it in the background: `python -m sqe.server.gateway RUN_DIRECTORY [--stand-ins]`.
"""

from __future__ import annotations

import logging
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sqe.config.load import load
from sqe.config.schema import Config
from sqe.errors import SqeError
from sqe.locations import CONFIG_FILE, STAND_INS, locate
from sqe.model.gateway_principal import GatewayPrincipal
from sqe.server.core import REFRESH_SECONDS, GatewayCore
from sqe.server.process import end_process, handle_signals, log_to_file, restrict_files

if TYPE_CHECKING:
    from sqe.frontends.flight.wire import Impersonation
    from sqe.model.identity import Principal
    from sqe.server.preloaded_shell import PreloadedShell

_log = logging.getLogger(__name__)


class PrivateGateway:
    def __init__(self, config: Config, core: GatewayCore, *, stand_ins: bool = False) -> None:
        """Compose a gateway from its core.

        Args:
            config: all settings.
            core: is started and ended by `run`.
            stand_ins: whether a client that knows the token may act as any principal: for `sqe policy test`, which
                starts a gateway for itself.
        """
        self._config = config
        self._core = core
        self._idle_timeout = config.engine.idle_timeout
        self._limits = config.limits
        self._stand_ins = stand_ins

    def run(self) -> None:
        """Serve until told to stop, or until no client has needed the gateway for engine.idle_timeout."""
        core = self._core
        core.start()
        core.make_service(self._limits)
        core.listen(self._act_as if self._stand_ins else None)
        shell = None if self._stand_ins else self._make_shell()
        try:
            core.work_when_idle(shell)
            self._wait()
        finally:
            if shell is not None:
                shell.stop()
            core.drain()
            core.close()

    def _make_shell(self) -> PreloadedShell | None:
        from sqe.server.preloaded_shell import make_preloaded_shell

        return make_preloaded_shell(self._config, self._core.run_directory.path)

    def _wait(self) -> None:
        core = self._core
        while not core.stopping.wait(REFRESH_SECONDS):
            core.refresh()
            idle = core.service.idle_seconds
            if core.source.failed and idle > REFRESH_SECONDS:
                _log.info("the engine has failed and no client waits for it")
                return
            if idle > float(self._idle_timeout):
                _log.info("no client needed this gateway for %s", self._idle_timeout)
                return

    def _act_as(self, who: Impersonation) -> Principal:
        """Return a principal that policies take for `who`, and catalogs for this account."""
        account = self._core.identity.local_principal()
        if who.trusted:
            return GatewayPrincipal(who.user, groups=who.groups, roles=who.roles, login=account.login)
        return replace(
            account,
            user=who.user,
            provider="policy test",
            roles=who.roles,
            groups=who.groups,
            subject=None,
            email=None,
        )


def main(arguments: list[str]) -> int:
    """Run a gateway in this process, and return its exit code."""
    restrict_files()
    run_directory = Path(arguments[0])
    config = load(run_directory / CONFIG_FILE, {})
    locations = locate(config)
    log_to_file(locations.logs, f"gateway-{run_directory.name}.log")
    try:
        core = GatewayCore(config, locations, run_directory, shared=False)
        gateway = PrivateGateway(config, core, stand_ins=STAND_INS in arguments[1:])
        handle_signals(core.stop)
        gateway.run()
    except SqeError as error:
        _log.error("%s", error.message)
        sys.stderr.write(f"{error.message}\n")  # the shell that started this process shows it
        return 1
    return 0


if __name__ == "__main__":
    end_process(main(sys.argv[1:]))
