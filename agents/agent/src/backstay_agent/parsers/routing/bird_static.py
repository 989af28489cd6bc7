"""BIRD's configured static routes, including dormant ones: `show protocols all` and `show static` (BIRD 2.0).

`show route` lists only routes that are usable now, without a gateway whose BFD session is down. A dead
gateway does not change the configuration, so plans are compared with this.
"""

import contextlib
import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from backstay_agent.parsers import text
from backstay_agent.parsers.routing.bird import BirdError
from backstay_agent.parsers.routing.candidates import Prefix

_ROW = re.compile(r"1002-(\S+)\s+(\S+)\s")
_PREFERENCE = re.compile(r"\s+Preference:\s+(\d+)")
_HOP = re.compile(r"[ +]\tvia ([0-9a-fA-F.:]+)(?:%(\S+))?( .*)?")
_PREFIX = re.compile(r"(?:1009-| )([0-9a-fA-F.:]+/\d+)(?:\s.*)?")
_TOP = 260
"""BIRD's preference, where higher wins, is this minus ours, where lower wins."""


@dataclass(frozen=True, slots=True)
class StaticHop:
    """One next hop of one static protocol."""

    prefix: Prefix
    gateway: IPv4Address | IPv6Address
    port: str
    protocol: str


def preference(bird: int) -> int:
    """BIRD's preference in the wire's definition."""
    return max(0, _TOP - bird)


def static_protocols(lines: list[str]) -> dict[str, int]:
    """Static protocol -> its channel's preference, from a reply to `show protocols all`. Raises BirdError."""
    found: dict[str, int] = {}
    name = ""
    for line in lines:
        _refuse(line)
        row = _ROW.match(line)
        if row is not None:
            name = row[1] if row[2] == "Static" else ""
        elif name and (match := _PREFERENCE.match(line)):
            found.setdefault(name, int(match[1]))
    return found


def hops(lines: list[str], protocol: str) -> list[StaticHop]:
    """The next hops of a reply to `show static NAME`. Raises BirdError."""
    found: list[StaticHop] = []
    prefix: Prefix | None = None
    for line in lines:
        _refuse(line)
        hop = _HOP.match(line)
        try:
            if hop is not None and prefix is not None:
                found.append(StaticHop(prefix, ip_address(hop[1]), hop[2] or "", protocol))
            elif match := _PREFIX.match(line):
                prefix = ip_network(match[1])
        except ValueError as error:
            # Plans are compared with the whole reply, so a part of it proves nothing.
            raise BirdError(f"an unreadable row: {text.text(line)}") from error
    return found


def gateways(via: str) -> list[IPv4Address | IPv6Address]:
    """The addresses in a candidate's `via`, ignoring a port or `blackhole`."""
    found = []
    for token in via.split(", "):
        with contextlib.suppress(ValueError):
            found.append(ip_address(token))
    return found


def _refuse(line: str) -> None:
    if line[:4].isdigit() and line[:4] >= "8000":
        raise BirdError(line[5:])
