"""labgated's label, which distinguishes it from gated, and how its programs start."""

from __future__ import annotations

import os
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

from backstay_lab.labgated.state_files import TIME_SCALE, VARIABLE

VERSION = "1.0"
LABEL = f"labgated {VERSION}, a lab's stand-in for GateD 3 (this is not GateD)"
_GDC = "from backstay_lab.labgated.gdc import main; main()"
"""`-m` would import runpy, which takes as long as all the rest."""


def python_path() -> str:
    """PYTHONPATH for an interpreter without site-packages (-S), which starts faster."""
    origins = [spec.origin for name in ("backstay_lab", "backstay_gatedconf") if (spec := find_spec(name))]
    return os.pathsep.join(dict.fromkeys(str(Path(origin).parents[1]) for origin in origins if origin))


def write_gdc(path: Path, state: Path, time_scale: float = 1.0) -> None:
    """Write an executable `path`: gdc(8) of the labgated in the folder `state`. Raises OSError."""
    lines = [
        "#!/bin/sh",
        f"# gdc of the labgated (a stand-in for gated) in {state}",
        f"export {VARIABLE}={shlex.quote(str(state.absolute()))}",
        f"export {TIME_SCALE}={time_scale:g}",
        f"export PYTHONPATH={shlex.quote(python_path())}",
        f'exec {shlex.quote(sys.executable)} -S -c {shlex.quote(_GDC)} "$@"',
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path.chmod(0o755)
