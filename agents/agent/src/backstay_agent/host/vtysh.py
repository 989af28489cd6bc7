"""FRR's vtysh(1): asks the daemons of one vty folder, read only, all questions in one process."""

from collections.abc import Sequence

from backstay_agent.host import programs


class FrrGoneError(Exception):
    """No daemon listens in the vty folder, or there is no vtysh."""


class Vtysh:
    """The daemons whose vty sockets are in one folder (`--vty_socket`)."""

    def __init__(self, folder: str, program: str = "vtysh", timeout_s: float = 5.0) -> None:
        self._folder = folder
        self._program = program
        self._timeout_s = timeout_s

    async def ask(self, commands: Sequence[str]) -> str:
        """What vtysh says to these commands, one answer after the other. Raises FrrGoneError, TimeoutError.

        A command of a daemon that does not run ends the conversation there (vtysh exits with 1): ask for
        `show daemons` first.
        """
        argv = [self._program, "--vty_socket", self._folder]
        for command in commands:
            argv += ["-c", command]
        try:
            ended = await programs.run(argv, timeout_s=self._timeout_s)
        except programs.NoProgramError as error:
            raise FrrGoneError(str(error)) from error
        if ended.status != 0 and not ended.out.strip():
            raise FrrGoneError(ended.err.strip().splitlines()[-1] if ended.err.strip() else "no daemon")
        return ended.out
