"""Blocks of a route in a gated.conf, with their class and text.

Detection `checker`: one `static` statement. gated does not detect a dead gateway on a working port, so the
checker rewrites the block. Detection `protocol` depends on the protocols in the operator's file:

- RIP, or nothing: `import` statements rank the gateways that speak RIP; a gateway that is missing in the
  operator's `trustedgateways` gets a static route. Without the operator's `rip`, a listener of ours is added.
- Router discovery client: it has one preference for all routers, so the first gateway is learnt (55) and the
  others are static routes behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

from backstay.core.model.routing import Detection, Hop, NodeRouting, PolicyRoute
from backstay.core.planning.detection import unsupported
from backstay.core.rendering import blocks, marks, renderer
from backstay_gatedconf import Document
from backstay_gatedconf import static as statics
from backstay_gatedconf.control import DestinationRule, Import, Peers
from backstay_gatedconf.destinations import DEFAULT, Destination
from backstay_gatedconf.discovery import Discovery
from backstay_gatedconf.document import CONTROL, PROTOCOLS, STATIC, render_statement
from backstay_gatedconf.rip import Rip, RipPorts

LISTENER = ("(rip)", "0.0.0.0/0")


@dataclass(frozen=True, slots=True)
class RouteBlock:
    """One block of the file."""

    name: blocks.Name
    order: int
    """The class of its statements."""
    content: str


def parts(routing: NodeRouting, route: PolicyRoute, operator: Document | None) -> list[RouteBlock]:
    """The route's own block comes first."""
    marks.check_route(route)
    if route.prefix.version != 4:
        raise ValueError(f"{routing.node} runs gated, which cannot route {route.prefix}: IPv4 only")
    if route.detection is Detection.BFD:
        raise ValueError(f"{routing.node} {unsupported(route.detection, routing.engine)}")
    name = renderer.name_of(route)
    if route.detection is Detection.CHECKER:
        return [RouteBlock(name, STATIC, _static(route, route.hops))]
    if operator is not None and _client(operator) and not _rip_is_on(operator):
        return [RouteBlock(name, STATIC, _behind_discovery(routing, route))]
    silent = [hop for hop in route.hops if operator is not None and not _speaks(hop, operator)]
    imports = RouteBlock(name, CONTROL, _imports(route, [hop for hop in route.hops if hop not in silent]))
    fallback = RouteBlock((f"{route.policy} (static)", name[1]), STATIC, _static(route, silent))
    return [imports, fallback] if silent else [imports]


def listener(routing: NodeRouting, operator: Document) -> list[RouteBlock]:
    """A RIP listener on the routes' ports, for a file without a protocol. Raises ValueError."""
    spoken = [route for route in routing.routes if route.detection is Detection.PROTOCOL]
    if not spoken or _client(operator) or _rip_is_on(operator):
        return []
    if any(isinstance(value, Rip) for value in operator.values):
        raise ValueError(f"{routing.node} has `rip no;`: turn RIP on there, or choose the checker")
    hops = [hop for route in spoken for hop in route.hops]
    ports = tuple(
        RipPorts((port,), sends=False, version="2") for port in dict.fromkeys(hop.port for hop in hops)
    )
    trusted = tuple(dict.fromkeys(IPv4Address(hop.address) for hop in hops))
    value = Rip(True, ("nobroadcast",), ports=ports, trusted=trusted)
    return [RouteBlock(LISTENER, PROTOCOLS, f"{render_statement(value)}\n")]


def advice(routing: NodeRouting, operator: Document) -> Iterator[str]:
    """Effects of protocol detection beyond the policy's prefix, and its requirements."""
    node = routing.node
    if _rip_is_on(operator):
        imports = [
            value for value in operator.values if isinstance(value, Import) and value.protocol == "rip"
        ]
        if not imports:
            yield (
                f"{node} accepts everything from RIP today; with our `import` it accepts only what an import "
                "names: add imports for everything else that it needs."
            )
    elif _client(operator):
        yield (
            f"{node} learns its first gateway by router discovery: it is dropped when the advertisement's "
            "lifetime is over, 30 minutes unless the routers say `maxadvinterval 4 lifetime 12`."
        )
    for route in routing.routes:
        first = route.hops[0]
        if route.detection is Detection.PROTOCOL and _rip_is_on(operator) and not _speaks(first, operator):
            yield (
                f"{node} does not trust {first.gateway} in RIP, so its static route stays while the port is "
                f"up: add {first.address} to `trustedgateways`."
            )


def _static(route: PolicyRoute, hops: Sequence[Hop]) -> str:
    """`retain`: the routes stay when gated ends."""
    network = IPv4Network(route.prefix)
    routes = tuple(
        statics.StaticRoute(
            network, (IPv4Address(hop.address),), preference=hop.preference, flags=("retain",)
        )
        for hop in hops
    )
    return render_statement(statics.StaticStatement(routes)) + "\n"


def _imports(route: PolicyRoute, hops: Sequence[Hop]) -> str:
    network = IPv4Network(route.prefix)
    exact = Destination(network) if network.prefixlen in (0, 32) else Destination(network, "exact")
    values = [
        Import("rip", Peers(gateways=(IPv4Address(hop.address),)), hop.preference, (DestinationRule(exact),))
        for hop in hops
    ]
    return "".join(f"{render_statement(value)}\n" for value in values)


def _behind_discovery(routing: NodeRouting, route: PolicyRoute) -> str:
    if route.prefix != DEFAULT:
        raise ValueError(
            f"{routing.node} runs a router discovery client, which learns default routes only, "
            f"not {route.prefix}: choose the checker"
        )
    first, *others = route.hops
    learnt = f"# routerdiscovery learns {first.address}, ranked {first.preference}\n"
    return learnt + (_static(route, others) if others else "")


def _client(operator: Document) -> bool:
    return any(
        isinstance(value, Discovery) and value.role == "client" and value.on for value in operator.values
    )


def _rip_is_on(operator: Document) -> bool:
    return any(isinstance(value, Rip) and value.on for value in operator.values)


def _speaks(hop: Hop, operator: Document) -> bool:
    """True, unless the operator's RIP trusts only other gateways."""
    trusted = [address for value in operator.values if isinstance(value, Rip) for address in value.trusted]
    return not trusted or hop.address in trusted
