"""Live routes: the kernel's main table, kept up to date from events, and each step's difference."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from backstay_wire import Route

Prefix = IPv4Network | IPv6Network
Key = tuple[int, str]
"""(metric, protocol): the kernel's key for routes of one prefix, as far as the wire carries it."""


@dataclass(slots=True)
class Delta:
    """Changes of one step; a route added and removed within it is in neither list."""

    added: list[Route] = field(default_factory=list)
    removed: list[Route] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


@dataclass(frozen=True, slots=True)
class Put:
    """A route was added; with `replaces`, it replaced those with its prefix and metric."""

    route: Route
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Drop:
    """The route with this prefix, metric and protocol is gone."""

    prefix: Prefix
    metric: int
    protocol: str


Change = Put | Drop


class RouteTable:
    """Routes by prefix, metric and protocol."""

    def __init__(self) -> None:
        self._routes: dict[Prefix, dict[Key, Route]] = {}

    def all(self) -> list[Route]:
        """Every route, ordered by prefix, metric and protocol within a prefix's insertion order."""
        return [route for routes in self._routes.values() for _, route in sorted(routes.items())]

    def apply(self, changes: Iterable[Change]) -> Delta:
        """Apply events in order; returns their combined difference."""
        steps = list(changes)
        touched = {step.route.prefix if isinstance(step, Put) else step.prefix for step in steps}
        before = {prefix: dict(self._routes.get(prefix, {})) for prefix in touched}
        for step in steps:
            if isinstance(step, Put):
                self._put(step)
            else:
                self._drop(step)
        return self._difference(before)

    def replace_all(self, routes: Iterable[Route]) -> Delta:
        """Replace the table by a whole dump; returns the difference."""
        before = self._routes
        self._routes = {}
        for route in routes:
            self._put(Put(route))
        return self._difference({prefix: before.get(prefix, {}) for prefix in before.keys() | self._routes})

    def best(self, prefix: Prefix) -> Route | None:
        """The route of a packet to `prefix`: longest covering prefix, then lowest metric."""
        for length in range(prefix.prefixlen, -1, -1):
            routes = self._routes.get(prefix.supernet(new_prefix=length))
            if routes:
                return min(routes.items())[1]
        return None

    def _put(self, step: Put) -> None:
        routes = self._routes.setdefault(step.route.prefix, {})
        if step.replaces:
            for key in [key for key in routes if key[0] == step.route.metric]:
                del routes[key]
        routes[step.route.metric, step.route.protocol] = step.route

    def _drop(self, step: Drop) -> None:
        routes = self._routes.get(step.prefix, {})
        routes.pop((step.metric, step.protocol), None)
        if not routes:
            self._routes.pop(step.prefix, None)

    def _difference(self, before: dict[Prefix, dict[Key, Route]]) -> Delta:
        delta = Delta()
        for prefix, old in before.items():
            new = self._routes.get(prefix, {})
            delta.added += [route for key, route in new.items() if old.get(key) != route]
            delta.removed += [route for key, route in old.items() if key not in new]
        return delta


def gateway_in_use(route: Route | None, gateways: Iterable[tuple[str, IPv4Address | IPv6Address]]) -> str:
    """Name of the first gateway (in order of preference) that is a next hop of `route`; "" if none is."""
    if route is None:
        return ""
    hops = {hop.via for hop in route.next_hops}
    return next((name for name, address in gateways if address in hops), "")
