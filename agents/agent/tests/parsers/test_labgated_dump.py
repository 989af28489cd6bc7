"""The dump of labgated is fully parsed by the parser for gated's dumps.

Both use a process and a file, like the real ones.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from backstay_agent.parsers.routing import gated

CONF = """
interfaces { interface lo passive; };
rip no;
redirect no;
kernel { remnantholdtime 0; };
static {
    default gateway 127.0.0.2 preference 1 retain;
    default gateway 127.0.0.3 preference 2;
    10.9.0.0 masklen 16 gateway 127.0.0.2 preference 7 noinstall;
    203.0.113.0 masklen 24 gateway 127.0.0.1 preference 3 reject;
    198.51.100.0 masklen 25 gateway 127.0.0.1 preference 3 blackhole;
    host 10.9.0.1 gateway 127.0.0.4 preference 3;
};
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="bslg"))
    yield made
    shutil.rmtree(made)


def gdc(folder: Path, *tokens: str) -> None:
    """gdc with `-n`, which leaves the kernel's routes unchanged."""
    argv = [sys.executable, "-m", "backstay_lab.labgated.gdc", "--state", str(folder), "-t", "60", *tokens]
    done = subprocess.run(argv, env=dict(os.environ), capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr


def test_every_line_of_a_labgated_dump_is_parsed(folder: Path) -> None:
    (folder / "gated.conf").write_text(CONF)
    gdc(folder, "-n", "start")
    try:
        gdc(folder, "dump")
    finally:
        gdc(folder, "stop")
    found = gated.table((folder / "gated_dump").read_text())
    assert found.unparsed == []
    rows = [
        (str(candidate.prefix), candidate.via, candidate.source, candidate.preference, candidate.selected)
        for candidate in found.candidates
        if candidate.source == "Static"
    ]
    assert rows == [
        ("0.0.0.0/0", "127.0.0.2", "Static", 1, True),
        ("0.0.0.0/0", "127.0.0.3", "Static", 2, False),
        ("10.9.0.0/16", "127.0.0.2", "Static", 7, True),
        ("10.9.0.1/32", "127.0.0.4", "Static", 3, True),
        ("198.51.100.0/25", "127.0.0.1", "Static", 3, True),
        ("203.0.113.0/24", "127.0.0.1", "Static", 3, True),
    ]
    assert any(candidate.source == "Direct" for candidate in found.candidates)
