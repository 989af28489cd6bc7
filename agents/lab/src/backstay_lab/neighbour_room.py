"""Whether the kernel has room for a site's neighbours, asked before anything is built.

All network namespaces of a machine share one table (arp(7), gc_thresh3). A lab that fills it cuts off its own
nodes from each other, and everything else on the machine as well.
"""

from __future__ import annotations

from pathlib import Path

from backstay_lab.errors import LabError

NEEDS_A_NODE = 9
"""Gateways, next nodes, the relay and its way back: measured at `sdsc` with every agent running."""
_MOST = Path("/proc/sys/net/ipv4/neigh/default/gc_thresh3")


def require_room(nodes: int, setting: Path = _MOST) -> None:
    """LabError when so many nodes need more entries than the kernel keeps.

    Where the setting cannot be seen, as in a user namespace, nothing is known and nothing is refused.
    """
    try:
        most = int(setting.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return
    needed = nodes * NEEDS_A_NODE
    if needed > most:
        raise LabError(
            f"{nodes} nodes need about {needed} neighbour entries; this kernel keeps {most} for all.",
            f"Choose fewer --nodes, or as root: sysctl -w net.ipv4.neigh.default.gc_thresh3={2 * needed}",
        )
