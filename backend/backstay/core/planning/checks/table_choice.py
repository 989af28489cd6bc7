"""Check that the main table and one next hop at a time decide: no policy rules, VRFs or multipath routes, and
no routes of router advertisements, which the kernel adds and removes by itself.

Backstay plans ordered routes of the main table. Where something else decides, a plan would be silently wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from backstay.core.model.host_network import HostNetwork, PolicyRule, covers
from backstay.core.model.plan import Finding, Level
from backstay.core.model.routing import NodeRouting, PolicyRoute
from backstay.core.planning.checks.finding import passed, some
from backstay.core.planning.proposal import Proposal

NAME = "table_choice"
_MAIN_RULE = 32766
"""Priority of the rule that looks the main table up; later ones decide only where it has no route."""
_HARMLESS = frozenset({"lookup main", "lookup local", "nop"})
_ADVERTISED = "ra"
"""RTPROT_RA, as agents report it."""
_Problem = tuple[Level, str]


def check(proposal: Proposal) -> list[Finding]:
    """Nodes where a rule, a VRF or several equal next hops decide about a planned prefix."""
    found: dict[_Problem, list[str]] = {}
    for routing in proposal.desired.routings.values():
        for problem in dict.fromkeys(_problems(proposal, routing)):
            found.setdefault(problem, []).append(routing.node)
    findings = [
        Finding(NAME, level, text.format(nodes=some(nodes)), tuple(nodes))
        for (level, text), nodes in found.items()
    ]
    return findings or passed(
        NAME, "The main table decides on every node, and no planned prefix has several equal next hops."
    )


def _problems(proposal: Proposal, routing: NodeRouting) -> Iterator[_Problem]:
    host = proposal.observation.hosts.get(routing.node_id)
    for route in routing.routes:
        if why := _multipath(proposal, routing, route):
            yield "failed", why
        if host is not None:
            yield from (("failed", text) for text in _overridden(host, route))
            yield from (("warning", text) for text in _advertised(host, route))
    if host is None and routing.routes:
        text = (
            "The agent of {nodes} has not reported its controller, DNS servers, VRFs and policy rules: "
            "update the agent, or accept that they are unproven."
        )
        yield "warning", text


def _multipath(proposal: Proposal, routing: NodeRouting, route: PolicyRoute) -> str:
    """A prefix that Backstay manages already is only drift, which a plan may repair."""
    confirmed, observed = proposal.confirmed.get(routing.node_id), proposal.observed.get(routing.node_id)
    if confirmed is not None and any(known.prefix == route.prefix for known in confirmed.routes):
        return ""
    running = [item for item in (observed.routes if observed else ()) if item.prefix == route.prefix]
    for item in running:
        preference, many = Counter(hop.preference for hop in item.hops).most_common(1)[0]
        if many > 1:
            hops = ", ".join(str(hop.address) for hop in item.hops if hop.preference == preference)
            return (
                f"{{nodes}} balances {route.prefix} over {many} equal next hops (ECMP: {hops}), and "
                f"{route.policy} would replace them by an order. Remove the multipath route first."
            )
    return ""


def _overridden(host: HostNetwork, route: PolicyRoute) -> Iterator[str]:
    for rule in host.rules:
        if _decides(rule, route):
            yield (
                f"{{nodes}} uses policy routing (rule {rule.text}), which decides about {route.prefix} "
                f"before the main table, and {route.policy} changes only that. Remove the rule first."
            )
    for hop in route.hops:
        port = host.ports.get(hop.port)
        if port is not None and port.vrf:
            yield (
                f"{{nodes}} has {hop.port} in VRF {port.vrf}, whose table {route.policy} does not change: "
                f"{route.prefix} via {hop.gateway} cannot be planned. Use a port outside of the VRF."
            )


def _advertised(host: HostNetwork, route: PolicyRoute) -> Iterator[str]:
    """Routes to the prefix by router advertisements (RFC 4861, RFC 4191)."""
    for known in host.routes or ():
        if known.protocol != _ADVERTISED or known.prefix != route.prefix:
            continue
        hops = ", ".join(f"via {via} dev {port}" if via else f"dev {port}" for via, port in known.hops)
        yield (
            f"{{nodes}} also has {route.prefix} by router advertisements ({hops}, metric {known.metric}). "
            f"That route is neither planned nor monitored, and carries packets while no gateway of "
            f"{route.policy} does. Set net.ipv6.conf.{known.hops[0][1]}.accept_ra = 0, or accept it."
        )


def _decides(rule: PolicyRule, route: PolicyRoute) -> bool:
    """Whether the rule may take packets to the prefix away from the main table."""
    if rule.version != route.prefix.version or rule.priority >= _MAIN_RULE:
        return False
    if rule.action in _HARMLESS and "suppress_prefixlength" not in rule.selector:
        return False
    other = rule.destination
    return other is None or covers(other, route.prefix) or covers(route.prefix, other)
