"""gated's dump (`gdc dump`, gated_dump) of releases 2, 3 and the multi-RIB family: its routing table.

The next dump may be appended to the last one, so only the part after the last section head is read. Addresses
may be printed without their trailing zero octets (`10.1`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network

from backstay_agent.parsers import text
from backstay_agent.parsers.routing import blocks
from backstay_agent.parsers.routing.candidates import Candidate

_HEAD = "+ = Active Route"
_DESTINATION = re.compile(r"\t(?P<address>default|[\d.]+)\s*(?:\tmask (?P<mask>default|[\d.]+)\s*)?")
_ROUTE = re.compile(
    r"\t\t(?P<mark>[*+-]?)(?P<protocol>[A-Za-z][\w-]*)\tPreference:\s+(?P<preference>-?\d+)(?:/-?\d+)?"
    r"(?:\t+Source: \S+)?\s*"
)
_HOP = re.compile(r"\t\t\t(?P<used>\*?)NextHop: (?P<hop>\S+)\s*(?:\tInterface: \S+?\((?P<port>[^)]*)\))?\s*")
_STATE = re.compile(r"\t\t\tState: <(?P<flags>[^>]*)>")
_REST = re.compile(
    r"\s*"
    r"|\t\+ = Active Route.*|\t\* = Next hop in use"
    r"|\tRouting table for \w+ \(\d+\):"
    r"|\t\tDestinations: \d+\tRoutes: \d+"
    r"|\t\tHolddown: \d+\tDelete: \d+\tHidden: \d+"
    r"|\t\t\tentries \d+\tannounce \d+(?:\tstate <[^>]*>)?"
    r"|\t\t\tAge: .*|\t\t\tTask: .*|\t\t\tAnnouncement bits\(\d+\):.*|\t\t\tAS Path: .*"
    r"|\t\t(?:\tLocal AS: *\d+)?(?:\tPeer AS: *\d+)?"
    r"|\t+Previous state: .*"
)
"""Known lines that are not needed here."""


class GatedError(ValueError):
    """The text has no routing table."""


@dataclass
class GatedTable:
    """The routing table of one dump."""

    candidates: list[Candidate] = field(default_factory=list)
    unparsed: list[str] = field(default_factory=list)
    """Unknown lines of the section."""


@dataclass
class _Route:
    """A route while its lines are read."""

    prefix: IPv4Network
    mark: str
    protocol: str
    preference: int
    hops: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)

    def candidate(self) -> Candidate:
        # Release 2 has no marks: its state shows which route is active.
        active = self.mark in {"*", "+"} or "Active" in self.flags
        return Candidate(
            prefix=self.prefix,
            via=text.text(", ".join(self.hops)) or "nowhere",
            source=text.name(self.protocol),
            preference=self.preference,
            selected=active and "Delete" not in self.flags,
            usable=not self.flags & {"Delete", "HoldDown", "Hidden"},
        )


def table(dump: str) -> GatedTable:
    """The last routing table of a dump. Raises GatedError if there is none."""
    start = dump.rfind(_HEAD)
    if start < 0:
        raise GatedError("no routing table in the dump")
    found, routes = GatedTable(), list[_Route]()
    prefix: IPv4Network | None = IPv4Network("0.0.0.0/0")
    for line in dump[dump.rfind("\n", 0, start) + 1 :].splitlines():
        if _REST.fullmatch(line):
            continue
        if match := _DESTINATION.fullmatch(line):
            prefix = _network(match["address"], match["mask"])
            found.unparsed += [line] if prefix is None else []
        elif prefix is None:
            found.unparsed.append(line)
        elif match := _ROUTE.fullmatch(line):
            routes.append(_Route(prefix, match["mark"], match["protocol"], int(match["preference"])))
        elif routes and (match := _HOP.fullmatch(line)):
            _add_hop(routes[-1].hops, match["hop"], match["port"])
        elif routes and (match := _STATE.fullmatch(line)):
            routes[-1].flags |= set(match["flags"].split())
        else:
            found.unparsed.append(line)
    found.candidates = [route.candidate() for route in routes]
    return found


def _add_hop(hops: list[str], hop: str, port: str | None) -> None:
    hops.append(_padded(hop) if re.fullmatch(r"[\d.]+", hop) else (port or hop))


def _padded(address: str) -> str:
    """`10.1` as `10.1.0.0`."""
    return ".".join((*address.split("."), "0", "0", "0")[:4])


def _network(address: str, mask: str | None) -> IPv4Network | None:
    """None for a mask with holes, or an impossible address."""
    if address == "default":
        return IPv4Network("0.0.0.0/0")
    try:
        return IPv4Network((_padded(address), _padded(mask) if mask else 32), strict=False)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class GatedStatic:
    """One static route in one of our blocks of gated.conf."""

    prefix: IPv4Network
    gateway: IPv4Address
    preference: int


_STATIC = re.compile(
    r"(?:default|[\d.]+ (?:mask [\d.]+|masklen \d+)|host [\d.]+) gateway (?P<gateway>[\d.]+)"
    r" preference (?P<preference>\d+)(?: retain)? ?;"
)


def block_statics(conf: str) -> list[GatedStatic]:
    """The static routes that our blocks of a gated.conf contain, whether or not gated has read it.

    An incomplete block, or another statement in one, is skipped.
    """
    try:
        found = blocks.find(conf)
    except ValueError:
        return []
    return [
        GatedStatic(block.prefix, IPv4Address(match["gateway"]), int(match["preference"]))
        for block in found
        if isinstance(block.prefix, IPv4Network)
        for line in block.lines
        if (match := _STATIC.fullmatch(line))
    ]


def protocols(candidates: Iterable[Candidate]) -> dict[str, tuple[int, int]]:
    """Routes of each protocol: (selected, all)."""
    found: dict[str, tuple[int, int]] = {}
    for candidate in candidates:
        selected, known = found.get(candidate.source, (0, 0))
        found[candidate.source] = selected + candidate.selected, known + 1
    return found
