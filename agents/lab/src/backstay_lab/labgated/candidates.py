"""Candidates of every prefix, from a configuration and the known state. Pure.

This module implements gated's well-known trap: a static route is a candidate while one of its gateways is
in the network of a port that is up, whether or not the gateway is alive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network

from backstay_gatedconf.control import DestinationRule, Import
from backstay_gatedconf.static import StaticRoute
from backstay_lab.labgated.config import DOWN, KERNEL, REMNANT, Config, static_preference
from backstay_lab.labgated.rip import Learned
from backstay_lab.labgated.values import GatedHop, GatedPort, GatedRoute, KernelRoute, Kind

_DEFAULT = IPv4Network("0.0.0.0/0")


@dataclass
class World:
    """labgated's input besides its configuration."""

    ports: Sequence[GatedPort] = ()
    foreign: Sequence[KernelRoute] = ()
    """Kernel routes installed by other programs."""
    remnants: Sequence[KernelRoute] = ()
    """Routes of an earlier gated, found at the start."""
    learned: Sequence[Learned] = ()
    routers: dict[IPv4Address, float] = field(default_factory=dict)
    """Advertised routers, and since when."""


def candidates(config: Config, world: World, now: float) -> list[GatedRoute]:
    """Every candidate; `since` is when it was received, or `now` for routes without a time of their own."""
    found = [
        *_direct(config, world.ports, now),
        *_statics(config, world.ports, now),
        *_kernel(world, now),
        *_rip(config, world),
        *_discovered(config, world),
    ]
    return list({route.key: route for route in sorted(found, key=lambda route: -route.preference)}.values())


def _direct(config: Config, ports: Iterable[GatedPort], now: float) -> Iterator[GatedRoute]:
    for port in ports:
        rule = next((item for item in config.port_rules if port.meant_by(item.names)), None)
        preference, down = 0, DOWN
        if rule:
            preference = rule.preference or 0
            down = DOWN if rule.down_preference is None else rule.down_preference
            down = preference if "passive" in rule.flags else down
        for address in port.addresses:
            hop = GatedHop(address.ip, port.name, address.ip, gateway=False)
            chosen = preference if port.up else down
            yield GatedRoute(address.network, "Direct", chosen, hop, now, retain=True)


def _statics(config: Config, ports: Sequence[GatedPort], now: float) -> Iterator[GatedRoute]:
    for static in config.statics:
        kind = _static_kind(static)
        hop = _static_hop(static, ports, kind)
        if hop is not None:
            yield GatedRoute(
                static.network,
                "Static",
                static_preference(static),
                hop,
                now,
                kind=kind,
                install="noinstall" not in static.flags,
                retain="retain" in static.flags,
            )


def _static_kind(static: StaticRoute) -> Kind:
    if "blackhole" in static.flags:
        return "blackhole"
    return "unreachable" if "reject" in static.flags else "unicast"


def _static_hop(static: StaticRoute, ports: Sequence[GatedPort], kind: Kind) -> GatedHop | None:
    """The first gateway on a port that is up; None: the route is no candidate."""
    usable = [port for port in ports if port.up]
    if not static.gateways:
        named = (port for port in usable if port.meant_by(static.interfaces) and port.addresses)
        port = next(named, None)
        own = port.addresses[0].ip if port else None
        return GatedHop(own, port.name, own, gateway=False) if port and own else None
    for gateway in static.gateways:
        hop = attached(gateway, usable, static.interfaces)
        if hop is not None:
            return hop
    return GatedHop(static.gateways[0]) if kind != "unicast" else None


def attached(
    gateway: IPv4Address, ports: Iterable[GatedPort], among: tuple[str, ...] = ()
) -> GatedHop | None:
    """The next hop to a neighbour through one of these ports."""
    for port in ports:
        source = port.attached(gateway)
        if source is not None and (not among or port.meant_by(among)):
            return GatedHop(gateway, port.name, source.ip)
    return None


def _kernel(world: World, now: float) -> Iterator[GatedRoute]:
    names = {port.index: port for port in world.ports}
    for preference, routes in ((KERNEL, world.foreign), (REMNANT, world.remnants)):
        for route in routes:
            port = names.get(route.port)
            own = port.addresses[0].ip if port and port.addresses else None
            address = route.gateway or own or IPv4Address("127.0.0.1")
            hop = GatedHop(address, port.name if port else "", own, gateway=route.gateway is not None)
            yield GatedRoute(
                route.prefix, "Kernel", preference, hop, now, kind=route.kind, retain=preference == KERNEL
            )


def _rip(config: Config, world: World) -> Iterator[GatedRoute]:
    if not config.rip.on:
        return
    ports = {port.name: port for port in world.ports}
    for item in world.learned:
        preference = imported(config, "rip", item.prefix, item.neighbour, ports.get(item.port))
        if preference is None:
            continue
        hop = attached(item.via, [port for port in world.ports if port.name == item.port and port.up])
        lost = item.deleted is not None or hop is None
        yield GatedRoute(
            item.prefix,
            "RIP",
            config.rip_preference if preference < 0 else preference,
            hop or GatedHop(item.via),
            item.received_at,
            metric=item.metric,
            deleted=lost,
        )


def _discovered(config: Config, world: World) -> Iterator[GatedRoute]:
    if not config.discovery.on:
        return
    usable = [port for port in world.ports if port.up]
    for router, since in world.routers.items():
        hop = attached(router, usable)
        if hop is not None:
            yield GatedRoute(_DEFAULT, "ICMP", config.discovery_preference, hop, since)


def imported(
    config: Config, protocol: str, prefix: IPv4Network, neighbour: IPv4Address, port: GatedPort | None
) -> int | None:
    """The preference that `import` gives a learned route: None refuses it, -1 keeps the protocol's.

    A statement for the gateway precedes one for the interface, which precedes one for all; within it the
    longest matching filter decides. If there are import statements, routes that match none are refused.
    """
    if not config.accepts(prefix):
        return None
    known = [item for item in config.imports if item.protocol == protocol]
    if not known:
        return -1
    fitting = [item for item in known if neighbour in item.peers.gateways]
    fitting += [item for item in known if port is not None and port.meant_by(item.peers.interfaces)]
    fitting += [item for item in known if not item.peers.gateways and not item.peers.interfaces]
    for statement in fitting:
        if statement.restrict or not statement.rules:
            return None
        verdict = _verdict(statement, prefix)
        if verdict is not None:
            return None if verdict == _REFUSED else verdict
    return None


_REFUSED = -2


def _verdict(statement: Import, prefix: IPv4Network) -> int | None:
    found = [rule for rule in statement.rules if rule.to.matches(prefix)]
    if not found:
        return None
    best = max(found, key=_specificity)
    if best.restrict:
        return _REFUSED
    chosen = best.value if best.value is not None else statement.preference
    return -1 if chosen is None else chosen


def _specificity(rule: DestinationRule) -> tuple[int, bool]:
    """`default` is more specific than `all`, and `exact` more than the same network without it."""
    return -1 if rule.to.network is None else rule.to.network.prefixlen, rule.to.match == "exact"
