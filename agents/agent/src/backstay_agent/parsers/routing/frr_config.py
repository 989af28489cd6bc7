"""FRR's configuration as a set of lines in their contexts, its static routes as values, and the steps from
one configuration to another (vtysh(1), FRR's user guide "Static Route Commands")."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Line = tuple[tuple[str, ...], str]
"""(the enclosing contexts, outermost first; the line)."""
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
class FrrStatic:
    """One `ip route` or `ipv6 route` of the default VRF."""

    prefix: IPv4Network | IPv6Network
    gateway: IPv4Address | IPv6Address | None
    port: str
    distance: int
    line: str


def static(line: str) -> FrrStatic | None:
    """A static route's line; None for any other."""
    tokens = line.split()
    if tokens[:2] not in (["ip", "route"], ["ipv6", "route"]) or len(tokens) < 4:
        return None
    try:
        prefix = ip_network(tokens[2], strict=False)
    except ValueError:
        return None
    gateway, port, distance, skip = None, "", _DEFAULT_DISTANCE, False
    for place, token in enumerate(tokens[3:]):
        if skip:
            skip = False
        elif token in {"vrf", "table"}:
            return None
        elif token in _TAKES_ONE:
            skip = True
        elif token.isdigit():
            distance = int(token)
        elif (address := _address(token)) is not None:
            gateway = address
        elif place <= 1 and token not in {"bfd", "onlink", "blackhole", "reject", "Null0"}:
            port = token
    return FrrStatic(prefix, gateway, port, distance, " ".join(tokens))


def _address(token: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(token)
    except ValueError:
        return None


def statics(text: str) -> list[FrrStatic]:
    """The default VRF's static routes of a configuration."""
    found = [static(line) for contexts, line in lines(text) if not contexts]
    return [route for route in found if route is not None]


def lines(text: str) -> list[Line]:
    """Every line except comments, in its contexts; indentation gives the depth, as FRR writes it."""
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
        found.append((tuple(item for _, item in stack), normal))
        if _CONTEXTS.match(normal):
            stack.append((depth, normal))
    return found


def is_context(line: str) -> bool:
    """Whether this line opens a context."""
    return _CONTEXTS.match(line) is not None


def additions(current: Sequence[Line], desired: Sequence[Line]) -> list[list[str]]:
    """Commands for the missing lines, each preceded by its contexts; the best route first."""
    have = set(current)
    fresh = [line for line in desired if line not in have]
    fresh.sort(key=_distance)
    return [[*contexts, line] for contexts, line in fresh]


def deletions(current: Sequence[Line], desired: Sequence[Line]) -> list[list[str]]:
    """Commands that remove the surplus lines; a context goes after its content.

    Compute them again after the additions: FRR 8.4 allows one distance per gateway only, so adding it with
    another distance removes the old line, and deleting the old line then would remove the new one.
    """
    want = set(desired)
    stale = [line for line in current if line not in want]
    stale.sort(key=lambda line: is_context(line[1]))
    return [[*contexts, f"no {line}"] for contexts, line in stale]


def _distance(line: Line) -> int:
    route = static(line[1]) if not line[0] else None
    return route.distance if route else 256
