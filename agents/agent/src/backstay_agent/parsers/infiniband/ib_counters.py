"""Parses `ibqueryerrors`: counters by port, and failed queries.

One port's line holds `[Name == value]`, or `[Name == value (1.5K)]` for a 64-bit value. The tool gets a name
map that turns each node's description into its GUID (see ib_links), so headings name GUIDs.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from backstay_agent.parsers import text
from backstay_agent.parsers.infiniband.ib_topology import PortKey, guid

ALL_PORTS = 255
"""Port number of a line `port ALL`: the sum over a node's ports (AllPortSelect)."""

_HEADING = re.compile(r'(?:Errors|Data Counters) for (?:0x(?P<guid>[0-9a-f]+) )?"(?P<name>.*)"')
_PORT = re.compile(r"   GUID 0x([0-9a-f]+) port (\d+|ALL)")
_LINK_INFO = re.compile(r"\s+Link info:.*")
_SUMMARY = re.compile(r"## Summary: (\d+) nodes checked, \d+ bad nodes found")
_PORTS = re.compile(r"##\s+(\d+) ports checked, .*")
_NODE_GUID = re.compile(r"0x[0-9a-f]{16}")
_FAILED = re.compile(
    r"ibwarn: \[\d+\] (?:query_cap_mask|print_errors|print_data_cnts): .* query failed on (?P<name>.*), "
    r".*port \d+\s*"
)
"""Not query_and_dump: many devices have no details of discards and return an error at once."""

Counters = Mapping[str, int]


@dataclass(slots=True)
class Sweep:
    """The output of one run of the tool."""

    ports: dict[PortKey, dict[str, int]] = field(default_factory=dict)
    """Counters by the tool's own names. Keyed by the node's GUID if the heading names it, else by the GUID of
    the line, which is the port's for a channel adapter."""
    wide: dict[PortKey, set[str]] = field(default_factory=dict)
    """Names of those with 64 bits."""
    nodes_checked: int = 0
    ports_checked: int = 0
    complete: bool = False
    """The summary was printed: the run completed."""
    unparsed: list[str] = field(default_factory=list)


class Reader:
    """Reads the tool's standard output piece by piece, while the tool still queries the fabric."""

    def __init__(self) -> None:
        self.found = Sweep()
        self._owner = ""

    def feed(self, lines: Iterable[str]) -> None:
        """Parse further lines."""
        found = self.found
        for line in lines:
            if _add_port(found, self._owner, line) or not line.strip() or _LINK_INFO.fullmatch(line):
                continue
            if (heading := _HEADING.fullmatch(line)) is not None:
                self._owner = heading["name"] if _NODE_GUID.fullmatch(heading["name"]) else ""
            elif not _summary(found, line):
                found.unparsed.append(text.text(line))


def sweep(lines: Iterable[str]) -> Sweep:
    """Parse the whole standard output of the tool, including that of an aborted run."""
    reader = Reader()
    reader.feed(lines)
    return reader.found


def _add_port(found: Sweep, owner: str, line: str) -> bool:
    """Parse a port's line; False if it is not one. Thousands per sweep: splitting is twice as fast as a
    pattern."""
    head, bracket, rest = line.partition(": [")
    if not bracket or (port := _PORT.fullmatch(head)) is None or not rest.endswith("]"):
        return False
    counters: dict[str, int] = {}
    wide: set[str] = set()
    for item in rest[:-1].split("] ["):
        name, equals, value = item.partition(" == ")
        digits, unit, _ = value.partition(" ")
        if not equals or not digits.isdecimal():
            return False
        counters[name] = int(digits)
        if unit:
            wide.add(name)
    key = (owner or guid(port[1]), ALL_PORTS if port[2] == "ALL" else int(port[2]))
    found.ports[key], found.wide[key] = counters, wide
    return True


def _summary(found: Sweep, line: str) -> bool:
    """Parse a line of the closing summary; False if it is not one."""
    if not line.startswith("##"):
        return False
    if (match := _SUMMARY.fullmatch(line)) is not None:
        found.nodes_checked, found.complete = int(match[1]), True
    elif (match := _PORTS.fullmatch(line)) is not None:
        found.ports_checked = int(match[1])
    return True


def failed_node(line: str) -> str | None:
    """The node's name (by our map: its GUID) in a line of standard error about an unanswered query."""
    found = _FAILED.fullmatch(line)
    return found["name"] if found is not None else None
