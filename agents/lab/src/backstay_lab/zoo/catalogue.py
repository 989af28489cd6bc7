"""The devices of site `zoo` from their descriptions in `kinds/`, with everything filled in.

A description states facts: the standard tables that a make's agent has, and its peculiarities. What does not
matter is derived from the kind's number and the port's: hardware addresses, neighbours, traffic. So two calls
give equal devices. A sysObjectID is the make's enterprise number (IANA), and the product's where it is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from ipaddress import ip_address, ip_interface
from itertools import count as counting
from typing import Any, Literal

import yaml

from backstay_lab.zoo.device import (
    IF_TYPES,
    LEARNT_MAC,
    LOOPBACK,
    NEIGHBOUR_MAC,
    PORT_MAC,
    QUIRKS,
    Address,
    NodeRole,
    State,
    ZooDevice,
    ZooLearnt,
    ZooLink,
    ZooNeighbour,
    ZooPeer,
    ZooPort,
    local_mac,
)

FILES = ("switches", "access", "routers", "hosts")
WITHOUT_MAC = frozenset(IF_TYPES[name] for name in ("loopback", "tunnel", "other", "atm", "hippi"))
FULL = "full"
"""A speed that the agent states as the largest number of its type: it is unknown."""
UNITS = {"K": 10**3, "M": 10**6, "G": 10**9}


@dataclass(frozen=True)
class _Description:
    """The keys of one kind."""

    make: str
    object_id: str
    descr: str
    ports: Sequence[Mapping[str, Any]]
    quirks: Sequence[str]
    kind: NodeRole = "switch"
    down: Sequence[str] = ()
    disabled: Sequence[str] = ()
    lags: Mapping[str, Sequence[str]] = field(default_factory=dict)
    addresses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    arp: Mapping[str, int] = field(default_factory=dict)
    bridge: Literal["", "d", "q", "both"] = ""
    learnt: Mapping[str, int] = field(default_factory=dict)
    lldp: bool = False
    storage: Sequence[Sequence[Any]] = ()
    sensors: Sequence[Sequence[Any]] = ()
    devices: Sequence[Sequence[Any]] = ()
    processors: int = 0
    objects: Sequence[str] = ()
    links: Mapping[str, str] = field(default_factory=dict)


@cache
def _descriptions() -> Mapping[str, _Description]:
    found: dict[str, _Description] = {}
    for name in FILES:
        text = (files(__package__) / "kinds" / f"{name}.yaml").read_text(encoding="utf-8")
        found |= {kind: _Description(**keys) for kind, keys in yaml.safe_load(text).items()}
    for kind, description in found.items():
        if unknown := set(description.quirks) - QUIRKS.keys():
            raise ValueError(f"{kind}: unknown quirks {sorted(unknown)}")
    return found


def kinds() -> tuple[str, ...]:
    """The names of all kinds, in the order of the tree of cables."""
    return tuple(_descriptions())


def zoo(number: int | None = None) -> tuple[ZooDevice, ...]:
    """The first `number` devices, by default one of each kind, with the cables between them."""
    names = kinds()[:number]
    known = _descriptions()
    bare = {name: _bare(place, name, known[name]) for place, name in enumerate(names, start=1)}
    cables = links(number)
    loaded = {name: _with_traffic(device, cables) for name, device in bare.items()}
    return tuple(_with_neighbours(loaded, device, known[name], cables) for name, device in loaded.items())


def links(number: int | None = None) -> tuple[ZooLink, ...]:
    """The cables between the first `number` devices."""
    names = kinds()[:number]
    found: list[ZooLink] = []
    for name in names:
        for port, far in _descriptions()[name].links.items():
            peer, _, peer_port = far.partition(":")
            if peer in names:
                found.append(ZooLink((peer, peer_port), (name, port)))
    return tuple(found)


def _bps(speed: str | int) -> int:
    if speed == FULL:
        return 0
    text = str(speed)
    return int(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else int(text)


def _bare(number: int, name: str, description: _Description) -> ZooDevice:
    """A device without traffic and neighbours."""
    rows = [row for spec in description.ports for row in _rows(**spec)]
    shared = {label for label, times in Counter(row.label for row in rows).items() if times > 1}
    aggregates = {member: lag for lag, members in description.lags.items() for member in members}
    ports = []
    for place, row in enumerate(rows):
        listed = f"{row.label}#{row.index}" if row.label in shared else row.label
        ports.append(
            replace(
                row,
                name=listed,
                state=_state(listed, description),
                mac="" if row.if_type in WITHOUT_MAC else local_mac(PORT_MAC, number, place, 0),
                addresses=tuple(ip_interface(text) for text in description.addresses.get(listed, ())),
                aggregate=aggregates.get(listed, ""),
            )
        )
    return ZooDevice(
        number=number,
        name=name,
        make=description.make,
        kind=description.kind,
        object_id=f"1.3.6.1.4.1.{description.object_id}",
        descr=description.descr,
        quirks=frozenset(description.quirks),
        bridge=description.bridge,
        ports=tuple(sorted(ports, key=lambda port: port.index)),
        has_lldp=description.lldp,
        storage=tuple((str(item[0]), int(item[1]), int(item[2])) for item in description.storage),
        sensors=tuple((str(item[0]), *map(int, item[1:4])) for item in description.sensors),  # type: ignore[misc]
        devices=tuple((str(item[0]), int(item[1])) for item in description.devices),
        processors=description.processors,
        objects=tuple(description.objects),
    )


def _rows(
    *,
    name: str,
    speed: str | int,
    long: str = "",
    first: int = 1,
    count: int = 1,
    index: int = 1,
    step: int = 1,
    type: str = "ethernet",  # noqa: A002 - a key of the descriptions
) -> Iterator[ZooPort]:
    """The ports of one line: `{}` is their number, `index` the first ifIndex, `step` its increment."""
    for place in range(count):
        label = name.replace("{}", str(first + place))
        yield ZooPort(
            name=label,
            label=label,
            descr=long.replace("{}", str(first + place)) or label,
            index=index + place * step,
            if_type=IF_TYPES[type],
            speed=_bps(speed),
            is_full=speed == FULL,
        )


def _state(name: str, description: _Description) -> State:
    if name in description.disabled:
        return "disabled"
    return "down" if name in description.down else "up"


def _with_traffic(device: ZooDevice, cables: Sequence[ZooLink]) -> ZooDevice:
    """Both ends of a cable count the same traffic; aggregates count that of their members."""
    rates: dict[str, tuple[float, float]] = {}
    for place, port in enumerate(device.ports):
        share = (1 + (device.number + place) % 5) / 100
        rate = share * min(port.speed, 10**9) if port.speed else 10**6 * share
        rates[port.name] = (rate, rate / 2) if port.state == "up" and port.if_type != LOOPBACK else (0.0, 0.0)
    for place, cable in enumerate(cables):
        for (node, name), is_first in ((cable.a, True), (cable.b, False)):
            if node == device.name:
                speed = device.port(name).speed
                forth, back = speed * (2 + place % 7) / 100, speed * (1 + place % 5) / 100
                rates[name] = (back, forth) if is_first else (forth, back)
    for port in device.ports:
        members = [rates[other.name] for other in device.ports if other.aggregate == port.name]
        if members:
            rates[port.name] = (sum(rate[0] for rate in members), sum(rate[1] for rate in members))
    ports = (replace(port, in_bps=rates[port.name][0], out_bps=rates[port.name][1]) for port in device.ports)
    return replace(device, ports=tuple(ports))


def _with_neighbours(
    devices: Mapping[str, ZooDevice],
    device: ZooDevice,
    description: _Description,
    cables: Sequence[ZooLink],
) -> ZooDevice:
    """Its neighbour tables, learnt addresses and LLDP neighbours."""
    far = {near: end for cable in cables for near, end in ((cable.a, cable.b), (cable.b, cable.a))}
    opposite = {
        port.name: far[device.name, port.name] for port in device.ports if (device.name, port.name) in far
    }
    learnt = [
        ZooLearnt(port, local_mac(LEARNT_MAC, device.number, device.port(port).index & 255, place))
        for port, number in description.learnt.items()
        for place in range(number)
    ]
    learnt += [
        ZooLearnt(port, mac)
        for port, (node, name) in opposite.items()
        if port not in description.learnt
        and device.port(port).is_bridged
        and not device.port(port).aggregate
        and (mac := devices[node].port(name).mac)
    ]
    peers = [
        ZooPeer(port, node, devices[node].chassis, devices[node].port(name).label)
        for port, (node, name) in opposite.items()
        if devices[node].has_lldp
    ]
    return replace(
        device,
        neighbours=tuple(
            entry
            for port, number in description.arp.items()
            for entry in _neighbours(devices, device, device.port(port), number)
        ),
        learnt=tuple(learnt) if device.bridge else (),
        peers=tuple(peers) if device.has_lldp else (),
    )


def _neighbours(
    devices: Mapping[str, ZooDevice], device: ZooDevice, port: ZooPort, number: int
) -> Iterator[ZooNeighbour]:
    """Other devices of the port's networks first, then hosts that are no nodes of the site."""
    for own in port.addresses:
        if own.ip.is_link_local or (own.version == 6 and device.quirks & {"old-arp", "mib2"}):
            continue
        macs = {
            str(address.ip): other.mac or local_mac(NEIGHBOUR_MAC, one.number, 0, 0)
            for one in devices.values()
            for other in one.ports
            for address in other.addresses
            if address.network == own.network and one.name != device.name
        }
        for host in counting(_first_host(own)):
            if len(macs) >= (number if own.version == 4 else min(number, 2)):
                break
            address = ip_address(int(own.network.network_address) + host)
            if address not in own.network:
                raise ValueError(f"{device.name} {port.name}: {own.network} has no {number} neighbours")
            if address != own.ip:
                macs.setdefault(str(address), f"06:5a:{address.packed[-4:].hex(':')}")
        for address_text, mac in list(macs.items())[:number]:
            yield ZooNeighbour(port.name, address_text, mac)


def _first_host(own: Address) -> int:
    """Hosts are numbered from 101 in networks that are large enough."""
    return 101 if own.network.num_addresses > 250 else 2 if own.network.num_addresses > 2 else 0
