"""Links that run below their capability: fewer or slower lanes than both ends support and than similar links
use.

The chips report what both ends support, and they report too much: 12X for a port whose connector has four
lanes, a speed that the cable was never made for. Used alone it would flag whole fabrics. So a link is
degraded if both ends support more *and* most links of its kind (to hosts, between switches) run faster. The
number of links that could do more is counted separately. Pure.
"""

from collections import Counter
from dataclasses import dataclass

from backstay_agent.collectors.infiniband.sweeper import DiscoveredFabric
from backstay_agent.parsers.infiniband.ib_topology import Cable, IbTopology, PortKey

_GBIT = 1_000_000_000
LANES = {
    "SDR": 2_500_000_000,
    "DDR": 5 * _GBIT,
    "QDR": 10 * _GBIT,
    "FDR10": 10 * _GBIT,
    "FDR": 14 * _GBIT,
    "EDR": 25 * _GBIT,
    "HDR": 50 * _GBIT,
    "NDR": 100 * _GBIT,
    "XDR": 200 * _GBIT,
}
"""Bit/s of one lane by speed, as Linux counts them in its `rate` (include/rdma/ib_verbs.h)."""

_Kind = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grade:
    """Faults of one end's link."""

    narrow: bool = False
    slow: bool = False


_FULL = Grade()


def grade(fabric: DiscoveredFabric) -> dict[PortKey, Grade]:
    """The grade of each cabled port."""
    topology = fabric.topology
    kinds = {key: _kind(topology, key, cable) for key, cable in topology.cables.items()}
    widths: dict[_Kind, Counter[int]] = {}
    lanes: dict[_Kind, Counter[int]] = {}
    for key, cable in topology.cables.items():
        widths.setdefault(kinds[key], Counter())[cable.width] += 1
        lanes.setdefault(kinds[key], Counter())[LANES.get(cable.speed, 0)] += 1
    usual = {kind: (_usual(widths[kind]), _usual(lanes[kind])) for kind in widths}
    grades: dict[PortKey, Grade] = {}
    for key, cable in topology.cables.items():
        width, lane = usual[kinds[key]]
        link = fabric.links.get(key)
        narrow = link is not None and link.could_width > 0 and cable.width < width
        slow = link is not None and bool(link.could_speed) and LANES.get(cable.speed, 0) < lane
        grades[key] = Grade(narrow, slow) if narrow or slow else _FULL
    return grades


def _kind(topology: IbTopology, key: PortKey, cable: Cable) -> _Kind:
    nodes = (topology.nodes.get(guid) for guid in (key[0], cable.peer[0]))
    return tuple(sorted(node.kind if node is not None else "" for node in nodes))


def _usual(counted: Counter[int]) -> int:
    """The most common value; of two equally common ones, the better."""
    return max(counted, key=lambda value: (counted[value], value))
