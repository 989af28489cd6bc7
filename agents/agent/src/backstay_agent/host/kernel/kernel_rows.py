"""rtnetlink(7) route messages as values that can be kept, compared and sent again (ports: port_rows.py).

A row keeps every attribute of a route, known or not, so that a restored route is what was there and not what
we thought important. Ports go by name, for an index does not outlive its port. Left
out is only what changes by itself: ages (CACHEINFO) and whether a next hop is alive just now.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from backstay_wire.base import Message

_RTMSG = struct.Struct("=8BI")
_ATTRIBUTE = struct.Struct("=HH")
_U32 = struct.Struct("=I")
_NEXT_HOP = struct.Struct("=HBBi")
_TYPE_MASK = 0x3FFF
_AF_INET, _AF_INET6 = 2, 10

RTA_DST, RTA_OIF, RTA_GATEWAY, RTA_PRIORITY, RTA_PREFSRC = 1, 4, 5, 6, 7
RTA_MULTIPATH, RTA_CACHEINFO, RTA_TABLE, RTA_NH_ID = 9, 12, 15, 30
_MAIN = 254
_KEPT_FLAGS = 0x2 | 0x4
"""RTNH_F_PERVASIVE and RTNH_F_ONLINK are configured; the other flags are the kernel's findings."""
_CLONED = 0x200
_DEAD = 0x1

PROTO_KERNEL, PROTO_BOOT, PROTO_STATIC, PROTO_DHCP = 2, 3, 4, 16
OURS = 201
"""RTPROT of the routes that we install ourselves; free in iproute2's rt_protos."""
STATICS = frozenset((PROTO_BOOT, PROTO_STATIC, OURS))
"""Routes that a person, a boot script or we have set: to be taken over by a policy of the same prefix."""
_SETTLED = frozenset((*STATICS, PROTO_KERNEL, PROTO_DHCP))
"""Routes that no daemon restores by itself: these are restored one by one."""
_KINDS = {
    1: "unicast",
    2: "local",
    3: "broadcast",
    6: "blackhole",
    7: "unreachable",
    8: "prohibit",
    9: "throw",
}
_PROTOCOLS = {2: "kernel", 3: "boot", 4: "static", 8: "gated", 9: "ra", 11: "zebra", 12: "bird", 16: "dhcp"}

Attributes = tuple[tuple[int, str], ...]
"""(type, content in hex), by type; a port's index is not among them."""
Network = IPv4Network | IPv6Network


class RouteRow(Message):
    """One route of the main table."""

    family: int
    length: int
    tos: int
    protocol: int
    scope: int
    kind: int
    flags: int
    attributes: Attributes
    port: str = ""
    hops: tuple[tuple[str, int, int, str], ...] = ()
    """Of a multipath route: (port, weight - 1, flags, attributes in hex)."""

    def value(self, kind: int) -> bytes:
        """An attribute's octets; empty without it."""
        return next((bytes.fromhex(content) for item, content in self.attributes if item == kind), b"")

    @property
    def prefix(self) -> Network:
        """The destination; none means the default route."""
        octets = self.value(RTA_DST) or bytes(4 if self.family == _AF_INET else 16)
        return ip_network((octets, self.length))

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
        found = [(dict(attributes(bytes.fromhex(content))), port) for port, _, _, content in self.hops]
        return [(ip_address(inner[RTA_GATEWAY]), port) for inner, port in found if RTA_GATEWAY in inner]

    @property
    def key(self) -> tuple[object, ...]:
        """The kernel's key when one route replaces another."""
        return self.family, self.prefix, self.tos, self.metric

    @property
    def rank(self) -> int:
        """A route that is on-link comes before those whose gateways it reaches."""
        return 255 - self.scope if self.kind == 1 and not self.hops else 255

    @property
    def settled(self) -> bool:
        """Whether it stays until it is changed. A daemon's route comes back with the daemon."""
        return self.protocol in _SETTLED and not self._link_local

    @property
    def _link_local(self) -> bool:
        """fe80::/64 comes and goes with its port."""
        return self.family == _AF_INET6 and self.protocol == PROTO_KERNEL and self.prefix.is_link_local

    def __str__(self) -> str:
        """As ip-route(8) shows it, without the rarer attributes."""
        pieces = [] if self.kind == 1 else [_KINDS.get(self.kind, f"type {self.kind}")]
        pieces.append("default" if self.length == 0 else str(self.prefix))
        pieces += ["via", str(self.gateway)] if self.gateway else []
        pieces += ["dev", self.port] if self.port else []
        pieces += ["proto", _PROTOCOLS.get(self.protocol, str(self.protocol))]
        source = self.value(RTA_PREFSRC)
        pieces += ["src", str(ip_address(source))] if source else []
        pieces += ["metric", str(self.metric)] if self.metric else []
        for port, weight, _, content in self.hops:
            inner = dict(attributes(bytes.fromhex(content)))
            via = f"via {ip_address(inner[RTA_GATEWAY])} " if RTA_GATEWAY in inner else ""
            pieces.append(f"nexthop {via}dev {port} weight {weight + 1}")
        return " ".join(pieces)


def attributes(octets: bytes) -> Iterator[tuple[int, bytes]]:
    """(type, content) of each attribute in a message's tail."""
    offset = 0
    while offset + _ATTRIBUTE.size <= len(octets):
        length, kind = _ATTRIBUTE.unpack_from(octets, offset)
        if length < _ATTRIBUTE.size:
            return
        yield kind & _TYPE_MASK, octets[offset + _ATTRIBUTE.size : offset + length]
        offset += (length + 3) & ~3


def attribute(kind: int, content: bytes) -> bytes:
    """One attribute as it is sent, padded."""
    length = _ATTRIBUTE.size + len(content)
    return _ATTRIBUTE.pack(length, kind) + content + bytes(-length % 4)


def kept(octets: bytes, *without: int) -> Attributes:
    """A message's tail as attributes in order, but for these types."""
    return tuple(sorted((kind, value.hex()) for kind, value in attributes(octets) if kind not in without))


def route(body: bytes, names: Mapping[int, str]) -> RouteRow | None:
    """The body of an RTM_NEWROUTE message; None for what is not in the main table, or cached."""
    family, length, _, tos, table, protocol, scope, kind, flags = _RTMSG.unpack_from(body)
    inner = dict(attributes(body[_RTMSG.size :]))
    table = _U32.unpack(inner[RTA_TABLE])[0] if RTA_TABLE in inner else table
    if table != _MAIN or flags & _CLONED or family not in (_AF_INET, _AF_INET6):
        return None
    # A route by a next-hop object (ip-nexthop(8)) is reported with the object's hops, but set without them.
    by_object = (RTA_OIF, RTA_GATEWAY) if RTA_NH_ID in inner else ()
    without = (RTA_OIF, RTA_MULTIPATH, RTA_CACHEINFO, RTA_TABLE, *by_object)
    port = names.get(_U32.unpack(inner[RTA_OIF])[0], "?") if RTA_OIF in inner and not by_object else ""
    return RouteRow(
        family=family,
        length=length,
        tos=tos,
        protocol=protocol,
        scope=scope,
        kind=kind,
        flags=flags & _KEPT_FLAGS,
        attributes=kept(body[_RTMSG.size :], *without),
        port=port,
        hops=() if by_object else tuple(_hops(inner.get(RTA_MULTIPATH, b""), names)),
    )


def forwarding(bodies: Iterable[bytes]) -> dict[Network, tuple[IPv4Address | IPv6Address, ...]]:
    """Prefix -> the gateways that packets take now: of the lowest metric with a living next hop.

    `bodies` of RTM_NEWROUTE messages as the kernel sent them, with its findings.
    """
    best: dict[Network, tuple[int, tuple[IPv4Address | IPv6Address, ...]]] = {}
    for body in bodies:
        row = route(body, {})
        gateways = _living(body)
        if row is None or not gateways:
            continue
        known = best.get(row.prefix)
        if known is None or row.metric < known[0]:
            best[row.prefix] = (row.metric, gateways)
    return {prefix: gateways for prefix, (_, gateways) in best.items()}


def _living(body: bytes) -> tuple[IPv4Address | IPv6Address, ...]:
    inner = dict(attributes(body[_RTMSG.size :]))
    found: list[IPv4Address | IPv6Address] = []
    if RTA_GATEWAY in inner and not _RTMSG.unpack_from(body)[8] & _DEAD:
        found.append(ip_address(inner[RTA_GATEWAY]))
    several, offset = inner.get(RTA_MULTIPATH, b""), 0
    while offset + _NEXT_HOP.size <= len(several):
        length, flags, _, _ = _NEXT_HOP.unpack_from(several, offset)
        hop = dict(attributes(several[offset + _NEXT_HOP.size : offset + length]))
        if RTA_GATEWAY in hop and not flags & _DEAD:
            found.append(ip_address(hop[RTA_GATEWAY]))
        offset += (max(length, _NEXT_HOP.size) + 3) & ~3
    return tuple(found)


def _hops(octets: bytes, names: Mapping[int, str]) -> Iterator[tuple[str, int, int, str]]:
    offset = 0
    while offset + _NEXT_HOP.size <= len(octets):
        length, flags, weight, index = _NEXT_HOP.unpack_from(octets, offset)
        if length < _NEXT_HOP.size:
            return
        rest = octets[offset + _NEXT_HOP.size : offset + length]
        yield names.get(index, "?"), weight, flags & _KEPT_FLAGS, rest.hex()
        offset += (length + 3) & ~3


def route_body(row: RouteRow, indexes: Mapping[str, int]) -> bytes:
    """The body of a message that sets or deletes a route. Raises KeyError for a port that is not there."""
    head = _RTMSG.pack(
        row.family, row.length, 0, row.tos, _MAIN, row.protocol, row.scope, row.kind, row.flags
    )
    parts = [attribute(kind, bytes.fromhex(content)) for kind, content in row.attributes]
    if row.port:
        parts.append(attribute(RTA_OIF, _U32.pack(indexes[row.port])))
    if row.hops:
        hops = b"".join(
            _NEXT_HOP.pack(_NEXT_HOP.size + len(content) // 2, flags, weight, indexes[port])
            + bytes.fromhex(content)
            for port, weight, flags, content in row.hops
        )
        parts.append(attribute(RTA_MULTIPATH, hops))
    return head + b"".join(parts)


def static_route(
    prefix: Network, gateway: IPv4Address | IPv6Address, port: str, metric: int, protocol: int = OURS
) -> RouteRow:
    """A unicast route by one gateway, as the kernel reports it once it is set."""
    found = [(RTA_GATEWAY, gateway.packed.hex()), (RTA_PRIORITY, _U32.pack(metric).hex())]
    if prefix.prefixlen:
        found.append((RTA_DST, prefix.network_address.packed.hex()))
    family = _AF_INET if prefix.version == 4 else _AF_INET6
    if family == _AF_INET6:
        found.append((20, "00"))  # RTA_PREF, medium: reported of every route (RFC 4191)
    return RouteRow(
        family=family,
        length=prefix.prefixlen,
        tos=0,
        protocol=protocol,
        scope=0,
        kind=1,
        flags=0,
        attributes=tuple(sorted(found)),
        port=port,
    )
