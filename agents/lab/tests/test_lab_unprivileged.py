"""A lab without root, in an unprivileged user namespace if the kernel allows it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import site
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import backstay_lab

pytestmark = pytest.mark.netns

NOBODY = 65534
BECOME = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
IN_NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount")


def python_for_everybody() -> str | None:
    """A Python that an unprivileged user can run; the tests' own may be in root's home."""
    for candidate in (sys.executable, "/usr/bin/python3"):
        done = subprocess.run(
            [*BECOME, *IN_NAMESPACE, candidate, "-c", "import sys; assert sys.version_info >= (3, 11)"],
            capture_output=True,
            check=False,
        )
        if done.returncode == 0:
            return candidate
    return None


@pytest.fixture
def nobodys_lab(argonne_lab: Any) -> Iterator[Any]:
    """A lab run by user 65534 in its own folder."""
    if os.geteuid() != 0:
        pytest.skip("these tests are run by an ordinary user: all the others are this test")
    allowed = subprocess.run(
        [*BECOME, *IN_NAMESPACE, "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    if allowed.returncode != 0:
        pytest.skip(f"the kernel forbids unprivileged user namespaces: {allowed.stderr.strip()}")
    python = python_for_everybody()
    if python is None:
        pytest.skip("no Python 3.11 that an ordinary user may run")
    folder = Path(tempfile.mkdtemp(prefix="bslab"))
    os.chown(folder, NOBODY, NOBODY)
    source = str(Path(backstay_lab.__file__).parents[1])
    environment = {
        "HOME": str(folder),
        "PYTHONPATH": os.pathsep.join([source, *site.getsitepackages()]),
        "PYTHONPYCACHEPREFIX": str(folder / "pycache"),
    }
    lab = type(argonne_lab)(folder / "lab", (*BECOME, python), environment)
    try:
        yield lab
    finally:
        lab.do("down", "argonne")
        shutil.rmtree(folder)


def answers_soon(lab: Any, node: str, target: str) -> bool:
    """Without root BIRD has no raised priority, so a busy machine may delay its timers for a while."""
    ping = ("ping", "-c", "1", "-W", "1", target)
    return any(lab.try_inside(node, *ping).returncode == 0 for _ in range(15))


def test_unprivileged_user_gets_the_same_lab(nobodys_lab: Any) -> None:
    nobodys_lab.do("up", "argonne", "--nodes", "1", "--bfd-ms", "200")
    holder = nobodys_lab.state / "holder.json"
    assert holder.stat().st_uid == NOBODY
    assert answers_soon(nobodys_lab, "sp01", "10.9.0.1")
    assert "10.1.0.1/24" in nobodys_lab.do("exec", "sp01", "--", "ip", "address")
    nobodys_lab.do("silence", "grf1")
    assert nobodys_lab.try_inside("sp01", "ping", "-c", "1", "-W", "1", "10.1.0.16").returncode != 0
    assert answers_soon(nobodys_lab, "sp01", "10.9.0.1")
    nobodys_lab.do("restore", "grf1")
    assert "arrived" in nobodys_lab.do("traffic", "sp01", "router", "--mbps", "4", "--seconds", "1")
    assert nobodys_lab.node("grf1")["fault"] is None
    nobodys_lab.do("down", "argonne")
    assert not holder.exists()
    left = subprocess.run(["pgrep", "-u", str(NOBODY), "-f", str(nobodys_lab.state)], check=False)
    assert left.returncode == 1


def test_lab_with_a_killed_holder_is_reported_and_can_be_stopped(nobodys_lab: Any) -> None:
    nobodys_lab.do("up", "argonne", "--nodes", "1")
    os.kill(json.loads((nobodys_lab.state / "holder.json").read_text())["pid"], signal.SIGKILL)
    refused = nobodys_lab.run("cut", "grf1")
    assert refused.returncode == 1
    assert "has ended" in refused.stderr
    nobodys_lab.do("down", "argonne")
    left = subprocess.run(["pgrep", "-u", str(NOBODY), "-f", str(nobodys_lab.state)], check=False)
    assert left.returncode == 1
