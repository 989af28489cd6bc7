"""What the kernel forwards by now, from route messages as it sends them, with its findings about each hop."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from backstay_agent.host.kernel.kernel_rows import RTA_GATEWAY, STATICS, Network, RouteRow, route
from backstay_agent.host.kernel.raw_messages import RTA_MULTIPATH, attributes

_DEAD = 0x1
_CARRIES = 0x1 | 0x40 | 0x10000
"""IFF_UP, IFF_RUNNING, IFF_LOWER_UP: switched on and with carrier (netdevice(7))."""

Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class ForwardingRoute:
    """The route of one prefix that packets take: of the lowest metric with a living next hop."""

    gateways: tuple[Address, ...]
    proto: int
    metric: int

    @property
    def is_hand_set(self) -> bool:
        """Whether a person, a boot script or this agent installed it, and no daemon."""
        return self.proto in STATICS


@dataclass(frozen=True, slots=True)
class ForwardingState:
    """The main table as packets see it, and the networks that this host reaches without a gateway."""

    routes: Mapping[Network, ForwardingRoute]
    networks: tuple[Network, ...] = ()
    """Of the ports that have carrier."""

    def gateways(self, prefix: Network) -> tuple[Address, ...]:
        """The gateways that packets to the prefix take now; none without a route."""
        found = self.routes.get(prefix)
        return () if found is None else found.gateways

    def is_on_link(self, address: Address) -> bool:
        """Whether a port with carrier is on the address's network."""
        return any(address in network for network in self.networks)


def carries(flags: int) -> bool:
    """Whether a port with these flags is up and has carrier."""
    return flags & _CARRIES == _CARRIES


def forwarding(rows: Iterable[tuple[RouteRow | None, Any]]) -> dict[Network, ForwardingRoute]:
    """Prefix -> its route, from pairs of (row, its RTM_NEWROUTE message); a row of another table is None."""
    best: dict[Network, ForwardingRoute] = {}
    for row, message in rows:
        gateways = () if row is None else _living(message)
        if row is None or not gateways:
            continue
        prefix, metric = row.prefix, row.metric
        known = best.get(prefix)
        if known is None or metric < known.metric:
            best[prefix] = ForwardingRoute(gateways, row.proto, metric)
    return best


def of_messages(messages: Iterable[Any]) -> dict[Network, ForwardingRoute]:
    """The same of messages whose rows are not needed otherwise."""
    return forwarding((route(message, {}), message) for message in messages)


def _living(message: Any) -> tuple[Address, ...]:
    inner = attributes(message)
    hops = [(hop["flags"], attributes(hop)) for hop in inner.get(RTA_MULTIPATH, ())]
    return tuple(
        ip_address(hop[RTA_GATEWAY])
        for flags, hop in [(message["flags"], inner), *hops]
        if RTA_GATEWAY in hop and not flags & _DEAD
    )
