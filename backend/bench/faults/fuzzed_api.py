"""R26: `make bench-fuzz` in a process of its own; its BENCH line is the result."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from bench.faults.environment import World
from bench.faults.row import Score

CHECKOUT = Path(__file__).resolve().parents[3]
LIMIT_S = 7_200
MAKE = shutil.which("make") or "make"


def run(world: World, tries: int) -> Score | None:
    """`tries` cases; None without the target."""
    known = subprocess.run([MAKE, "--dry-run", "bench-fuzz"], cwd=CHECKOUT, capture_output=True, check=False)
    if known.returncode:
        return None
    done = subprocess.run(
        [MAKE, "bench-fuzz", f"CASES={tries}"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("BENCH ")]
    score = Score()
    if not lines:
        score.count(False, f"bench-fuzz failed: {done.stderr.strip()[-200:]}")
        return score
    figures = json.loads(lines[-1].removeprefix("BENCH "))["figures"]
    score.remarks.append(", ".join(f"{name} {figure['ours']}" for name, figure in figures.items()))
    score.done, failures = tries, sum(not figure["met"] for figure in figures.values())
    score.right = tries - failures
    return score
