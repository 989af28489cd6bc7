"""Fault injection for the tests that kill a process at every step.

`BACKSTAY_FAULT_FILE` names a file with a text such as `agent applying`. The process that takes that step
deletes the file and dies as by `kill -9`, right after the step is on disk. With `agent applying held up` it
stops there instead, until SIGCONT. Without the variable nothing happens.
"""

import os
import signal
from pathlib import Path

VARIABLE = "BACKSTAY_FAULT_FILE"


def point(who: str, step: str) -> None:
    """Die here if the file names this step."""
    name = os.environ.get(VARIABLE)
    if not name:
        return
    path = Path(name)
    try:
        wanted = path.read_text(encoding="ascii").strip()
    except OSError:
        return
    how = {f"{who} {step}": signal.SIGKILL, f"{who} {step} held up": signal.SIGSTOP}.get(wanted)
    if how is not None:
        path.unlink()
        os.kill(os.getpid(), how)
