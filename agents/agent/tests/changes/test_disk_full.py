"""A full disk of one MiB: the spool drops and counts its oldest records."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from backstay_testing.namespaces import Namespace

pytestmark = pytest.mark.netns

SCRIPT = """
import subprocess, sys
from pathlib import Path
from backstay_agent.uplink.spool import Spool

folder = Path(sys.argv[1])
subprocess.run(["/usr/bin/mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], check=True)
made = 5000
spool = Spool(folder / "spool", 64 * 1024 * 1024)
spool._segment_size = 128 * 1024  # a segment of the real size would fill this disk alone
for number in range(made):
    spool.append(b"%06d" % number + b"x" * 500)
assert spool.dropped > 0, "the disk was never full"
assert spool.dropped + spool.waiting == made, (spool.dropped, spool.waiting)
held = spool.append(b"the newest")
assert held is not None
spool.close()
again = Spool(folder / "spool", 64 * 1024 * 1024)
assert again.dropped + again.waiting == made + 1
newest = again.take(10**6, 10**9)[-1]
assert newest.payload == b"the newest"
print("ok", spool.dropped)
"""


def test_full_disk_drops_the_oldest_and_counts_them_exactly(
    tmp_path: Path, make_namespace: Callable[[], Namespace]
) -> None:
    command = ["/usr/bin/unshare", "--mount", sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ok")
