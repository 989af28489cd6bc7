"""A host's kernel routes, sessions with the controller, forwarding settings, VRFs and policy rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address

from backstay.core.model.routing import Address, Prefix


@dataclass(frozen=True, slots=True)
class ControllerSession:
    """An address of the controller, and the address that the host sends from; None: no route to it."""

    address: Address
    source: Address | None


@dataclass(frozen=True, slots=True)
class PortNetwork:
    """One port; None: unknown."""

    vrf: str = ""
    forwards_ipv4: bool | None = None
    forwards_ipv6: bool | None = None
    rp_filter: int | None = None
    """1 strict, 2 loose (ip-sysctl)."""

    def forwards(self, version: int) -> bool | None:
        """Whether packets of this IP version that arrive here are forwarded."""
        return self.forwards_ipv4 if version == 4 else self.forwards_ipv6


@dataclass(frozen=True, slots=True)
class PolicyRule:
    """A rule of ip-rule(8) that the kernel does not begin with."""

    version: int
    priority: int
    source: Prefix | None
    destination: Prefix | None
    selector: str
    action: str

    @property
    def text(self) -> str:
        """`100: from 10.1.0.0/24 lookup 100`."""
        source = f"from {self.source or 'all'}"
        destination = f"to {self.destination}" if self.destination else ""
        parts = (source, destination, self.selector, self.action)
        return f"{self.priority}: " + " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class KernelRoute:
    """A route of the main table; each next hop is (gateway, port), None: the destination is on-link."""

    prefix: Prefix
    metric: int
    hops: tuple[tuple[Address | None, str], ...]
    protocol: str = ""
    """Who set it, by its name in rt_protos; empty: unknown."""

    @property
    def on_link(self) -> bool:
        return any(via is None for via, _ in self.hops)


@dataclass(frozen=True, slots=True)
class HostNetwork:
    """One host, as its own agent reported it."""

    controllers: tuple[ControllerSession, ...] = ()
    resolvers: tuple[Address, ...] = ()
    ports: Mapping[str, PortNetwork] = field(default_factory=dict)
    rules: tuple[PolicyRule, ...] = ()
    routes: tuple[KernelRoute, ...] | None = None
    """Routes that cover an address of interest to a plan; None: the main table was not reported."""
    fresh: bool = True
    """Whether the host reports now; otherwise this is what it reported last."""


def best_route(routes: Iterable[KernelRoute], wanted: Address | Prefix) -> KernelRoute | None:
    """The route that the kernel uses: the longest prefix, then the lowest metric."""
    found = [route for route in routes if covers(route.prefix, wanted)]
    return min(found, key=lambda route: (-route.prefix.prefixlen, route.metric), default=None)


def covers(prefix: Prefix, wanted: Address | Prefix) -> bool:
    """Whether the prefix contains the address or the whole network; false across IP versions."""
    if prefix.version != wanted.version:
        return False
    if isinstance(wanted, IPv4Address | IPv6Address):
        first, length = int(wanted), int(wanted.max_prefixlen)
    else:
        first, length = int(wanted.network_address), wanted.prefixlen
    shift = prefix.max_prefixlen - prefix.prefixlen
    return prefix.prefixlen <= length and first >> shift == int(prefix.network_address) >> shift
