"""The lab's stand-in for gated, a real daemon, as the engine of a node."""

import contextlib
import subprocess
from pathlib import Path

from backstay_lab.labgated.program import write_gdc
from backstay_testing.engines import EngineProcess, wait_until


class StandIn(EngineProcess):
    """labgated in the engine's folder; `fake_gdc` of EngineProcess has no daemon."""

    def _start_gated(self) -> None:
        write_gdc(Path(self.engine.control), self.folder)
        self.gdc("start")
        wait_until(lambda: "10.77." in self.node.ask("ip", "route", "show", "default"))

    def gdc(self, command: str) -> str:
        """The output of gdc(8). Raises CalledProcessError."""
        return self.node.ask(self.engine.control, command)

    def kill(self) -> None:
        """SIGKILL; a stand-in that is not running is none."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.gdc("KILL")
