"""What the kernel sets on a port that is new: what a reboot makes of settings that nobody saved.

Asked of the kernel itself, with a port made for it: outside of the initial namespace the tree `default` does
not show the neighbour tables (net/core/neighbour.c).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from backstay_lab import netns
from backstay_lab.programs import run

_ROOT = Path("/proc/sys/net")
_PORT = "bsfresh"
_PATTERNS = (
    "ipv4/conf/{}/arp_*",
    "ipv4/conf/{}/*proxy_arp*",
    "ipv4/conf/{}/*gratuitous_arp",
    "ipv4/conf/{}/bc_forwarding",
    "ipv4/neigh/{}/*",
    "ipv6/conf/{}/*ndisc*",
    "ipv6/conf/{}/proxy_ndp",
    "ipv6/conf/{}/*_na",
    "ipv6/neigh/{}/*",
)


def forget_settings(namespace: str, ports: Sequence[str]) -> None:
    """Give ports the settings of a new one, as far as they are about neighbours. Raises LabError, OSError."""
    with _new_port(namespace):
        netns.inside(namespace, lambda: _copy(ports))


@contextlib.contextmanager
def _new_port(namespace: str) -> Iterator[None]:
    run(["ip", "-n", namespace, "link", "add", "name", _PORT, "type", "veth", "peer", "name", f"{_PORT}p"])
    try:
        yield
    finally:
        run(["ip", "-n", namespace, "link", "delete", "dev", _PORT])


def _copy(ports: Sequence[str]) -> None:
    for pattern in _PATTERNS:
        for fresh in _ROOT.glob(pattern.format(_PORT)):
            value = fresh.read_bytes()
            for port in ports:
                mine = fresh.parent.with_name(port) / fresh.name
                if mine.exists() and mine.read_bytes() != value:
                    mine.write_bytes(value)
