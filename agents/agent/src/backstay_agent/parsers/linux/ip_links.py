"""iproute2's `ip -s link show` and `ip address show`: ports with their addresses and counters. Pure.

One grammar reads both: address lines occur only in the second, counters only in the first. Unknown lines are
kept.
"""

import re
from dataclasses import dataclass, field

from backstay_agent.parsers import text

_HEAD = re.compile(
    r"(?P<index>\d+): (?P<name>\S+?)(?:@\S+)?: <(?P<flags>[^>]*)> mtu (?P<mtu>\d+)(?P<rest>(?: \S+)*)\s*"
)
_LINK = re.compile(r"\s+link/(?P<type>\S+)(?: (?P<mac>[0-9a-f.:]+))?(?: (?:brd|peer) \S+)?(?P<rest>.*)")
_ADDRESS = re.compile(
    r"\s+inet6? (?P<address>[0-9a-f.:]+)(?: peer [0-9a-f.:]+)?/(?P<length>\d+)(?: [\w.:@-]+)*\s*"
)
_ALIAS = re.compile(r"\s+alias (?P<alias>.*)")
_COLUMNS = re.compile(r"\s+(?P<way>RX|TX):(?P<columns>(?:\s+[a-z]+)+)\s*")
_NUMBERS = re.compile(r"(?:\s+\d+)+\s*")
_NOISE = re.compile(
    r"\s*|\s+valid_lft .*|\s+altname \S+|\s+vf \d+ .*|\s+prog/xdp .*|\s+link-netns(?:id)? \S+"
)


@dataclass
class IpLink:
    """One port."""

    name: str
    index: int
    flags: frozenset[str]
    mtu: int
    medium: str = ""
    """After `link/`: ether, infiniband, loopback, none, ..."""
    mac: str = ""
    alias: str = ""
    master: str = ""
    addresses: list[str] = field(default_factory=list)
    """`10.1.0.1/24`, our own end on a point-to-point port."""
    received: dict[str, int] = field(default_factory=dict)
    """By the column's name: bytes, packets, errors, dropped, missed (or overrun), mcast."""
    sent: dict[str, int] = field(default_factory=dict)
    """By the column's name: bytes, packets, errors, dropped, carrier, collsns."""


def links(output: str) -> tuple[list[IpLink], list[str]]:
    """The ports in the kernel's order, and the unknown lines."""
    found: list[IpLink] = []
    unparsed: list[str] = []
    heading: re.Match[str] | None = None
    for line in output.splitlines():
        columns, heading = heading, None
        if head := _HEAD.fullmatch(line):
            found.append(_link(head))
        elif _NOISE.fullmatch(line):
            continue
        elif not found:
            unparsed.append(line)
        elif match := _COLUMNS.fullmatch(line):
            heading = match
        elif columns is not None and _NUMBERS.fullmatch(line):
            _count(found[-1], columns, line)
        elif not _take(found[-1], line):
            unparsed.append(line)
    return found, unparsed


def _link(head: re.Match[str]) -> IpLink:
    flags = frozenset(head["flags"].split(",")) - {""}
    tokens = head["rest"].split()
    master = tokens[tokens.index("master") + 1] if "master" in tokens[:-1] else ""
    return IpLink(text.name(head["name"]), int(head["index"]), flags, int(head["mtu"]), master=master)


def _take(port: IpLink, line: str) -> bool:
    """Parse a line into the port; returns whether it is known."""
    if match := _ADDRESS.fullmatch(line):
        try:
            port.addresses.append(text.own_address(match["address"], match["length"]))
        except ValueError:
            return False
    elif match := _LINK.fullmatch(line):
        port.medium, port.mac = match["type"], (match["mac"] or "")[:64]
    elif match := _ALIAS.fullmatch(line):
        port.alias = text.text(match["alias"])
    else:
        return False
    return True


def _count(port: IpLink, columns: re.Match[str], line: str) -> None:
    """Only the first table counts: later ones are those of the port's virtual functions (SR-IOV)."""
    counters = port.received if columns["way"] == "RX" else port.sent
    if not counters:
        counters |= zip(columns["columns"].split(), map(int, line.split()), strict=False)
