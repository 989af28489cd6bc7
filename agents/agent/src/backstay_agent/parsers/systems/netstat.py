"""Berkeley's `netstat -in` as AIX and IRIX print it: one port per row, further addresses below.

Columns: Name, Mtu, Network, Address, Ipkts, Ierrs, Opkts, Oerrs, Coll. A star after the name means that the
port is down. `-a` adds indented rows with multicast and hardware addresses.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Address

_ROW = re.compile(
    r"(?P<name>[a-z][\w.]*?)(?P<down>\*?)\s+(?P<mtu>\d+)\s+(?P<middle>\S.*?)\s+"
    r"(?P<counters>\d+\s+\d+\s+\d+\s+\d+\s+\d+)"
)
_HEADER = re.compile(r"\s*Name\s+Mtu\s+Network\s+Address\s+.*")
_EXTRA = re.compile(r"\s+[0-9A-Fa-f:.]+(?:\s*\(.*\))?")
_MAC = re.compile(r"[0-9a-f]{1,2}(?:[.:][0-9a-f]{1,2}){5}", re.IGNORECASE)


@dataclass
class Interface:
    """One port; the counters are the system's, which may be 32 bits wide."""

    name: str
    up: bool
    mtu: int
    in_packets: int
    in_errors: int
    out_packets: int
    out_errors: int
    collisions: int
    mac: str = ""
    addresses: list[IPv4Address] = field(default_factory=list)


@dataclass
class Interfaces:
    """The table, and the unknown lines."""

    ports: list[Interface] = field(default_factory=list)
    unparsed: list[str] = field(default_factory=list)


def interfaces(output: str) -> Interfaces:
    """The table of `netstat -in` or `-ina`. A port has a row for each address; the first one counts."""
    found: dict[str, Interface] = {}
    last: Interface | None = None
    unparsed: list[str] = []
    for line in output.splitlines():
        if not line.strip() or _HEADER.fullmatch(line):
            continue
        if row := _ROW.fullmatch(line.rstrip()):
            last = found.setdefault(row["name"], _interface(row))
            _add(last, row["middle"].split())
        elif last is not None and _EXTRA.fullmatch(line.rstrip()):
            _add(last, [token for token in line.split() if _MAC.fullmatch(token)])
        else:
            unparsed.append(line)
    return Interfaces(list(found.values()), unparsed)


def _interface(row: re.Match[str]) -> Interface:
    numbers = [int(number) for number in row["counters"].split()]
    received, bad_received, sent, bad_sent, collisions = numbers
    return Interface(
        row["name"], not row["down"], int(row["mtu"]), received, bad_received, sent, bad_sent, collisions
    )


def _add(port: Interface, tokens: list[str]) -> None:
    """Parse a hardware or IPv4 address from a row's last token, if it is one."""
    for token in tokens[-1:]:
        if _MAC.fullmatch(token):
            port.mac = hardware_address(token)
        else:
            port.addresses += [address for address in _address(token) if address not in port.addresses]


def _address(token: str) -> Iterator[IPv4Address]:
    try:
        yield IPv4Address(token)
    except ValueError:
        return


def hardware_address(token: str) -> str:
    """`6e:87:70:0:40:3` and `6e.87.70.0.40.3` as `6e:87:70:00:40:03`."""
    return ":".join(part.zfill(2) for part in re.split(r"[:.]", token.lower()))
