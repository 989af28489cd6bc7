"""Routings for renderer tests: explicit ones and Hypothesis strategies."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from hypothesis import strategies as st

from backstay.core.model.routing import (
    Address,
    Detection,
    Engine,
    EngineKind,
    Hop,
    NodeRouting,
    PolicyRoute,
    RunningRoute,
)
from backstay.core.rendering import contents

GRF, ATM = ("grf1", "10.1.0.201"), ("atm-gw", "10.1.0.15")


def engine(kind: EngineKind, version: str = "10.1") -> Engine:
    return Engine(kind, f"/etc/{kind}.conf", version=version)


def route(
    prefix: str = "0.0.0.0/0",
    *gateways: tuple[str, str],
    policy: str = "sp-default",
    detection: Detection = Detection.CHECKER,
    port: str = "css0",
    ports: tuple[str, ...] = (),
) -> PolicyRoute:
    """Gateways as (name, address) in order; default: GRF and ATM. `ports`: one for each."""
    hops = tuple(
        Hop(name, place, ip_address(address), ports[place] if ports else port, 60 + 10 * place)
        for place, (name, address) in enumerate(gateways or (GRF, ATM))
    )
    return PolicyRoute(policy, ip_network(prefix), hops, detection)


def routing(kind: EngineKind, *routes: PolicyRoute, version: str = "10.1") -> NodeRouting:
    return NodeRouting("sp05", 5, engine(kind, version), routes)


def block(value: NodeRouting, policy_route: PolicyRoute) -> str:
    """The block content of one route."""
    return contents(value, [policy_route])[0]


def paths(routes: tuple[RunningRoute, ...]) -> dict[str, list[tuple[str, int]]]:
    """Prefix -> (gateway, preference), best first."""
    return {str(item.prefix): [(str(hop.address), hop.preference) for hop in item.hops] for item in routes}


def wanted(value: NodeRouting) -> dict[str, list[tuple[str, int]]]:
    """The same for the requested routes."""
    return {
        str(item.prefix): [(str(hop.address), hop.preference) for hop in item.hops] for item in value.routes
    }


_names = st.from_regex(r"[a-z][a-z0-9]{0,6}([-_.][a-z0-9]{1,4})?", fullmatch=True)
_ports = st.sampled_from(["css0", "ml0", "eth0.100", "hip0", "en1"])
_v4 = st.integers(0x0A010001, 0x0A01FFFE).map(IPv4Address)
_v6 = st.integers(1, 2**32).map(lambda host: IPv6Address((0x20010DB8 << 96) + host))


@st.composite
def routes(draw: st.DrawFn, *, version: int | None = None) -> PolicyRoute:
    """A checker's route with two to four gateways."""
    family = draw(st.sampled_from([4, 6])) if version is None else version
    bits = 32 if family == 4 else 128
    length = draw(st.integers(0, bits))
    head = draw(st.integers(0, 2**bits - 1)) >> (bits - length) << (bits - length)
    prefix = ip_network((head, length)) if family == 4 else ip_network((head.to_bytes(16, "big"), length))
    addresses: st.SearchStrategy[Address] = _v4 if family == 4 else _v6
    found = draw(st.lists(addresses, min_size=1, max_size=4, unique=True))
    hops = tuple(
        Hop(f"{draw(_names)}{place}", place, address, draw(_ports), 60 + 10 * place)
        for place, address in enumerate(found)
    )
    return PolicyRoute(draw(_names), prefix, hops, Detection.CHECKER)


def routings(kind: EngineKind) -> st.SearchStrategy[NodeRouting]:
    """A node's routes, each with its own prefix; IPv4 only for gated."""
    version = 4 if kind is EngineKind.GATED else None
    return st.lists(routes(version=version), max_size=4, unique_by=lambda item: item.prefix).map(
        lambda found: routing(kind, *found)
    )
