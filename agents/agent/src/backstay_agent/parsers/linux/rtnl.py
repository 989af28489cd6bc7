"""Decoded rtnetlink messages (rtnetlink(7)) into ports, addresses, routes and neighbours."""

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

from backstay_agent.parsers import text
from backstay_wire import Neighbour, NextHop, PortState, Route

Message = Mapping[str, Any]

_ARPHRD_LOOPBACK = 772
# ARPHRD_* (linux/if_arp.h) -> IANAifType-MIB, for media with an entry there.
_IF_TYPE = {1: 6, 19: 37, 32: 199, 512: 23, 768: 131, 774: 15, 776: 131, 778: 131, 780: 47}
_IFF_UP, _IFF_RUNNING, _IFF_LOWER_UP = 0x1, 0x40, 0x10000
_NEWLINK, _DELLINK = 16, 17
_NLMSG_OCTETS = 16
_IFINFO = struct.Struct("=BxxxiI")
_MAIN_TABLE = 254
_UNICAST = 1
_CLONED = 0x200
_HOP_DEAD = 0x1
_AF_INET = 2
# linux/rtnetlink.h RTPROT_*, by iproute2's names.
_PROTOCOL = {
    2: "kernel",
    3: "boot",
    4: "static",
    8: "gated",
    9: "ra",
    11: "zebra",
    12: "bird",
    16: "dhcp",
    186: "bgp",
    187: "isis",
    188: "ospf",
    189: "rip",
    192: "eigrp",
}
# linux/neighbour.h NUD_*; NOARP entries (multicast, point to point) are made by the kernel, not learnt.
_NUD = {
    0x01: "incomplete",
    0x02: "reachable",
    0x04: "stale",
    0x08: "delay",
    0x10: "probe",
    0x20: "failed",
    0x80: "permanent",
}


@dataclass(frozen=True, slots=True)
class KernelLink:
    """A port as its link message describes it."""

    index: int
    name: str
    arp_type: int
    mtu: int
    flags: int
    mac: str
    alias: str
    virtual: bool
    """Implemented in software (veth, bridge, tun): its nominal speed is not a limit."""

    @property
    def loopback(self) -> bool:
        """A loopback carries no traffic of the network."""
        return self.arp_type == _ARPHRD_LOOPBACK


def link(message: Message) -> KernelLink:
    """An RTM_NEWLINK message."""
    attrs = message["attrs"]
    return KernelLink(
        index=message["index"],
        name=text.name(attrs["IFLA_IFNAME"]),
        arp_type=message["ifi_type"],
        mtu=attrs.get("IFLA_MTU") or 0,
        flags=message["flags"],
        mac=attrs.get("IFLA_ADDRESS") or "",
        alias=text.text(attrs.get("IFLA_IFALIAS") or ""),
        virtual=attrs.get("IFLA_LINKINFO") is not None,
    )


def carrier(kind: int, raw: bytes) -> tuple[int, bool] | None:
    """(interface index, whether the port can carry traffic) of a whole link event; None for another event.

    Only the fixed fields are read (struct ifinfomsg), in a microsecond. A bridge's own messages about its
    ports (AF_BRIDGE) do not describe the port itself.
    """
    if kind not in (_NEWLINK, _DELLINK):
        return None
    family, index, flags = _IFINFO.unpack_from(raw, _NLMSG_OCTETS)
    if family != 0:
        return None
    return index, kind == _NEWLINK and carries(flags)


def carries(flags: int) -> bool:
    """Whether a port is up and has carrier (netdevice(7))."""
    wanted = _IFF_UP | _IFF_RUNNING | _IFF_LOWER_UP
    return flags & wanted == wanted


def addresses(messages: Iterable[Message]) -> dict[int, list[str]]:
    """RTM_NEWADDR messages: `address/length` by interface index, in the kernel's order."""
    found: dict[int, list[str]] = {}
    for message in messages:
        attrs = message["attrs"]
        # On a point-to-point port IFA_ADDRESS is the peer and IFA_LOCAL our own address.
        own = attrs.get("IFA_LOCAL") or attrs.get("IFA_ADDRESS")
        if own:
            found.setdefault(message["index"], []).append(f"{own}/{message['prefixlen']}")
    return found


def port_state(port: KernelLink, own: list[str], speed: int) -> PortState:
    """A port for the wire; `speed` in bit/s, 0 if unknown."""
    return PortState(
        name=port.name,
        index=port.index,
        if_type=_IF_TYPE.get(port.arp_type, 1),
        speed=speed,
        mtu=port.mtu,
        admin_up=bool(port.flags & _IFF_UP),
        oper_up=(port.flags & (_IFF_RUNNING | _IFF_LOWER_UP)) == _IFF_RUNNING | _IFF_LOWER_UP,
        mac=port.mac[:64],
        alias=port.alias,
        addresses=own[:256],
    )


def destination(message: Message) -> IPv4Network | IPv6Network:
    """The prefix of a route message; no RTA_DST means the default route."""
    anywhere = "0.0.0.0" if message["family"] == _AF_INET else "::"  # noqa: S104 - a prefix, not a bind
    address = message["attrs"].get("RTA_DST") or anywhere
    return ip_network(f"{address}/{message['dst_len']}")


def is_main_unicast(message: Message) -> bool:
    """Whether a route message describes a unicast route of the main table, not a cached clone."""
    table = message["attrs"].get("RTA_TABLE", message["table"])
    unicast = message["type"] == _UNICAST and message["family"] in (_AF_INET, 10)
    return bool(unicast and table == _MAIN_TABLE and not message["flags"] & _CLONED)


def protocol(message: Message) -> str:
    """Origin of a route, by iproute2's names, or a number."""
    return _PROTOCOL.get(message["proto"], str(message["proto"]))


def route(message: Message, names: Mapping[int, str]) -> Route | None:
    """A route for the wire, with the next hops that the kernel would use now.

    A dead next hop (RTNH_F_DEAD: its port is down, or without carrier if `ignore_routes_with_linkdown` is
    set) is left out; None if none remains.
    """
    hops = list(_next_hops(message, names))
    if not hops:
        return None
    return Route(
        prefix=destination(message),
        protocol=protocol(message),
        metric=message["attrs"].get("RTA_PRIORITY") or 0,
        next_hops=hops[:64],
    )


def _next_hops(message: Message, names: Mapping[int, str]) -> Iterator[NextHop]:
    attrs = message["attrs"]
    several = attrs.get("RTA_MULTIPATH")
    if several:
        for hop in several:
            inner = {slot[0]: slot[1] for slot in hop.get("attrs", ())}
            if not hop["flags"] & _HOP_DEAD:
                yield _next_hop(inner, hop["oif"], names)
    elif not message["flags"] & _HOP_DEAD and "RTA_OIF" in attrs:
        yield _next_hop(attrs, attrs["RTA_OIF"], names)


def _next_hop(attrs: Mapping[str, Any], index: int, names: Mapping[int, str]) -> NextHop:
    # RTA_VIA: an IPv4 route by way of an IPv6 neighbour (RFC 5549).
    via = attrs.get("RTA_GATEWAY") or (attrs.get("RTA_VIA") or {}).get("addr")
    return NextHop(via=via, port=names.get(index, f"if{index}"))


def neighbour(message: Message, names: Mapping[int, str]) -> Neighbour | None:
    """A neighbour for the wire; None for an entry made by the kernel itself."""
    state = _NUD.get(message["state"])
    address = message["attrs"].get("NDA_DST")
    port = names.get(message["ifindex"])
    if state is None or address is None or port is None:
        return None
    mac = message["attrs"].get("NDA_LLADDR") or ""
    return Neighbour(port=port, address=address, mac=mac[:64], state=state)
