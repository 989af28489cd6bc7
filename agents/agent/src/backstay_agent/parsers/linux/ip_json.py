"""Parses iproute2's `ip -j route show` (ip-route(8), `-json`): the same routes as the text form. Pure."""

from collections.abc import Iterator
from ipaddress import ip_address, ip_network

from backstay_agent.parsers import text
from backstay_agent.parsers.json_object import JsonObject, ShapeError, load
from backstay_wire import NextHop, Route

_DEAD = "dead"
_SILENT = ("scope", "prefsrc", "nhid", "pref", "table", "expires", "metrics", "tos", "mtu", "window", "rtt")


def routes(output: str) -> tuple[list[Route], list[str]]:
    """The unicast routes with a live next hop, and the paths of unknown values.

    Raises ShapeError if it is not output of `ip -j route`.
    """
    document = load(output)
    if not isinstance(document, list):
        raise ShapeError("not a list of routes")
    whole = JsonObject({"route": document})
    found = [route for part in whole.parts("route") if (route := _route(part)) is not None]
    return found, whole.rest()


def _route(part: JsonObject) -> Route | None:
    part.skip(*_SILENT)
    hops = list(_hops(part))
    for hop in part.parts("nexthops"):
        hop.skip("weight")
        hops += _hops(hop)
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


def _hops(part: JsonObject) -> Iterator[NextHop]:
    """The next hop of a route, or of one part of a multipath route, unless it is dead."""
    flags, port, via = part.texts("flags"), part.text("dev"), part.text("gateway")
    if other := part.part("via"):
        other.skip("family")
        via = other.text("host")
    if not port or _DEAD in flags:
        return
    try:
        yield NextHop(via=ip_address(via) if via else None, port=text.name(port))
    except ValueError as error:
        raise ShapeError(f"unreadable gateway: {text.text(via)}") from error
