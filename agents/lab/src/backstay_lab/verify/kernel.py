"""Source: the kernel's counters in each node's namespace, from /proc/net/dev (proc(5)).

Agents read the same counters by rtnetlink (IFLA_STATS64), so an error in either path shows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from backstay_lab.naming import Names
from backstay_lab.network import netns
from backstay_lab.verify.series import Key, Slack, Value

COLUMNS = {
    "in octets": 0,
    "in packets": 1,
    "in errors": 2,
    "out octets": 8,
    "out packets": 9,
    "out errors": 10,
}
"""Quantity to its column after the device's name."""
_ALL = 1 << 16


class KernelSource:
    """The nodes that have an agent of their own."""

    title = "/proc/net/dev of the nodes"
    # An agent reports the time just after its reading; on a busy machine it may be preempted in between.
    slack = Slack(early=0.06, late=0.01)
    pause_s = 0.02

    def __init__(self, names: Names, nodes: Iterable[str]) -> None:
        self._files = {node: netns.inside(names.node(node), _open) for node in nodes}

    def read(self) -> Iterator[Mapping[Key, Value]]:
        """A node at a time."""
        for node, file in self._files.items():
            yield {
                (node, device, quantity): value
                for device, counters in parse(os.pread(file, _ALL, 0).decode()).items()
                for quantity, value in counters.items()
            }

    def close(self) -> None:
        """Close the nodes' files."""
        for file in self._files.values():
            os.close(file)
        self._files.clear()


def _open() -> int:
    # The open file belongs to this namespace, whichever thread reads it later.
    return os.open("/proc/thread-self/net/dev", os.O_RDONLY | os.O_CLOEXEC)


def parse(output: str) -> dict[str, dict[str, int]]:
    """Device to its counters."""
    found = {}
    for line in output.splitlines()[2:]:
        device, _, counters = line.partition(":")
        columns = counters.split()
        found[device.strip()] = {quantity: int(columns[place]) for quantity, place in COLUMNS.items()}
    return found
