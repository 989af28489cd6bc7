"""One SNMP device of site `zoo` as a value: its ports, its neighbours, and the peculiarities of its agent."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface
from typing import Literal

Address = IPv4Interface | IPv6Interface
State = Literal["up", "down", "disabled"]
NodeRole = Literal["host", "gateway", "router", "switch"]

IF_TYPES = {
    "ethernet": 6,
    "fddi": 15,
    "loopback": 24,
    "atm": 37,
    "hippi": 47,
    "other": 53,
    "fibre-channel": 56,
    "wifi": 71,
    "tunnel": 131,
    "vlan": 136,
    "lag": 161,
    "infiniband": 199,
    "bridge": 209,
}
"""IANAifType-MIB."""
LOOPBACK = IF_TYPES["loopback"]
VLAN = 100
"""The VLAN of every learnt address."""

QUIRKS = {
    "old-arp": "neighbours are only in ipNetToMediaTable (RFC 1213)",
    "mixed-arp": "some neighbours are in ipNetToMediaTable, the others in ipNetToPhysicalTable (RFC 4293)",
    "both-arp": "IPv4 neighbours are in both tables",
    "old-addresses": "addresses are only in ipAddrTable",
    "prefix-nowhere": "ipAddressPrefix is 0.0; only ipAddrTable has the masks",
    "bad-masks": "ipAdEntNetMask of the last address is 0.0.0.0",
    "zoned": "link-local addresses have a zone (ipv6z)",
    "no-high-speed": "ifHighSpeed is 0 on all ports",
    "full-speed": "a port has ifSpeed and ifHighSpeed 4294967295",
    "static-lag": "members of an aggregate have no LACP partner",
    "stack-lag": "only ifStackTable shows the members of an aggregate",
    "length-prefixed-fdb": "learnt addresses are indexed with the number of their octets",
    "ifindex-bridge": "bridge ports are numbered by ifIndex, and not mapped",
    "fdb-ids": "forwarding databases have identifiers above 4095, which are not VLANs",
    "fdb-map": "forwarding databases have identifiers that dot1qVlanFdbId maps to VLANs",
    "lldp-unknown-port": "a neighbour is on a local port number that no table lists",
    "lldp-numbers": "lldpLocPortNum is not ifIndex",
    "lldp-old-rows": "neighbours also have rows of an earlier time",
    "null-cells": "some cells of a table are NULL",
    "holes": "some cells of a table are missing",
    "no-names": "there is no ifName",
    "cut-names": "there is no ifName, and ifDescr is cut to the same characters",
    "narrow": "counters have 32 bits",
    "mib2": "MIB-II only (RFC 1213), as with SNMPv1",
    "trailing-nul": "texts end with NUL",
    "storage-over": "a storage area is fuller than its size",
    "storage-negative": "sizes above 2^31 blocks are negative",
    "v3": "SNMPv3 only",
}
"""Peculiarities of agents; each is one that agents in the field have."""


PORT_MAC, NEIGHBOUR_MAC, LEARNT_MAC = 2, 6, 10
"""First octets of locally administered addresses: of ports, of hosts that are no nodes, behind a bridge."""


def local_mac(first: int, device: int, port: int, place: int) -> str:
    """A locally administered hardware address by the numbers of what has it."""
    return bytes((first, 0x5A, device, port, place >> 8, place & 255)).hex(":")


@dataclass(frozen=True, slots=True)
class ZooPort:
    """One row of ifTable. Rates are bit/s."""

    name: str
    """Its name in the inventory: ifName, else ifDescr; with `#ifIndex` when ports share that."""
    label: str
    """ifName, or ifDescr of an agent without ifName."""
    descr: str
    index: int
    if_type: int
    speed: int
    """Bit/s; 0: the agent does not know it."""
    is_full: bool = False
    state: State = "up"
    mac: str = ""
    addresses: tuple[Address, ...] = ()
    aggregate: str = ""
    """The aggregate that it is a member of."""
    in_bps: float = 0.0
    out_bps: float = 0.0

    @property
    def is_bridged(self) -> bool:
        """Whether it is a port of the bridge."""
        return self.if_type in (IF_TYPES["ethernet"], IF_TYPES["lag"]) and not self.addresses


@dataclass(frozen=True, slots=True)
class ZooNeighbour:
    """An ARP or neighbour discovery entry."""

    port: str
    address: str
    mac: str


@dataclass(frozen=True, slots=True)
class ZooLearnt:
    """A learnt address of a bridge."""

    port: str
    mac: str


@dataclass(frozen=True, slots=True)
class ZooPeer:
    """An LLDP neighbour."""

    port: str
    name: str
    chassis: str
    peer_port: str


@dataclass(frozen=True, slots=True)
class ZooLink:
    """A cable: (node, port) of both ends."""

    a: tuple[str, str]
    b: tuple[str, str]


@dataclass(frozen=True)
class ZooDevice:
    """One device with everything that its agent knows."""

    number: int
    name: str
    make: str
    kind: NodeRole
    object_id: str
    descr: str
    quirks: frozenset[str]
    bridge: Literal["", "d", "q", "both"]
    """Which forwarding tables it has: dot1dTpFdbTable, dot1qTpFdbTable."""
    ports: tuple[ZooPort, ...]
    neighbours: tuple[ZooNeighbour, ...] = ()
    learnt: tuple[ZooLearnt, ...] = ()
    peers: tuple[ZooPeer, ...] = ()
    has_lldp: bool = False
    storage: tuple[tuple[str, int, int], ...] = ()
    """Name, size and used blocks."""
    sensors: tuple[tuple[str, int, int, int], ...] = ()
    """Name, EntitySensorDataType, value, precision."""
    devices: tuple[tuple[str, int], ...] = ()
    """Text and hrDeviceStatus."""
    processors: int = 0
    objects: tuple[str, ...] = ()
    """Further lines of its recording."""

    def port(self, name: str) -> ZooPort:
        """The port of that name; KeyError when there is none."""
        return {port.name: port for port in self.ports}[name]

    @property
    def chassis(self) -> str:
        """Its LLDP chassis ID."""
        return local_mac(PORT_MAC, self.number, 255, 0)
