"""Steps from a port's current to its desired ARP state, in the order with the least loss: pure.

Switching the flag empties the port's table, so the desired entries are set right after it. If ARP is switched
on, or entries are removed while it is on, they first become ordinary entries in state NUD_PROBE: traffic
continues for some seconds, in which the fabric's other nodes begin to answer.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from backstay_agent import reconcile
from backstay_agent.host.kernel.port_rows import NeighbourRow, static_neighbour
from backstay_wire import PortArp

MOST_PROBED = 512
"""Ordinary entries count against gc_thresh3 (1024 for the whole host): the rest is learnt on use."""


@dataclass(frozen=True, slots=True)
class PortSteps:
    """Steps for one port, in this order."""

    port: str
    flag: bool | None
    """ARP on or off; None: unchanged."""
    put: tuple[NeighbourRow, ...]
    probe: tuple[NeighbourRow, ...]
    """Permanent so far, to become ordinary ones."""
    drop: tuple[NeighbourRow, ...]

    @property
    def empty(self) -> bool:
        """Whether the port already has the desired state."""
        return self.flag is None and not (self.put or self.probe or self.drop)


def wanted_rows(wanted: PortArp) -> list[NeighbourRow]:
    """The desired entries as rows."""
    return [
        static_neighbour(wanted.port, neighbour.address, neighbour.mac) for neighbour in wanted.neighbours
    ]


def steps(wanted: PortArp, arp: bool, permanent: Iterable[NeighbourRow]) -> PortSteps:
    """Steps for one port with the given ARP flag and permanent entries."""
    rows, have = wanted_rows(wanted), list(permanent)
    keys = {row.key for row in rows}
    other = [row for row in have if row.key not in keys]
    if wanted.arp is not None and wanted.arp != arp:
        probed = other[:MOST_PROBED] if wanted.arp else []
        return PortSteps(wanted.port, wanted.arp, tuple(rows), tuple(probed), ())
    fresh = [step.row for step in reconcile.entries(have, rows) if step.verb != "delete"]
    if wanted.arp is None:
        other = []
    return PortSteps(
        port=wanted.port,
        flag=None,
        put=tuple(fresh),
        probe=tuple(other[:MOST_PROBED]) if wanted.arp else (),
        drop=tuple(other[MOST_PROBED:] if wanted.arp else other),
    )
