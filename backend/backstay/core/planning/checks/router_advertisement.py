"""Check for routes that a router advertisement set beside a planned one: the kernel adds and removes them."""

from __future__ import annotations

from backstay.core.model.host_network import KernelRoute
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import by_number, passed, some, warning
from backstay.core.planning.proposal import Proposal

NAME = "router_advertisement"
_PROTOCOL = "ra"
"""RTPROT_RA, as agents report it."""


def check(proposal: Proposal) -> list[Finding]:
    """Nodes whose kernel takes a planned prefix from router advertisements (RFC 4861, RFC 4191)."""
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for routing, route in proposal.planned():
        host = proposal.observation.hosts.get(routing.node_id)
        for known in (host.routes or ()) if host else ():
            if known.protocol == _PROTOCOL and known.prefix == route.prefix:
                key = (route.policy, str(route.prefix), _hops(known), known.hops[0][1])
                found.setdefault(key, []).append(routing.node)
    return [_finding(*key, nodes) for key, nodes in found.items()] or passed(
        NAME, "No router advertisement has set a route to a planned prefix."
    )


def _hops(route: KernelRoute) -> str:
    hops = ", ".join(f"{via} dev {port}" if via else f"dev {port}" for via, port in route.hops)
    return f"via {hops}, metric {route.metric}"


def _finding(policy: str, prefix: str, hops: str, port: str, nodes: list[str]) -> Finding:
    text = (
        f"{some(nodes)} also {by_number(nodes, 'has', 'have')} {prefix} by a router advertisement ({hops}) "
        f"beside {policy}: nobody plans or watches it, and it carries packets while no gateway of the policy "
        f"does. Set net.ipv6.conf.{port}.accept_ra = 0, or accept it."
    )
    return warning(NAME, text, nodes)
