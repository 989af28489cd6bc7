"""The lab with what docker-compose.yml grants its container: capabilities, a read-only root, tmpfs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = [pytest.mark.netns, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[3]
CONFINED = """
set -eu
volume=$1 capabilities=$2 tmpfs=$3 root=$4
shift 4
exec 3< "$root"
# Every mount but the kernel's own becomes read-only, the volume's source too, until it is mounted again.
cut -d' ' -f5 /proc/self/mountinfo | sort -r | while read -r target; do
    case "$target" in /proc|/proc/*|/sys|/sys/*|/dev|/dev/*) continue;; esac
    # Another lab's namespaces go at any time, and their mounts with them.
    mount -o remount,bind,ro "$target" || test ! -e "$target"
done
mount --bind "$volume" "$volume"
mount -o remount,bind,rw "$volume"
for entry in $tmpfs; do
    mount -t tmpfs -o "${entry#*:}" tmpfs "${entry%%:*}"
    # The project and its programs, if that has hidden them.
    case "$root/" in
        "${entry%%:*}"/*) mkdir -p "$root"; mount --no-canonicalize --bind /proc/self/fd/3 "$root" ;;
    esac
done
if touch /usr/written 2>/dev/null; then echo "the root is writable" >&2; exit 1; fi
exec setpriv --bounding-set "$capabilities" --inh-caps=-all --no-new-privs -- "$@"
"""
PROGRAM = """
set -eu
lab() { "$PYTHON" -m backstay_lab --state "$STATE" "$@"; }
lab up argonne --nodes 1 --site-file "$STATE/../site.yaml"
trap 'lab down argonne' EXIT
test -s "$STATE/../site.yaml"
lab status --json > /dev/null
lab exec sp01 -- ping -c 1 -W 5 10.9.0.1
lab cut grf1
lab restore grf1
"""


def service(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"][name])


@pytest.fixture
def volume() -> Iterator[Path]:
    """A folder outside of the container's tmpfs."""
    with tempfile.TemporaryDirectory(prefix="bslab", dir="/var/tmp") as folder:
        yield Path(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take capabilities from root")
def test_the_lab_needs_no_more_than_its_container_has(volume: Path) -> None:
    lab = service("lab")
    assert (lab["read_only"], lab["cap_drop"]) == (True, ["ALL"])
    capabilities = ",".join(["-all", *(f"+{name.lower()}" for name in lab["cap_add"])])
    argv = ["unshare", "--mount", "--propagation", "private", "sh", "-c", CONFINED, "sh"]
    argv += [str(volume), capabilities, " ".join(lab["tmpfs"]), str(ROOT), "sh", "-c", PROGRAM]
    environment = {
        **os.environ,
        "PYTHON": sys.executable,
        "PYTHONDONTWRITEBYTECODE": "1",
        "STATE": str(volume / "lab"),
    }
    done = subprocess.run(argv, capture_output=True, text=True, timeout=150, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 received" in done.stdout
