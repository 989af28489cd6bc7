"""Plain kernel routes: an `ip -batch` text (ip(8)) that the host runs at startup, one metric per gateway.

Our routes have protocol 201, as do the routes that the agent sets by netlink: the number is unused in
iproute2's rt_protos, where daemons have 8 (gated), 11 (zebra) and 12 (bird), and needs no entry there. In a
batch each line is object and command, without `ip` and its options, so the prefix determines the family:
`::/0`, never `default`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from backstay.core.model.routing import Address, Detection, NodeRouting, PolicyRoute, Prefix, RunningRoute
from backstay.core.planning.detection import unsupported
from backstay.core.rendering import blocks, marks, renderer, saved

PROTOCOL = 201
"""RTPROT of our routes."""
_ROUTE = re.compile(
    r"(?:route|ro|r) (?P<verb>add|append|replace|change|prepend|a|del|delete|flush) ?(?P<rest>.*)"
)
_SPECIAL = {"unreachable", "blackhole", "prohibit", "throw", "local", "broadcast", "multicast", "anycast"}
_FLAGS = {"onlink", "pervasive"}
_IPV6_METRIC = 1024
"""The kernel's metric of an IPv6 route without one (IP6_RT_PRIO_USER)."""


@dataclass(frozen=True, slots=True)
class RouteLine:
    """One line that sets a unicast route of the main table; `hops`: (gateway, port)."""

    start: int
    end: int
    prefix: Prefix
    metric: int
    hops: tuple[tuple[Address, str], ...]
    nexthop: str = ""
    """Id of its nexthop object (ip-nexthop(8)), which has the gateways; empty: none."""


def contents(routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
    """One `route replace` per gateway, so that the file can be run repeatedly."""
    return [_content(routing, route) for route in routes]


def render(routing: NodeRouting, current: str) -> str:
    """Appends new blocks to the end, after the addresses and links that they need.

    A hand-written route that balances over several gateways is refused: an order would replace it. Beside a
    block of ours it is drift, which this repairs.
    """
    marks.check(routing)
    wanted = renderer.named(routing.routes, contents(routing, routing.routes))
    text = renderer.drop_foreign(current, wanted)
    about = renderer.prefixes(routing)
    managed = {prefix for _, prefix in (item.name for item in blocks.find(text))}
    _refuse_balanced(blocks.masked(text), {prefix for prefix in about if str(prefix) not in managed})
    old = [
        (line.start, line.end)
        for line in _lines(blocks.masked(text))
        if line.prefix in about and (line.hops or line.nexthop)
    ]
    text = blocks.cut(text, old)
    there = {item.name for item in blocks.find(text)}
    text = blocks.replace_all(text, wanted)
    fresh = [(name, content) for name, content in wanted.items() if name not in there]
    text = blocks.insert_all(text, len(text), fresh)
    _check(text)
    return text


def saved_routes(text: str) -> tuple[RunningRoute, ...]:
    """Every route via a gateway that the batch sets in the main table."""
    _check(text)
    return saved.routes(
        (line.prefix, address, port, line.metric) for line in _lines(text) for address, port in line.hops
    )


def validation_errors(text: str) -> list[str]:
    """Unreadable routes, and lines that would remove our routes."""
    return renderer.refused(lambda: _check(text))


def advice(routing: NodeRouting, current: str) -> list[str]:
    """Routes without a gateway that precede ours."""
    operator = blocks.masked(current)
    return renderer.rivals(
        routing,
        (
            (line.prefix, line.metric, blocks.line_number(operator, line.start))
            for line in _lines(operator)
            if not line.hops and not line.nexthop
        ),
    )


def _content(routing: NodeRouting, route: PolicyRoute) -> str:
    marks.check_route(route)
    if route.detection is not Detection.CHECKER:
        raise ValueError(f"{routing.node} {unsupported(route.detection, routing.engine)}")
    return "".join(
        f"route replace {route.prefix} via {hop.address} dev {hop.port} proto {PROTOCOL} "
        f"metric {hop.preference}\n"
        for hop in route.hops
    )


def _refuse_balanced(operator: str, about: Collection[Prefix]) -> None:
    """Raises ValueError for a nexthop object or several next hops of one of these prefixes."""
    for line in _lines(operator):
        if line.prefix in about and (line.nexthop or len(line.hops) > 1):
            how = f"uses nexthop object {line.nexthop}" if line.nexthop else "has several next hops (ECMP)"
            number = blocks.line_number(operator, line.start)
            raise ValueError(f"line {number}: the route to {line.prefix} {how}; remove it first")


def _check(text: str) -> None:
    found = blocks.find(text)
    _all(text)
    for number, start, content in _contents(text) if found else ():
        if start >= found[0].end and re.match(r"(?:route|ro|r) (?:del|delete|flush)\b", content):
            raise ValueError(f"line {number} removes routes after Backstay's blocks: {content!r}")


def _contents(text: str) -> Iterator[tuple[int, int, str]]:
    """(line number, offset, normalised words) of each line with content."""
    start, number = 0, 0
    while start < len(text):
        after, number = blocks.line_after(text, start), number + 1
        content = " ".join(text[start:after].split("#", 1)[0].split())
        if content:
            yield number, start, content
        start = after


def _lines(text: str) -> list[RouteLine]:
    return [line for line in _all(text) if line is not None]


def _all(text: str) -> list[RouteLine | None]:
    """Raises ValueError for a route that cannot be parsed."""
    found: list[RouteLine | None] = []
    for number, start, content in _contents(text):
        match = _ROUTE.fullmatch(content)
        if match is None or match["verb"] in {"del", "delete", "flush"}:
            continue
        end = blocks.line_after(text, start)
        stop = start + len(text[start:end].rstrip("\r\n"))
        try:
            found.append(_route(start, stop, match["rest"].split()))
        except (ValueError, IndexError):
            raise ValueError(f"line {number}: cannot read {content!r}") from None
    return found


def _route(start: int, end: int, fields: list[str]) -> RouteLine | None:
    """None unless it is a unicast route of the main table (ip-route(8))."""
    if fields[0] == "unicast":
        fields = fields[1:]
    if fields[0] in _SPECIAL:
        return None
    head, *hops = _split(fields[1:])
    options = _options(head)
    if options.get("table", "main") not in {"main", "254"}:
        return None
    next_hops = tuple(_next_hop(item) for item in (head, *hops) if "via" in _options(item))
    version = _version(fields[0], next_hops)
    prefix = ip_network(("0.0.0.0/0" if version == 4 else "::/0") if fields[0] == "default" else fields[0])
    metric = options.get("metric") or options.get("preference") or options.get("priority")
    default = 0 if version == 4 else _IPV6_METRIC
    metric_value = default if metric is None else int(metric, 0)
    return RouteLine(start, end, prefix, metric_value, next_hops, options.get("nhid", ""))


def _split(fields: list[str]) -> list[list[str]]:
    """The route's own options, then those of each `nexthop`."""
    found: list[list[str]] = [[]]
    for keyword in fields:
        if keyword == "nexthop":
            found.append([])
        else:
            found[-1].append(keyword)
    return found


def _options(fields: list[str]) -> dict[str, str]:
    """Pairs of name and value. Raises IndexError for a name without a value."""
    found, at = {}, 0
    while at < len(fields):
        if fields[at] in _FLAGS:
            at += 1
        elif fields[at : at + 2] in (["via", "inet"], ["via", "inet6"]):
            found["via"], at = fields[at + 2], at + 3
        elif fields[at] in {"mtu", "advmss", "cwnd", "rtt"} and fields[at + 1] == "lock":
            found[fields[at]], at = fields[at + 2], at + 3
        else:
            found[fields[at]], at = fields[at + 1], at + 2
    return found


def _next_hop(fields: list[str]) -> tuple[Address, str]:
    options = _options(fields)
    return ip_address(options["via"]), options.get("dev", "")


def _version(destination: str, next_hops: tuple[tuple[Address, str], ...]) -> int:
    if destination == "default":
        return next_hops[0][0].version if next_hops else 4
    return ip_network(destination).version
