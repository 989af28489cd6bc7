"""Solaris's `netstat -rn` (of Solaris 7 too, whose table names no family) and `route -n get default`. Pure.

The IPv4 table has no masks: a network of one of the host's own ports has that port's mask. Any other has the
one of its class (RFC 791) or, if it is part of such a network, as many octets as it names. The port is empty
if the kernel derives it from the gateway.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_interface, ip_network

from backstay_agent.parsers import text
from backstay_agent.parsers.systems.aix import classful
from backstay_wire import NextHop, Route

_ROUTE = re.compile(
    r"(?P<to>[0-9a-f.:/]+|default)\s+(?P<via>[0-9a-f.:]+)\s+(?P<flags>[A-Za-z0-9]+)\s+\d+\s+\d+"
    r"(?:\s+(?P<port>[a-z][\w.:]*))?\s*"
)
_NOISE = re.compile(
    r"\s*|Routing Table:(?: IPv[46])?\s*|\s*Destination(?:/Mask)?\s+Gateway\s+Flags\s.*|[- ]+"
)
_ANSWER = re.compile(r"\s*(?P<key>route to|destination|mask|gateway|interface|flags): (?P<value>.*?)\s*")
_ANSWER_NOISE = re.compile(r"\s*|\s*recvpipe\s+sendpipe\s+.*|(?:\s+-?\d+)+\s*")
_LOOPBACK = "lo"

Network = IPv4Network | IPv6Network
Addresses = Mapping[str, Sequence[str]]
"""Each port's own addresses, `10.1.0.1/24`."""


@dataclass(frozen=True, slots=True)
class RouteRow:
    """One row of the table, unchanged."""

    to: str
    via: str
    flags: str
    port: str


def rows(output: str) -> tuple[list[RouteRow], list[str]]:
    """The rows of both families, and the unknown lines."""
    return text.parse_lines(output, _row)


def _row(line: str) -> RouteRow | None:
    if _NOISE.fullmatch(line):
        return None
    match = _ROUTE.fullmatch(line)
    if match is None:
        raise ValueError("unknown line")
    return RouteRow(match["to"], str(ip_address(match["via"])), match["flags"], match["port"] or "")


def answer(output: str) -> tuple[dict[str, str], list[str]]:
    """`route -n get` by its own keys (gateway, interface, flags), and the unknown lines."""
    found: dict[str, str] = {}
    unparsed: list[str] = []
    for line in output.splitlines():
        if match := _ANSWER.fullmatch(line):
            found[match["key"]] = match["value"]
        elif not _ANSWER_NOISE.fullmatch(line):
            unparsed.append(line)
    return found, unparsed


def routes(
    table: Sequence[RouteRow], default: Mapping[str, str], own: Addresses
) -> tuple[list[Route], list[RouteRow]]:
    """The unicast routes except those of the loopback, and the rows with an unreadable destination.

    `default` is the reply about the default route: it shows whether that route was set by hand.
    """
    found: list[Route] = []
    unread: list[RouteRow] = []
    for row in table:
        prefix = _prefix(row, own)
        port = row.port.partition(":")[0] or _port(row, default, own)
        if prefix is None:
            unread.append(row)
        elif not port.startswith(_LOOPBACK):
            via = ip_address(row.via) if "G" in row.flags else None
            hop = NextHop(via=via, port=text.name(port))
            found.append(Route(prefix=prefix, protocol=_origin(row, default), next_hops=[hop]))
    return found, unread


def _is_answered(row: RouteRow, default: Mapping[str, str]) -> bool:
    return row.to == "default" and row.via == default.get("gateway")


def _origin(row: RouteRow, default: Mapping[str, str]) -> str:
    """D, M: by a redirect; G: by hand or a daemon, which `route get` distinguishes; else by an address."""
    if "D" in row.flags or "M" in row.flags:
        return "redirect"
    if _is_answered(row, default) and "STATIC" in default.get("flags", ""):
        return "static"
    return "boot" if "G" in row.flags else "kernel"


def _port(row: RouteRow, default: Mapping[str, str], own: Addresses) -> str:
    """The port of the reply for the default route, else the port on whose network the gateway is."""
    if _is_answered(row, default) and (tokens := default.get("interface", "").split()):
        return tokens[0]
    gateway = ip_address(row.via)
    found = [
        (network.prefixlen, name)
        for name, addresses in own.items()
        for network in _networks(addresses)
        if gateway in network
    ]
    return max(found)[1] if found else ""


def _networks(addresses: Sequence[str]) -> list[Network]:
    return [ip_interface(address).network for address in addresses]


def _prefix(row: RouteRow, own: Addresses) -> Network | None:
    if row.to == "default":
        return ip_network("::/0" if ":" in row.via else "0.0.0.0/0")
    try:
        if ":" in row.to or "/" in row.to or "H" in row.flags:
            return ip_network(row.to)
        address = ip_address(row.to)
        for addresses in own.values():
            for network in _networks(addresses):
                if network.network_address == address:
                    return network
        network = ip_network(f"{row.to}/{classful(row.to)}", strict=False)
        is_whole = network.network_address == address
        return network if is_whole else ip_network(f"{row.to}/{_named_bits(row.to)}")
    except ValueError:
        return None


def _named_bits(address: str) -> int:
    """Bits up to the last octet that is not zero."""
    octets = address.split(".")
    return 8 * max((place for place, octet in enumerate(octets, start=1) if octet != "0"), default=0)
