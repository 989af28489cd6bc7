"""Hand-written statements about a policy's prefix, which move into its block or conflict with it."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network

from backstay.core.model.routing import Detection, NodeRouting, PolicyRoute
from backstay.core.rendering import renderer
from backstay_gatedconf import ConfError, Document, Statement
from backstay_gatedconf.control import DestinationRule, Import
from backstay_gatedconf.destinations import DEFAULT
from backstay_gatedconf.static import StaticRoute, StaticStatement

Span = tuple[int, int]


def taken_over(routing: NodeRouting, operator: Document) -> Iterator[Span]:
    """Static routes via a gateway, and for protocols the import rules of our gateways.

    A statement without remaining parts is removed completely. Raises ConfError for an import that covers
    more.
    """
    about = renderer.prefixes(routing)
    for statement in operator.statements:
        value = statement.value
        if isinstance(value, StaticStatement):
            gone = [
                span
                for route, span in zip(value.routes, statement.parts, strict=True)
                if route.network in about and forwards(route)
            ]
            yield from _whole(operator, statement, gone)
        elif isinstance(value, Import):
            yield from _whole(operator, statement, list(_rules(routing, statement, value)))


def forwards(route: StaticRoute) -> bool:
    """Whether the route has a usable gateway."""
    return bool(route.gateways) and not {"reject", "blackhole"} & set(route.flags)


def _whole(operator: Document, statement: Statement, gone: list[Span]) -> list[Span]:
    has_comment = any(statement.start < start < statement.end for start, _ in operator.comments)
    if gone and len(gone) == len(statement.parts) and not has_comment:
        return [(statement.start, statement.end)]
    return gone


def _rules(routing: NodeRouting, statement: Statement, value: Import) -> Iterator[Span]:
    for route in routing.routes:
        ours = {hop.address for hop in route.hops}
        if route.detection is not Detection.PROTOCOL or not ours & set(value.peers.gateways):
            continue
        if value.restrict:
            raise _conflict(statement, route)
        spans = statement.parts or ((statement.start, statement.end),)
        for rule, span in zip(value.rules, spans, strict=True):
            if _covers(rule, IPv4Network(route.prefix)):
                if not _only(rule) or not set(value.peers.gateways) <= ours:
                    raise _conflict(statement, route)
                yield span


def _conflict(statement: Statement, route: PolicyRoute) -> ConfError:
    return ConfError(
        f"the statement imports {route.prefix} from a gateway of {route.policy}, and more: take that prefix "
        "out, so that the policy can rank it",
        statement.line,
    )


def _covers(rule: DestinationRule, network: IPv4Network) -> bool:
    if rule.to.network is None or rule.to.network == network:
        return rule.to.match != "refines"
    return rule.to.match != "exact" and rule.to.network != DEFAULT and network.subnet_of(rule.to.network)


def _only(rule: DestinationRule) -> bool:
    """Whether the rule covers only one prefix: the default route, a host, or a network exactly."""
    single = rule.to.network is not None and rule.to.network.prefixlen in (0, 32)
    return (single or rule.to.match == "exact") and not rule.restrict
