"""rtnetlink(7) route messages as values that can be kept, compared and sent again (ports: port_rows.py).

A row keeps every attribute of a route, known or not, so that a restored route is what was there and not what
we thought important. Ports go by name, for an index does not outlive its port. Left
out is only what changes by itself: ages (CACHEINFO) and whether a next hop is alive just now.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from pyroute2.netlink import rtnl

from backstay_agent.host.kernel.raw_messages import RTA_MULTIPATH, Route, attributes, build
from backstay_wire.base import Message

_U32 = struct.Struct("=I")
_AF_INET, _AF_INET6 = 2, 10

RTA_DST, RTA_OIF, RTA_GATEWAY, RTA_PRIORITY, RTA_PREFSRC = 1, 4, 5, 6, 7
RTA_CACHEINFO, RTA_TABLE, RTA_NH_ID = 12, 15, 30
MAIN = 254
_KEPT_FLAGS = 0x2 | 0x4
"""RTNH_F_PERVASIVE and RTNH_F_ONLINK are configured; the other flags are the kernel's findings."""
_CLONED = 0x200

PROTO_KERNEL, PROTO_BOOT, PROTO_STATIC, PROTO_DHCP = 2, 3, 4, 16
OURS = 201
"""RTPROT of the routes that we install ourselves; free in iproute2's rt_protos."""
STATICS = frozenset((PROTO_BOOT, PROTO_STATIC, OURS))
"""Routes that a person, a boot script or we have set: to be taken over by a policy of the same prefix."""
_SETTLED = frozenset((*STATICS, PROTO_KERNEL, PROTO_DHCP))
"""Routes that no daemon restores by itself: these are restored one by one."""
_FIELDS = ("family", "dst_len", "tos", "proto", "scope", "type", "flags")

Attributes = tuple[tuple[int, str], ...]
"""(type, content in hex), by type; a port's index is not among them."""
Network = IPv4Network | IPv6Network


class RouteRow(Message):
    """One route of the main table; the fields of struct rtmsg have their names."""

    family: int
    dst_len: int
    tos: int = 0
    proto: int
    scope: int = 0
    type: int = 1
    flags: int = 0
    attributes: Attributes
    port: str = ""
    hops: tuple[tuple[str, int, int, Attributes], ...] = ()
    """Of a multipath route: (port, weight - 1, flags, attributes)."""

    def value(self, kind: int) -> bytes:
        """An attribute's octets; empty without it."""
        return bytes.fromhex(dict(self.attributes).get(kind, ""))

    @property
    def prefix(self) -> Network:
        """The destination; none means the default route."""
        octets = self.value(RTA_DST) or bytes(4 if self.family == _AF_INET else 16)
        return ip_network((octets, self.dst_len))

    @property
    def metric(self) -> int:
        """RTA_PRIORITY, 0 without one."""
        octets = self.value(RTA_PRIORITY)
        return int(_U32.unpack(octets)[0]) if octets else 0

    @property
    def gateway(self) -> IPv4Address | IPv6Address | None:
        """The next hop; None for a route that is on-link, has several, or leads nowhere."""
        octets = self.value(RTA_GATEWAY)
        return ip_address(octets) if octets else None

    @property
    def next_hops(self) -> list[tuple[IPv4Address | IPv6Address, str]]:
        """(gateway, port) of each hop of a multipath route."""
        found = [(dict(inner), port) for port, _, _, inner in self.hops]
        return [
            (ip_address(bytes.fromhex(inner[RTA_GATEWAY])), port)
            for inner, port in found
            if RTA_GATEWAY in inner
        ]

    @property
    def key(self) -> tuple[object, ...]:
        """The kernel's key when one route replaces another."""
        return self.family, self.prefix, self.tos, self.metric

    @property
    def rank(self) -> int:
        """A route that is on-link comes before those whose gateways it reaches."""
        return 255 - self.scope if self.type == 1 and not self.hops else 255

    @property
    def settled(self) -> bool:
        """Whether it stays until it is changed. A daemon's route comes back with the daemon."""
        return self.proto in _SETTLED and not self._link_local

    @property
    def _link_local(self) -> bool:
        """fe80::/64 comes and goes with its port."""
        return self.family == _AF_INET6 and self.proto == PROTO_KERNEL and self.prefix.is_link_local

    def message(self, indexes: Mapping[str, int]) -> Any:
        """What sets or deletes it. Raises KeyError for a port that is not there."""
        attrs = octets(self.attributes)
        if self.port:
            attrs.append((RTA_OIF, _U32.pack(indexes[self.port])))
        if self.hops:
            hops = [
                {"flags": flags, "hops": weight, "oif": indexes[port], "attrs": octets(inner)}
                for port, weight, flags, inner in self.hops
            ]
            attrs.append((RTA_MULTIPATH, hops))
        return build(Route, attrs, table=MAIN, **{name: getattr(self, name) for name in _FIELDS})

    def __str__(self) -> str:
        """As ip-route(8) shows it, without the rarer attributes."""
        pieces = [] if self.type == 1 else [str(rtnl.rt_type.get(self.type, f"type {self.type}"))]
        pieces.append("default" if self.dst_len == 0 else str(self.prefix))
        pieces += ["via", str(self.gateway)] if self.gateway else []
        pieces += ["dev", self.port] if self.port else []
        pieces += ["proto", str(rtnl.rt_proto.get(self.proto, self.proto))]
        source = self.value(RTA_PREFSRC)
        pieces += ["src", str(ip_address(source))] if source else []
        pieces += ["metric", str(self.metric)] if self.metric else []
        for port, weight, _, hop in self.hops:
            gateway = dict(hop).get(RTA_GATEWAY)
            via = f"via {ip_address(bytes.fromhex(gateway))} " if gateway else ""
            pieces.append(f"nexthop {via}dev {port} weight {weight + 1}")
        return " ".join(pieces)


def kept(inner: Mapping[int, bytes], *without: int) -> Attributes:
    """Attributes in order, but for these types."""
    return tuple(sorted((kind, value.hex()) for kind, value in inner.items() if kind not in without))


def octets(row: Iterable[tuple[int, str]]) -> list[tuple[int, Any]]:
    """A row's attributes as a message has them."""
    return [(kind, bytes.fromhex(content)) for kind, content in row]


def route(message: Any, names: Mapping[int, str]) -> RouteRow | None:
    """An RTM_NEWROUTE message; None for what is not in the main table, or cached."""
    inner = attributes(message)
    table = _U32.unpack(inner[RTA_TABLE])[0] if RTA_TABLE in inner else message["table"]
    if table != MAIN or message["flags"] & _CLONED or message["family"] not in (_AF_INET, _AF_INET6):
        return None
    # A route by a next-hop object (ip-nexthop(8)) is reported with the object's hops, but set without them.
    by_object = (RTA_OIF, RTA_GATEWAY) if RTA_NH_ID in inner else ()
    without = (RTA_OIF, RTA_MULTIPATH, RTA_CACHEINFO, RTA_TABLE, *by_object)
    port = names.get(_U32.unpack(inner[RTA_OIF])[0], "?") if RTA_OIF in inner and not by_object else ""
    return RouteRow(
        **{name: message[name] for name in _FIELDS} | {"flags": message["flags"] & _KEPT_FLAGS},
        attributes=kept(inner, *without),
        port=port,
        hops=() if by_object else tuple(_hops(inner, names)),
    )


def _hops(inner: Mapping[int, Any], names: Mapping[int, str]) -> Iterator[tuple[str, int, int, Attributes]]:
    for hop in inner.get(RTA_MULTIPATH, ()):
        port = names.get(hop["oif"], "?")
        yield port, hop["hops"], hop["flags"] & _KEPT_FLAGS, kept(attributes(hop))


def static_route(prefix: Network, gateway: IPv4Address | IPv6Address, port: str, metric: int) -> RouteRow:
    """A unicast route of ours by one gateway, as the kernel reports it once it is set."""
    found = [(RTA_GATEWAY, gateway.packed.hex()), (RTA_PRIORITY, _U32.pack(metric).hex())]
    if prefix.prefixlen:
        found.append((RTA_DST, prefix.network_address.packed.hex()))
    family = _AF_INET if prefix.version == 4 else _AF_INET6
    if family == _AF_INET6:
        found.append((20, "00"))  # RTA_PREF, medium: reported of every route (RFC 4191)
    return RouteRow(
        family=family,
        dst_len=prefix.prefixlen,
        proto=OURS,
        attributes=tuple(sorted(found)),
        port=port,
    )
