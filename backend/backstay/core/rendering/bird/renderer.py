"""bird.conf (BIRD 2.0): one static protocol per gateway in marked blocks, ranked by channel preference.

BIRD prefers the highest preference, so ours is 260 minus Backstay's: 60 becomes BIRD's default, 200. A static
protocol can hold a prefix twice with a preference per route (tested with 2.0.12), but such a preference is
visible only while the route is usable; the channel's preference can always be queried. So each gateway has
its own protocol, named `backstay_POLICY_4_GATEWAY`; another gateway order changes only preferences, not
names.

`check link` removes a route when its port loses carrier. The operator's `protocol bfd` runs BFD sessions with
its own timers; a block with BFD is refused without it. Detection `protocol` listens to RIP with one protocol
per gateway. Each gateway needs its own port: on one port BIRD's RIP keeps only the router with the lowest
metric, before any filter runs. The filter matches the next hop, because 2.0.12 does not set `from` for RIP.
RIPng routers have link-local addresses.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from ipaddress import ip_address, ip_network

from backstay.core.model.routing import Detection, Hop, NodeRouting, PolicyRoute, Prefix, RunningRoute
from backstay.core.rendering import blocks, marks, renderer, saved
from backstay.core.rendering.bird.statements import (
    RouteStatement,
    Statement,
    StaticProtocol,
    protocols,
    statements,
    statics,
)

TOP = 260
"""BIRD's preference plus ours."""
_RANKED = re.compile(r"preference (\d+);\n +import where net = \S+ && gw = (\S+);")


def contents(routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
    """A static protocol, or a RIP listener, for each gateway."""
    return list(_contents(routing.routes, tuple(routes)))


@lru_cache(maxsize=256)
def _contents(all_routes: tuple[PolicyRoute, ...], wanted: tuple[PolicyRoute, ...]) -> tuple[str, ...]:
    """Cached: nodes of a group have the same routes."""
    theirs = {renderer.name_of(route) for route in wanted}
    others = [route for route in all_routes if renderer.name_of(route) not in theirs]
    names = symbols([*others, *wanted])
    return tuple(_content(route, names) for route in wanted)


def render(routing: NodeRouting, current: str) -> str:
    """Appends new blocks to the end, because a protocol can only use earlier definitions."""
    marks.check(routing)
    _check(current)
    _demand(routing, statements(blocks.masked(current)))
    wanted = renderer.named(routing.routes, contents(routing, routing.routes))
    text = renderer.drop_foreign(current, wanted)
    operator = blocks.masked(text)
    about = renderer.prefixes(routing)
    text = blocks.cut(text, [(route.start, route.end) for route in _taken_over(operator, about)])
    there = {item.name for item in blocks.find(text)}
    text = blocks.replace_all(text, wanted)
    fresh = [(name, content) for name, content in wanted.items() if name not in there]
    return blocks.insert_all(text, len(text), fresh)


def saved_routes(text: str) -> tuple[RunningRoute, ...]:
    """Static routes via a gateway in the main tables, and the gateways ranked by our RIP listeners."""
    _check(text)
    return saved.routes([*_statics(text), *_ranked(text)])


def validation_errors(text: str) -> list[str]:
    """Unmatched braces and marks, unreadable routes, blocks inside a statement."""
    return renderer.refused(lambda: _check(text))


def advice(routing: NodeRouting, current: str) -> list[str]:
    """Missing BIRD settings, routes that precede ours, and files that were not read."""
    operator = blocks.masked(current)
    found = statements(operator)
    advice_lines = renderer.rivals(
        routing,
        (
            (route.prefix, TOP - route.preference, blocks.line_number(operator, route.start))
            for static in statics(operator)
            for route in static.routes
            if not route.hops
        ),
    )
    if any(item.fields[:1] == ["include"] for item in found):
        advice_lines.append(
            f"{routing.engine.config} of {routing.node} includes other files, which are not read."
        )
        return advice_lines
    if not protocols(found, "device"):
        advice_lines.append(
            f"{routing.node} runs BIRD without `protocol device`, so it sees no interface: add one."
        )
    versions = {route.prefix.version for route in routing.routes}
    advice_lines += [
        f"{routing.node} has no `protocol kernel` with an ipv{version} channel that exports, so no route of "
        "ours would reach the kernel: add one with `export all;`."
        for version in sorted(versions)
        if not any(_exports(protocol, version) for protocol in protocols(found, "kernel"))
    ]
    return advice_lines


def _content(route: PolicyRoute, names: Mapping[Meaning, str]) -> str:
    marks.check_route(route)
    prefix = str(route.prefix)
    called = [(hop, names[route.policy, prefix, hop.gateway]) for hop in route.hops]
    if route.detection is Detection.PROTOCOL:
        _check_listeners(route)
        return "".join(_listener(route, hop, name) for hop, name in called)
    watched = " bfd" if route.detection is Detection.BFD else ""
    return "".join(_static(route, hop, name, watched) for hop, name in called)


def _static(route: PolicyRoute, hop: Hop, name: str, watched: str) -> str:
    # A link-local address needs its port.
    via = f"{hop.address}%'{hop.port}'" if hop.address.is_link_local else str(hop.address)
    return (
        f"protocol static {name} {{\n"
        f"    ipv{route.prefix.version} {{ preference {TOP - hop.preference}; }};\n"
        "    check link;\n"
        f"    route {route.prefix} via {via}{watched};\n"
        "}\n"
    )


def _check_listeners(route: PolicyRoute) -> None:
    """Raises ValueError if BIRD cannot distinguish the RIP listeners of the gateways."""
    ports = {hop.port for hop in route.hops}
    if len(ports) < len(route.hops):
        raise ValueError(
            f"BIRD ranks RIP routers on one port by their metrics alone, so {route.policy} cannot rank "
            f"those on {', '.join(sorted(ports))}: choose another detection"
        )
    for hop in route.hops:
        if route.prefix.version == 6 and not hop.address.is_link_local:
            raise ValueError(
                f"RIPng routers are known by link-local addresses, not {hop.address}: "
                "choose another detection"
            )


def _listener(route: PolicyRoute, hop: Hop, name: str) -> str:
    kind, version = ("rip", "version 2; ") if route.prefix.version == 4 else ("rip ng", "")
    return (
        f"protocol {kind} {name} {{\n"
        f"    ipv{route.prefix.version} {{\n"
        f"        preference {TOP - hop.preference};\n"
        f"        import where net = {route.prefix} && gw = {hop.address};\n"
        "        export none;\n"
        "    };\n"
        f'    interface "{hop.port}" {{ {version}passive yes;{_rip_timers(route)} }};\n'
        "}\n"
    )


def _rip_timers(route: PolicyRoute) -> str:
    """In whole seconds; defaults of RFC 2453 unless the policy's interval is possible for announcements."""
    if not route.timers.announced:
        return ""
    update, timeout = (-(-item // 1000) for item in (route.timers.interval_ms, route.timers.detects_in_ms))
    return f" update time {update}; timeout time {timeout};"


def _demand(routing: NodeRouting, operator: Sequence[Statement]) -> None:
    """Raises ValueError for missing requirements of our blocks, and for conflicting protocols."""
    elsewhere = any(item.fields[:1] == ["include"] for item in operator)
    for route in routing.routes:
        if route.detection is Detection.BFD and not protocols(operator, "bfd") and not elsewhere:
            raise ValueError(
                f"{routing.node} runs BIRD without `protocol bfd`, so BFD would detect nothing: add one "
                f"with the ports and timers of {route.policy}"
            )
        if route.detection is Detection.PROTOCOL and protocols(operator, "rip"):
            raise ValueError(
                f"{routing.node} runs a `protocol rip` of its own, and two cannot share a port: rank "
                "the gateways there, or choose another detection"
            )
    for item in operator:
        taken = [keyword for keyword in item.fields if keyword.startswith("backstay_")]
        if taken:
            raise ValueError(
                f"the name {taken[0]} outside Backstay's blocks conflicts with a name in them: rename it"
            )


def _taken_over(operator: str, about: set[Prefix]) -> Iterator[RouteStatement]:
    """Hand-written routes of our prefixes. Raises ValueError for a route with several gateways or
    attributes.
    """
    for static in statics(operator):
        for route in static.routes:
            if route.prefix not in about or not route.hops:
                continue
            if not route.plain:
                at = blocks.line_number(operator, route.start)
                raise ValueError(
                    f"line {at} routes {route.prefix} by several gateways or with attributes of its own: "
                    "remove it by hand if the policy is to decide"
                )
            yield route


def _check(text: str) -> None:
    """Raises ValueError for unreadable text, or a block in the middle of a statement."""
    found = blocks.find(text)
    statics(text)
    operator = statements(blocks.masked(text))
    for item in found:
        for statement in operator:
            if statement.start < item.start < statement.end:
                at = blocks.line_number(text, item.start)
                raise ValueError(f"line {at}: {renderer.title(item)} is inside another statement")


def _statics(text: str) -> Iterator[saved.Found]:
    read: list[StaticProtocol] = statics(text)
    for static in read:
        for route in static.routes:
            for address, port in route.hops:
                yield route.prefix, address, port, max(0, TOP - route.preference)


def _ranked(text: str) -> Iterator[saved.Found]:
    for item in blocks.find(text):
        for match in _RANKED.finditer(item.content(text)):
            yield ip_network(item.prefix), ip_address(match[2]), "", TOP - int(match[1])


def _exports(statement: Statement, version: int) -> bool:
    for item in statement.inner:
        if item.fields[:1] == [f"ipv{version}"]:
            export = [inner.fields for inner in item.inner if inner.fields[:1] == ["export"]]
            return bool(export) and export[0][1:] != ["none"]
    return False


LONGEST = 60
"""BIRD allows symbols of 64 characters (SYM_MAX_LEN)."""
_UNFIT = re.compile(r"[^A-Za-z0-9_]")

Meaning = tuple[str, str, str]
"""(policy, prefix, gateway)"""


def symbols(routes: Iterable[PolicyRoute]) -> dict[Meaning, str]:
    """A symbol for each gateway of each route, unique and independent of the gateways' order.

    A duplicate or too long symbol ends in a digest of the policy, prefix and gateway.
    """
    meant = {meaning: symbol for route in routes for meaning, symbol in _meant(route)}
    taken = Counter(meant.values())
    return {
        meaning: symbol if taken[symbol] == 1 and len(symbol) <= LONGEST else _unique(symbol, meaning)
        for meaning, symbol in meant.items()
    }


def _meant(route: PolicyRoute) -> Iterator[tuple[Meaning, str]]:
    prefix = str(route.prefix)
    parts = ["backstay", route.policy, str(route.prefix.version)]
    if route.prefix.prefixlen:
        parts.append(prefix)
    for hop in route.hops:
        symbol = _UNFIT.sub("_", "_".join([*parts, hop.gateway]))
        yield (route.policy, prefix, hop.gateway), symbol


def _unique(symbol: str, meaning: Meaning) -> str:
    digest = hashlib.sha256("\n".join(meaning).encode()).hexdigest()[:8]
    return f"{symbol[: LONGEST - 9]}_{digest}"
