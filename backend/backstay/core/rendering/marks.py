"""Block marks, and validation of names, ports and addresses before they are written to a file.

Names come from people and devices. Characters that could end a comment, a line, a statement or a string are
rejected, never escaped: escaping differs per engine, and a name that needs it is a mistake or an attack.
"""

from __future__ import annotations

import re
from ipaddress import IPv6Address

from backstay.core.model.routing import Hop, NodeRouting, PolicyRoute, Prefix

_POLICY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _.:+-]*[A-Za-z0-9_.+-])?")
_GATEWAY = _POLICY
_PORT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:@+-]{0,14}")
"""Linux allows 15 bytes (IFNAMSIZ); `@` occurs in some VLAN names."""
_PREFERENCES = range(1, 255)

BEGIN = "# BEGIN backstay "
"""Start of every block, in any file."""


def marks(policy: str, prefix: Prefix | str) -> tuple[str, str]:
    """The lines that open and close a route's block, as on the wire (`backstay_wire.marks`)."""
    return f"{BEGIN}{policy} {prefix}", f"# END backstay {policy} {prefix}"


def check(routing: NodeRouting) -> None:
    """Raises ValueError for the first value that is not allowed in a file, or for two routes with
    one block.
    """
    seen: set[tuple[str, Prefix]] = set()
    for route in routing.routes:
        check_route(route)
        if (route.policy, route.prefix) in seen:
            raise ValueError(f"{routing.node} has two routes of {route.policy} to {route.prefix}")
        seen.add((route.policy, route.prefix))


def check_route(route: PolicyRoute) -> None:
    """Raises ValueError with the problem as a sentence."""
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
        raise ValueError(f"{route.policy}: {hop.address} is not a gateway for {route.prefix}")
    if isinstance(hop.address, IPv6Address) and hop.address.scope_id is not None:
        raise ValueError(f"{route.policy}: {hop.address} has a zone; the port already names it")
    if hop.preference not in _PREFERENCES:
        raise ValueError(f"{route.policy}: {hop.gateway} has preference {hop.preference}, not 1 to 254")
