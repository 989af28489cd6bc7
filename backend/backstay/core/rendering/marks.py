"""What may be written into a configuration file at all: names, ports and addresses of a safe alphabet.

Names are data from people and devices. What could end a comment, a line, a statement or a string is refused,
never escaped: each engine's escapes differ, and a name that needs one is a mistake or an attack.
"""

from __future__ import annotations

import re
from ipaddress import IPv6Address

from backstay.core.model.routing import Hop, NodeRouting, PolicyRoute, Prefix

_POLICY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _.:+-]*[A-Za-z0-9_.+-])?")
_GATEWAY = _POLICY
_PORT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:@+-]{0,14}")
"""Linux takes 15 octets (IFNAMSIZ); `@` stands in some VLAN names."""
_PREFERENCES = range(1, 255)

BEGIN = "# BEGIN backstay "
"""How every block of ours begins, whatever the file."""


def marks(policy: str, prefix: Prefix | str) -> tuple[str, str]:
    """The lines that open and close a route's block, the same as on the wire (`backstay_wire.marks`)."""
    return f"{BEGIN}{policy} {prefix}", f"# END backstay {policy} {prefix}"


def check(routing: NodeRouting) -> None:
    """Raises ValueError naming the first thing that may not stand in a file, or two routes of one block."""
    seen: set[tuple[str, Prefix]] = set()
    for route in routing.routes:
        check_route(route)
        if (route.policy, route.prefix) in seen:
            raise ValueError(f"{routing.node} has two routes of {route.policy} to {route.prefix}")
        seen.add((route.policy, route.prefix))


def check_route(route: PolicyRoute) -> None:
    """Raises ValueError with what is wrong in a sentence."""
    if not _POLICY.fullmatch(route.policy) or "  " in route.policy:
        raise ValueError(
            f"the policy name {route.policy!r} contains characters that are not allowed in a file"
        )
    if not route.hops:
        raise ValueError(f"{route.policy} has no gateway for {route.prefix}")
    for hop in route.hops:
        _check_hop(route, hop)
    preferences = [hop.preference for hop in route.hops]
    if len(set(preferences)) != len(preferences):
        raise ValueError(f"{route.policy} gives two gateways of {route.prefix} the same preference")


def _check_hop(route: PolicyRoute, hop: Hop) -> None:
    if not _GATEWAY.fullmatch(hop.gateway):
        raise ValueError(
            f"the gateway name {hop.gateway!r} contains characters that are not allowed in a file"
        )
    if not _PORT.fullmatch(hop.port):
        raise ValueError(f"the port name {hop.port!r} contains characters that are not allowed in a file")
    if hop.address.version != route.prefix.version:
        raise ValueError(f"{route.policy}: {hop.address} is no gateway for {route.prefix}")
    if isinstance(hop.address, IPv6Address) and hop.address.scope_id is not None:
        raise ValueError(f"{route.policy}: {hop.address} has a zone; the port already names it")
    if hop.preference not in _PREFERENCES:
        raise ValueError(f"{route.policy}: {hop.gateway} has preference {hop.preference}, not 1 to 254")
