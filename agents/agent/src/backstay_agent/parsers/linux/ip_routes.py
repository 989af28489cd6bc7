"""iproute2's `ip route show`: the main table, one route per line, with the hops of a multipath route below
it. Pure.

Each keyword of a route (ip-route(8)) has a value or is a flag; a line with an unknown keyword is kept.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from backstay_agent.parsers import text
from backstay_agent.parsers.json_object import JsonObject, ShapeError, load
from backstay_wire import NextHop, Route

_TYPES = {
    "unicast",
    "local",
    "broadcast",
    "multicast",
    "anycast",
    "unreachable",
    "prohibit",
    "blackhole",
    "throw",
}
_FLAGS = {"onlink", "linkdown", "dead", "pervasive", "offload", "offload_failed", "trap", "notify", "cache"}
_VALUES = {
    *("via", "dev", "proto", "scope", "src", "metric", "table", "mtu", "advmss", "weight", "pref", "expires"),
    *("nhid", "error", "rtt", "rttvar", "window", "cwnd", "initcwnd", "initrwnd", "hoplimit", "features"),
    *(
        "congctl",
        "quickack",
        "tos",
        "dsfield",
        "realm",
        "realms",
        "from",
        "rto_min",
        "ssthresh",
        "reordering",
    ),
    *("fastopen_no_cookie",),
}
_ANYWHERE: Mapping[int, str] = {4: "0.0.0.0/0", 6: "::/0"}


@dataclass(frozen=True)
class _Tokens:
    """The tokens of a line."""

    values: Mapping[str, str]
    flags: frozenset[str]


def routes(output: str, version: int = 4) -> tuple[list[Route], list[str]]:
    """The unicast routes that the kernel would use, and the unknown lines.

    `version` is the requested family, 4 or 6: `default` does not show it. A dead next hop is left out, and so
    is a route without any other.
    """
    found: list[Route] = []
    unicast: list[bool] = []
    unparsed: list[str] = []
    for line in output.splitlines():
        if not line.strip():
            continue
        if line[0].isspace():
            if not (found and _add_hop(found[-1], line.split())):
                unparsed.append(line)
            continue
        tokens = line.split()
        kind = tokens.pop(0) if tokens[0] in _TYPES else "unicast"
        route = _route(tokens, version)
        if route is None:
            unparsed.append(line)
        else:
            found.append(route)
            unicast.append(kind == "unicast")
    kept = [route for route, wanted in zip(found, unicast, strict=True) if wanted and route.next_hops]
    return kept, unparsed


def _route(tokens: list[str], version: int) -> Route | None:
    prefix = _prefix(tokens[0], version) if tokens else None
    parts = _parts(tokens[1:])
    if prefix is None or parts is None:
        return None
    metric = parts.values.get("metric", "0")
    try:
        return Route(
            prefix=prefix,
            protocol=text.name(parts.values.get("proto", "boot")),
            metric=int(metric),
            next_hops=_hops(parts),
        )
    except ValueError:
        return None


def _prefix(keyword: str, version: int) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(_ANYWHERE[version] if keyword == "default" else keyword)
    except ValueError:
        return None


def _parts(tokens: list[str]) -> _Tokens | None:
    """Values and flags; None if a keyword is unknown."""
    values: dict[str, str] = {}
    flags: set[str] = set()
    rest = iter(tokens)
    for keyword in rest:
        if keyword in _VALUES:
            value = next(rest, None)
            if keyword == "via" and value in ("inet", "inet6"):
                value = next(rest, None)
            if value is None:
                return None
            values[keyword] = value
        elif keyword in _FLAGS:
            flags.add(keyword)
        else:
            return None
    return _Tokens(values, frozenset(flags))


def _hops(parts: _Tokens) -> list[NextHop]:
    """The line's own next hop, if it has a live one. Raises ValueError."""
    port, via = parts.values.get("dev"), parts.values.get("via")
    if port is None or "dead" in parts.flags:
        return []
    return [NextHop(via=ip_address(via) if via else None, port=text.name(port))]


def _add_hop(route: Route, tokens: list[str]) -> bool:
    """Whether a line below a route is known: `nexthop via 10.0.0.1 dev eth0 weight 1`, or one of its
    cache."""
    parts = _parts(tokens[1:] if tokens[0] == "nexthop" else tokens)
    if parts is None:
        return False
    try:
        hops = _hops(parts) if tokens[0] == "nexthop" else []
    except ValueError:
        return False
    if len(route.next_hops) + len(hops) <= 64:
        route.next_hops.extend(hops)
    return True


_JSON_UNUSED = (
    "scope",
    "prefsrc",
    "nhid",
    "pref",
    "table",
    "expires",
    "metrics",
    "tos",
    "mtu",
    "window",
    "rtt",
)


def json_routes(output: str) -> tuple[list[Route], list[str]]:
    """`ip -j route show` (ip-route(8), `-json`): as `routes`, but the paths of unknown values, and why routes
    are unreadable.

    Raises ShapeError if it is not output of `ip -j route`.
    """
    document = load(output)
    if not isinstance(document, list):
        raise ShapeError("not a list of routes")
    whole = JsonObject({"route": document})
    found, unparsed = whole.readable("route", _json_route)
    return [route for route in found if route is not None], [*unparsed, *whole.rest()]


def _json_route(part: JsonObject) -> Route | None:
    part.skip(*_JSON_UNUSED)
    hops = list(_json_hops(part))
    for hop in part.parts("nexthops"):
        hop.skip("weight")
        hops += _json_hops(hop)
    to, kind = part.text("dst"), part.text("type") or "unicast"
    protocol, metric = part.text("protocol") or "boot", part.whole("metric", 0)
    if kind != "unicast" or not hops:
        return None
    try:
        six = any(hop.via is not None and hop.via.version == 6 for hop in hops)
        prefix = ip_network(("::/0" if six else "0.0.0.0/0") if to == "default" else to)
        return Route(prefix=prefix, protocol=text.name(protocol), metric=metric, next_hops=hops[:64])
    except ValueError as error:
        raise ShapeError(f"unreadable route: {text.text(to)}") from error


def _json_hops(part: JsonObject) -> Iterator[NextHop]:
    """The next hop of a route, or of one part of a multipath route, unless it is dead."""
    flags, port, via = part.texts("flags"), part.text("dev"), part.text("gateway")
    if other := part.part("via"):
        other.skip("family")
        via = other.text("host")
    if not port or "dead" in flags:
        return
    try:
        yield NextHop(via=ip_address(via) if via else None, port=text.name(port))
    except ValueError as error:
        raise ShapeError(f"unreadable gateway: {text.text(via)}") from error
