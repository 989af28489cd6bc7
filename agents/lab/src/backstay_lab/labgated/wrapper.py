"""A `gdc` for one node: a program without arguments of ours, as an agent expects gdc(8) to be."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from backstay_lab.labgated.place import TIME_SCALE, VARIABLE

_PROGRAM = "from backstay_lab.labgated.gdc import main; main()"
"""`-m` would import the machinery that finds modules, which takes as long as all the rest."""


def wrapper(path: Path, state: Path, time_scale: float = 1.0) -> None:
    """Write an executable `path` that is the gdc of the labgated in the folder `state`. Raises OSError.

    It starts this very interpreter without its site-packages, of which gdc needs none: that is quicker.
    """
    package = Path(__file__).absolute().parents[2]
    lines = [
        "#!/bin/sh",
        f"# gdc of the labgated (a stand-in for gated) in {state}",
        f"export {VARIABLE}={shlex.quote(str(state.absolute()))}",
        f"export {TIME_SCALE}={time_scale:g}",
        f"export PYTHONPATH={shlex.quote(str(package))}",
        f'exec {shlex.quote(sys.executable)} -S -c {shlex.quote(_PROGRAM)} "$@"',
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path.chmod(0o755)
