"""Counter patterns of cables that were moved since the discovery: a reason to rediscover the fabric.

A port without a cable that begins to count packets has one now; a port that counts another lost link had one
pulled. Both cost nothing to see, and a moved cable shows in the sweep that first reads them. What else may
have changed is found at the next discovery.
"""

from collections.abc import Mapping

from backstay_agent.collectors.infiniband.counters import BY_TOOL
from backstay_agent.parsers.infiniband.ib_counters import ALL_PORTS, Counters
from backstay_agent.parsers.infiniband.ib_topology import PortKey, Topology

_PACKETS = ("PortRcvPkts", "PortXmitPkts")
_DOWNED = "LinkDownedCounter"


class Evidence:
    """Compares each sweep with the one before."""

    def __init__(self) -> None:
        self._idle: dict[PortKey, tuple[int, ...]] = {}
        self._downed: dict[PortKey, int] | None = None

    def of_change(
        self,
        topology: Topology,
        traffic: Mapping[PortKey, Counters],
        errors: Mapping[PortKey, Counters],
    ) -> bool:
        """Whether a cable seems to have been moved since the last call; False at the first call."""
        idle = {
            key: tuple(counters.get(name, 0) for name in _PACKETS)
            for key, counters in traffic.items()
            if key not in topology.cables
        }
        downed = {
            key: counters[_DOWNED]
            for key, counters in errors.items()
            if _DOWNED in counters and key[1] != ALL_PORTS
        }
        awake = any(key in self._idle and value > self._idle[key] for key, value in idle.items())
        known, ceiling = self._downed, (1 << BY_TOOL[_DOWNED].bits) - 1
        pulled = known is not None and any(
            value > known.get(key, 0) and value < ceiling for key, value in downed.items()
        )
        self._idle, self._downed = idle, downed
        return awake or pulled
