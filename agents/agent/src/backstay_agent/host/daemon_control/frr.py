"""FRR's daemons of one vty folder, queried read-only through their own sockets.

Starting vtysh takes 25 to 150 ms of processor time; a running daemon answers in half a millisecond.
"""

from pathlib import Path

from backstay_agent.host.daemon_control.vty import Vty, VtyGoneError


class FrrGoneError(Exception):
    """No daemon listens in the vty folder."""


class FrrDaemons:
    """The daemons whose vty sockets are in one folder (`--vty_socket`)."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    async def running(self) -> list[str]:
        """The names of the daemons that answer, as in `show daemons`. Raises FrrGoneError."""
        found = []
        for name in _sockets(self._folder):
            try:
                async with Vty(self._folder, name):
                    found.append(name)
            except VtyGoneError:
                continue  # A killed daemon leaves its socket behind.
        if not found:
            raise FrrGoneError(f"no daemon listens in {self._folder}")
        return found

    async def ask(self, daemon: str, command: str) -> str:
        """One daemon's reply to a command. Raises VtyGoneError, VtyRefusedError."""
        async with Vty(self._folder, daemon) as vty:
            return await vty.run(["enable", command])


def _sockets(folder: str) -> list[str]:
    """Names of the daemons that have, or had, a socket there."""
    return sorted(path.stem for path in Path(folder).glob("*.vty"))
