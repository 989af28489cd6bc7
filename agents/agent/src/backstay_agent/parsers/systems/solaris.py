"""Solaris's `ifconfig -a`, `kstat -p` and `arp -an`. Pure.

`ifconfig -a` lists a port once per family and logical interface (`e1000g0:3`); here it occurs once, with all
their addresses. Every parser keeps the unknown lines.
"""

import re
from dataclasses import dataclass, field
from ipaddress import IPv4Address

from backstay_agent.parsers import text
from backstay_agent.parsers.systems.netstat import hardware_address
from backstay_wire import Neighbour

_PORT = re.compile(
    r"(?P<name>[^\s:]+)(?P<logical>:\d+)?: flags=[0-9a-f]+<(?P<flags>[^>]*)> mtu (?P<mtu>\d+)"
    r"(?: index (?P<index>\d+))?\s*"
)
_INET = re.compile(
    r"\s+inet (?P<address>[\d.]+)(?:/(?P<length>\d+))?(?: --> [\d.]+)?"
    r"(?: netmask (?P<mask>[0-9a-f]{1,8}))?(?: broadcast [\d.]+)?\s*"
)
_INET6 = re.compile(r"\s+inet6 (?P<address>[0-9a-f:.]+)/(?P<length>\d+)(?: --> [0-9a-f:.]+)?\s*")
_ETHER = re.compile(r"\s+ether (?P<mac>[0-9a-f]{1,2}(?::[0-9a-f]{1,2})+)\s*")
_PORT_NOISE = re.compile(
    r"\s*|\s+inet6? tunnel src \S+\s+tunnel dst \S+\s*|\s+tunnel (?:security settings|hop limit) .*"
    r"|\s+(?:groupname|usesrc|srcof|zone|token|ipib) \S.*"
)
_NONE = "0.0.0.0"  # noqa: S104 - what ifconfig shows of a port that has no address yet
_ARP = re.compile(
    r"(?P<port>[a-z][\w.]*)\s+(?P<address>[\d.]+)\s+(?P<mask>[\d.]+)(?:\s+(?P<flags>[A-Za-z]+))?"
    r"(?:\s+(?P<mac>[0-9a-f]{1,2}(?::[0-9a-f]{1,2})+))?\s*"
)
_ARP_NOISE = re.compile(r"\s*|Net to Media Table.*|Device\s+IP Address\s+Mask\s+.*|[- ]+")
_STATISTIC = re.compile(r"link:\d+:(?P<port>[^:\s]+):(?P<key>\w+)\s+(?P<value>\d+)\s*")


@dataclass
class SolarisPort:
    """One port with all its logical interfaces."""

    name: str
    index: int
    """0 if ifconfig prints none (an IPMP group of older releases)."""
    mtu: int
    flags: frozenset[str]
    mac: str = ""
    """Shown to root only."""
    addresses: list[str] = field(default_factory=list)


def ports(output: str) -> tuple[list[SolarisPort], list[str]]:
    """The ports of `ifconfig -a` in its order, and the unknown lines."""
    found: dict[str, SolarisPort] = {}
    unparsed: list[str] = []
    last: SolarisPort | None = None
    for line in output.splitlines():
        if match := _PORT.fullmatch(line):
            last = _merged(found, match)
        elif not _PORT_NOISE.fullmatch(line) and (last is None or not _take(last, line)):
            unparsed.append(line)
    return list(found.values()), unparsed


def _merged(found: dict[str, SolarisPort], match: re.Match[str]) -> SolarisPort:
    """A port is up if one of its interfaces is, and has the MTU of the first."""
    flags = frozenset(match["flags"].split(",")) - {""}
    port = found.setdefault(
        match["name"],
        SolarisPort(text.name(match["name"]), int(match["index"] or 0), int(match["mtu"]), flags),
    )
    port.flags |= flags
    return port


def _take(port: SolarisPort, line: str) -> bool:
    """Parse a line into the port; returns whether it is known."""
    try:
        if match := _INET.fullmatch(line):
            length = int(match["mask"], 16).bit_count() if match["mask"] else match["length"]
            if match["address"] != _NONE:
                port.addresses.append(text.own_address(match["address"], length))
        elif match := _INET6.fullmatch(line):
            port.addresses.append(text.own_address(match["address"], match["length"]))
        elif match := _ETHER.fullmatch(line):
            port.mac = hardware_address(match["mac"])[:64]
        else:
            return False
    except ValueError:
        return False
    return True


def statistics(output: str) -> tuple[dict[str, dict[str, int]], list[str]]:
    """`kstat -p link:::...`: each port's statistics by name, and the unknown lines."""
    found: dict[str, dict[str, int]] = {}
    unparsed: list[str] = []
    for line in output.splitlines():
        if match := _STATISTIC.fullmatch(line):
            found.setdefault(match["port"], {})[match["key"]] = int(match["value"])
        elif line.strip():
            unparsed.append(line)
    return found, unparsed


def neighbours(output: str) -> tuple[list[Neighbour], list[str]]:
    """The entries of `arp -an`, and the unknown lines.

    Flags: S static, P published (this host's own answer), M multicast mapping, U unresolved. Published and
    mapped entries are not neighbours.
    """
    return text.parse_lines(output, _neighbour)


def _neighbour(line: str) -> Neighbour | None:
    if _ARP_NOISE.fullmatch(line):
        return None
    match = _ARP.fullmatch(line)
    if match is None:
        raise ValueError("unknown line")
    flags = set(match["flags"] or "")
    if flags & {"P", "M"}:
        return None
    mac = hardware_address(match["mac"])[:64] if match["mac"] else ""
    state = "incomplete" if not mac else "static" if "S" in flags else "dynamic"
    return Neighbour(
        port=text.name(match["port"]), address=IPv4Address(match["address"]), mac=mac, state=state
    )
