"""FRR's configuration as a set of lines in their contexts, its static routes as values, and the way from one
configuration to another (vtysh(1), FRR's user guide "Static Route Commands")."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Line = tuple[tuple[str, ...], str]
"""(the contexts around it, outermost first; the line)."""
_CONTEXTS = re.compile(
    r"(router|interface|vrf|route-map|line|bfd|key|nexthop-group|pbr-map|segment-routing|mpls|address-family|"
    r"peer|profile|vni|pseudowire|l2vpn|srv6|locators?|policy|traffic-eng|candidate-path|segment-list)\b"
)
_CLOSERS = {"exit", "end", "exit-address-family", "exit-vrf", "exit-route-map", "exit-vni"}
_NOT_OURS = re.compile(
    r"(frr (version|defaults)|hostname|domainname|service|log|password|enable|no )\b|Building|Current"
)
_TAKES_ONE = {"tag", "label", "table", "vrf", "nexthop-vrf", "color"}
_DEFAULT_DISTANCE = 1


@dataclass(frozen=True, slots=True)
class Static:
    """One `ip route` or `ipv6 route` of the default VRF."""

    prefix: IPv4Network | IPv6Network
    gateway: IPv4Address | IPv6Address | None
    port: str
    distance: int
    line: str


def static(line: str) -> Static | None:
    """A static route's line; None for any other."""
    words = line.split()
    if words[:2] not in (["ip", "route"], ["ipv6", "route"]) or len(words) < 4:
        return None
    try:
        prefix = ip_network(words[2], strict=False)
    except ValueError:
        return None
    gateway, port, distance, skip = None, "", _DEFAULT_DISTANCE, False
    for place, word in enumerate(words[3:]):
        if skip:
            skip = False
        elif word in {"vrf", "table"}:
            return None
        elif word in _TAKES_ONE:
            skip = True
        elif word.isdigit():
            distance = int(word)
        elif (address := _address(word)) is not None:
            gateway = address
        elif place <= 1 and word not in {"bfd", "onlink", "blackhole", "reject", "Null0"}:
            port = word
    return Static(prefix, gateway, port, distance, " ".join(words))


def _address(word: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(word)
    except ValueError:
        return None


def statics(text: str) -> list[Static]:
    """The default VRF's static routes of a configuration."""
    found = [static(line) for contexts, line in lines(text) if not contexts]
    return [route for route in found if route is not None]


def lines(text: str) -> list[Line]:
    """Every line that says something, in its contexts; depth goes by indentation, as FRR writes it."""
    found: list[Line] = []
    stack: list[tuple[int, str]] = []
    for raw in text.splitlines():
        content = raw.strip()
        if not content or content[0] in "!#" or (not raw.startswith(" ") and _NOT_OURS.match(content)):
            continue
        depth = len(raw) - len(raw.lstrip(" "))
        while stack and stack[-1][0] >= depth:
            stack.pop()
        if content in _CLOSERS:
            continue
        normal = " ".join(content.split())
        found.append((tuple(each for _, each in stack), normal))
        if _CONTEXTS.match(normal):
            stack.append((depth, normal))
    return found


def is_context(line: str) -> bool:
    """Whether further lines may stand inside this one."""
    return _CONTEXTS.match(line) is not None


def steps(current: Sequence[Line], desired: Sequence[Line]) -> list[list[str]]:
    """Commands from one to the other, each with its contexts before it: additions, then deletions.

    A context that is empty afterwards goes with its lines. Of static routes the best new one comes first, and
    the old ones that are as good as it go right after it: with both of them packets would take either.
    """
    have, want = set(current), set(desired)
    fresh = [line for line in desired if line not in have]
    stale = [line for line in current if line not in want]
    gone = [line for line in stale if not is_context(line[1])]
    contexts = [line for line in reversed(stale) if is_context(line[1])]
    first = _best(fresh)
    rivals = [line for line in gone if first and _rivals(line, first)]
    ordered = [
        *([("", first)] if first else []),
        *(("no ", line) for line in rivals),
        *(("", line) for line in fresh if line != first),
        *(("no ", line) for line in gone if line not in rivals),
        *(("no ", line) for line in contexts),
    ]
    return [[*context, f"{no}{line}"] for no, (context, line) in ordered]


def _best(fresh: Iterable[Line]) -> Line | None:
    routes = [(route.distance, line) for line in fresh if not line[0] and (route := static(line[1]))]
    return min(routes, default=(0, None), key=lambda each: each[0])[1]


def _rivals(line: Line, first: Line) -> bool:
    old, new = static(line[1]), static(first[1])
    return bool(old and new and not line[0] and (old.prefix, old.distance) == (new.prefix, new.distance))
