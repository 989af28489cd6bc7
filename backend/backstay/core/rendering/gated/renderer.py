"""gated.conf: our marked blocks in gated's statement order, and the operator's own statements.

Statics, imports and listeners are statements of three classes that must not be mixed. So a route may have a
second block, `POLICY (static)`, and all routes share the listener's, `(rip)`. gated 3.x routes IPv4 only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_address, ip_network

from backstay.core.model.routing import Detection, NodeRouting, PolicyRoute, Prefix, RunningRoute
from backstay.core.rendering import blocks, marks, renderer, saved
from backstay.core.rendering.gated import placement, route_blocks
from backstay.core.rendering.gated.takeover import forwards, taken_over
from backstay_gatedconf import ConfError, Document, parse
from backstay_gatedconf import static as statics
from backstay_gatedconf.control import Import
from backstay_gatedconf.document import CONTROL, PROTOCOLS, STATIC, Other
from backstay_gatedconf.redirect import Redirect

_LEARNT = re.compile(r"# routerdiscovery learns (\S+), ranked (\d+)")


def contents(routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
    """Assumes that every gateway runs RIP, because the operator's file is not known."""
    return [route_blocks.parts(routing, route, None)[0].content for route in routes]


def render(routing: NodeRouting, current: str) -> str:
    """Blocks keep their position if the statement order allows it."""
    marks.check(routing)
    placement.check(current)
    operator = parse(blocks.masked(current))
    parts = [part for route in routing.routes for part in route_blocks.parts(routing, route, operator)]
    parts += route_blocks.listener(routing, operator)
    text = blocks.cut(current, taken_over(routing, operator))
    text = renderer.drop_foreign(text, [part.name for part in parts])
    try:
        placed = _placed(text, parts)
        parse(placed)
    except ConfError:
        # A block's new statements are not allowed at its position: place all blocks again.
        placed = _placed(renderer.drop_foreign(text, []), parts)
        parse(placed)
    return placed


def saved_routes(text: str) -> tuple[RunningRoute, ...]:
    """Static routes via a gateway, and the gateways that our blocks rank for a protocol."""
    placement.check(text)
    return saved.routes([*_statics(parse(text)), *_ranked(text)])


def validation_errors(text: str) -> list[str]:
    """Syntax and order errors, and blocks inside other statements."""
    return renderer.refused(lambda: saved_routes(text))


def advice(routing: NodeRouting, current: str) -> list[str]:
    """ICMP redirects, included files, routes that precede ours, and side effects of a protocol."""
    operator = parse(blocks.masked(current))
    found = renderer.rivals(routing, _elsewhere(current, operator))
    if not any(isinstance(value, Redirect) and not value.on for value in operator.values):
        found.append(
            f"{routing.node} accepts ICMP redirects, which override static routes for three minutes: add "
            "`redirect no;`."
        )
    if any(isinstance(value, Other) and value.tokens[0] == "%include" for value in operator.values):
        found.append(f"{routing.engine.config} of {routing.node} includes other files, which are not read.")
    if any(route.detection is Detection.PROTOCOL for route in routing.routes):
        found += route_blocks.advice(routing, operator)
    return found


def _placed(text: str, parts: Sequence[route_blocks.RouteBlock]) -> str:
    there = {item.name for item in blocks.find(text)}
    text = blocks.replace_all(text, {part.name: part.content for part in parts})
    fresh = sorted((part for part in parts if part.name not in there), key=lambda part: part.order)
    # Imports go after static routes, before the operator's own imports.
    for behind, orders in ((PROTOCOLS, (PROTOCOLS,)), (STATIC, (STATIC, CONTROL))):
        text = _inserted(text, behind, [part for part in fresh if part.order in orders])
    return text


def _inserted(text: str, behind: int, parts: Sequence[route_blocks.RouteBlock]) -> str:
    """Insert in order, after all statements up to a class."""
    if not parts:
        return text
    offset = placement.place(text, behind)
    return blocks.insert_all(text, offset, [(part.name, part.content) for part in parts])


def _statics(document: Document) -> Iterator[saved.Found]:
    for value in document.values:
        if isinstance(value, statics.StaticStatement):
            for route in value.routes:
                if forwards(route) and "noinstall" not in route.flags:
                    preference = statics.PREFERENCE if route.preference is None else route.preference
                    for gateway in route.gateways:
                        yield route.network, gateway, " ".join(route.interfaces), preference


def _elsewhere(text: str, document: Document) -> Iterator[tuple[Prefix, int, int]]:
    """Static routes without a gateway: (network, preference, line)."""
    for statement in document.statements:
        if isinstance(statement.value, statics.StaticStatement):
            for route, (start, _) in zip(statement.value.routes, statement.parts, strict=True):
                if not forwards(route):
                    preference = statics.PREFERENCE if route.preference is None else route.preference
                    yield route.network, preference, blocks.line_number(text, start)


def _ranked(text: str) -> Iterator[saved.Found]:
    for item in blocks.find(text):
        content = item.content(text)
        for match in _LEARNT.finditer(content):
            yield ip_network(item.prefix), ip_address(match[1]), "", int(match[2])
        for value in parse(content).values:
            if isinstance(value, Import) and value.preference is not None:
                for gateway in value.peers.gateways:
                    yield ip_network(item.prefix), gateway, "", value.preference
