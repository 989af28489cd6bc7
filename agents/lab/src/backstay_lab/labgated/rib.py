"""The routing table: candidates by prefix, the active and the previous one, and their age. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Network

from backstay_lab.labgated.values import GatedPort, GatedRoute, KernelRoute


@dataclass(frozen=True)
class Chosen:
    """A prefix's candidates in order, the active one, and a formerly active one being deleted."""

    prefix: IPv4Network
    routes: tuple[GatedRoute, ...]
    active: GatedRoute | None
    before: GatedRoute | None = None


@dataclass
class Rib:
    """Keeps the history between choices."""

    _since: dict[tuple[object, ...], float] = field(default_factory=dict)
    _active: dict[IPv4Network, tuple[object, ...]] = field(default_factory=dict)
    _before: dict[IPv4Network, tuple[object, ...]] = field(default_factory=dict)
    table: list[Chosen] = field(default_factory=list)

    def choose(self, candidates: Iterable[GatedRoute]) -> list[Chosen]:
        """The new table: each prefix's best candidate that is not deleted is active."""
        routes = [self._dated(route) for route in candidates]
        self._since = {route.key: route.since for route in routes}
        by_prefix: dict[IPv4Network, list[GatedRoute]] = {}
        for route in sorted(routes, key=lambda route: route.order):
            by_prefix.setdefault(route.prefix, []).append(route)
        self.table = [self._chosen(prefix, by_prefix[prefix]) for prefix in sorted(by_prefix)]
        self._active = {item.prefix: item.active.key for item in self.table if item.active}
        return self.table

    def _dated(self, route: GatedRoute) -> GatedRoute:
        """Static and direct candidates are dated by first sight, RIP's by their last change."""
        if route.protocol in {"RIP", "ICMP"}:
            return route
        return replace(route, since=self._since.get(route.key, route.since))

    def _chosen(self, prefix: IPv4Network, routes: list[GatedRoute]) -> Chosen:
        active = routes[0] if not routes[0].deleted else None
        last = self._active.get(prefix)
        if last is not None and (active is None or active.key != last):
            self._before[prefix] = last
        was = self._before.get(prefix)
        before = next((route for route in routes if route.key == was and route.deleted), None)
        if before is None:
            self._before.pop(prefix, None)
        return Chosen(prefix, tuple(routes), active, before)

    def wanted(self, ports: Iterable[GatedPort]) -> dict[IPv4Network, KernelRoute]:
        """The wanted kernel routes: each prefix's active route, if we install it."""
        indexes = {port.name: port.index for port in ports}
        found = {}
        for item in self.table:
            route = item.active
            if route is None or not route.install or route.protocol == "Direct":
                continue
            if route.protocol == "Kernel" and route.retain:
                continue  # not ours, and already in the kernel
            found[item.prefix] = kernel_route(route, indexes)
        return found

    def kept(self) -> set[IPv4Network]:
        """Prefixes whose routes stay in the kernel at exit (`retain`)."""
        return {item.prefix for item in self.table if item.active is not None and item.active.retain}


def kernel_route(route: GatedRoute, indexes: dict[str, int]) -> KernelRoute:
    """The kernel's form of the route."""
    if route.kind != "unicast":
        return KernelRoute(route.prefix, kind=route.kind)
    gateway = route.hop.address if route.hop.gateway else None
    return KernelRoute(route.prefix, gateway, indexes.get(route.hop.port, 0))
