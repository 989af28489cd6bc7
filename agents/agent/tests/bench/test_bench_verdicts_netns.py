"""One fault of the verdict benchmark from links to verdict, with real agents and the backend's diagnosis."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.netns,
    pytest.mark.slow,
    pytest.mark.quiet,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make network namespaces"),
    pytest.mark.skipif(not Path("/usr/bin/iperf3").exists(), reason="iperf3 is not installed"),
]
ROOT = Path(__file__).resolve().parents[4]


def run(*argv: str) -> str:
    done = subprocess.run([sys.executable, *argv], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_narrow_hop_is_created_measured_diagnosed_and_removed(tmp_path: Path) -> None:
    out = tmp_path / "measured.json"
    run("-m", "backstay_bench.verdicts", str(out), "--only", "narrow-4")
    (measured,) = json.loads(out.read_text())
    states = [reported["report"]["state"] for cell in measured["cells"] for reported in cell["reports"]]
    assert states == ["done"] * 6, "client, server and gateway of two cells"
    output = run("backend/bench/verdicts.py", str(out)).splitlines()
    assert output[0].split()[:2] == ["narrow-4", "ok"]
    figures = json.loads(output[-1].removeprefix("BENCH "))["figures"]
    assert figures["right"]["ours"] == 1.0
    assert figures["not_measured"]["ours"] == 0
    named = [item.name for item in Path("/run/netns").iterdir()] if Path("/run/netns").exists() else []
    assert not [name for name in named if name.startswith("backstay-bench-")]
