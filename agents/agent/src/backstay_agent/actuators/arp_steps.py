"""From a port's ARP as it is to what is intended, in the order that loses least: pure.

Switching the flag empties the port's table, so everything wanted is set right behind it. Where ARP is
switched on, or entries end while it is on, they first become ordinary ones that are asked for again at once
(NUD_PROBE): traffic goes on by them for some seconds, in which the fabric's other nodes begin to answer.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from backstay_agent import reconcile
from backstay_agent.host.kernel.port_rows import NeighbourRow, static_neighbour
from backstay_wire import PortArp

MOST_PROBED = 512
"""Ordinary entries count against gc_thresh3 (1024, of the whole host): the rest is learnt when it is used."""


@dataclass(frozen=True, slots=True)
class PortSteps:
    """What is to be done on one port, in this order."""

    port: str
    flag: bool | None
    """ARP on or off; None: as it is."""
    put: tuple[NeighbourRow, ...]
    probe: tuple[NeighbourRow, ...]
    """Permanent until now, to be ordinary ones."""
    drop: tuple[NeighbourRow, ...]

    @property
    def empty(self) -> bool:
        """Whether all is as intended."""
        return self.flag is None and not (self.put or self.probe or self.drop)


def wanted_rows(wanted: PortArp) -> list[NeighbourRow]:
    """The intended entries as rows."""
    return [
        static_neighbour(wanted.port, neighbour.address, neighbour.mac) for neighbour in wanted.neighbours
    ]


def steps(wanted: PortArp, arp: bool, permanent: Iterable[NeighbourRow]) -> PortSteps:
    """For one port whose ARP is on or not, with these permanent entries."""
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
