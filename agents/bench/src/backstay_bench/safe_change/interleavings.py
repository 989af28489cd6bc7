"""R20: random interleavings of two people who apply, drift, and a delayed worker, over the backend's rows."""

import os
import re
import subprocess
import sys
from pathlib import Path

_TEST = "backend/backstay/rollout/tests/test_changes_interleavings.py"
_EXAMPLES = re.compile(r"(\d+) passing(?: examples?)?, (\d+) failing")
_LIMIT_S = 3600


def run(count: int, root: Path) -> tuple[int, str]:
    """(interleavings that kept every invariant, the output if one did not); counted by Hypothesis.

    Raises OSError, SubprocessError.
    """
    argv = [sys.executable, "-m", "pytest", _TEST, "-q", "-p", "no:cacheprovider", f"--timeout={_LIMIT_S}"]
    ended = subprocess.run(
        [*argv, "--hypothesis-show-statistics"],
        cwd=root,
        env={**os.environ, "BACKSTAY_INTERLEAVINGS": str(count)},
        capture_output=True,
        text=True,
        check=False,
        timeout=_LIMIT_S,
    )
    passing = sum(int(good) for good, _ in _EXAMPLES.findall(ended.stdout))
    return (passing, "") if ended.returncode == 0 else (0, ended.stdout[-4000:] + ended.stderr[-1000:])
