"""Linux's neighbours as text: iproute2's `ip neighbour show`, net-tools' `arp -an` and `arp -n`. Pure.

Every parser keeps the lines that no rule knows.
"""

import re
from ipaddress import ip_address

from backstay_agent.parsers import text
from backstay_wire import Neighbour

_MAC = r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2})+"
_NEIGHBOUR = re.compile(
    r"(?P<address>[0-9a-f.:]+) dev (?P<port>\S+)(?: lladdr (?P<mac>[0-9a-f.:]+))?"
    r"(?: (?:router|proxy|managed|extern_learn|extern_valid|offload|proto \S+))*"
    r"(?: (?P<state>[A-Z]+))?\s*"
)
_ARP_AN = re.compile(
    rf"\S+ \((?P<address>[\d.]+)\) at (?P<mac>{_MAC}|<incomplete>|<from_interface>)(?: \[\S+\])?"
    r"(?P<flags>(?: (?:PERM|PUB|PUP|TRAIL))*)(?: netmask \S+)?(?: on (?P<port>\S+))?\s*"
)
_ARP_N = re.compile(
    rf"(?P<address>\S+)\s+(?:\S+\s+(?P<mac>{_MAC})|\S+\s+<from_interface>|\(incomplete\))"
    r"(?:\s+(?P<flags>[CMP]+))?(?:\s+(?P<mask>[\d.]+))?\s+(?P<port>[^\s*]\S*)\s*"
)
_ARP_N_NOISE = re.compile(r"\s*|Address\s+HWtype\s+HWaddress\s+Flags Mask\s+Iface\s*")
_SPEED = re.compile(r"/sys/class/net/[^/]+/device/net/(?P<port>[^/]+)/speed:(?P<speed>-?\d+)\s*")

Found = tuple[list[Neighbour], list[str]]
"""Neighbours, and the lines that no rule knows."""


def neighbours(said: str) -> Found:
    """`ip neighbour show`; what the kernel made up itself (NOARP) or answers for others is left out."""
    found: list[Neighbour] = []
    unparsed: list[str] = []
    for line in said.splitlines():
        if match := _NEIGHBOUR.fullmatch(line):
            if match["state"] not in (None, "NOARP", "NONE"):
                _add(found, match, match["state"].lower())
        elif line.strip():
            unparsed.append(line)
    return found, unparsed


def arp(said: str) -> Found:
    """`arp -an`; what this host answers for others (PUB) is left out."""
    found: list[Neighbour] = []
    unparsed: list[str] = []
    for line in said.splitlines():
        if match := _ARP_AN.fullmatch(line):
            if "PUB" not in match["flags"]:
                _add(found, match, _state(match["mac"], "PERM" in match["flags"]))
        elif line.strip():
            unparsed.append(line)
    return found, unparsed


def arp_table(said: str) -> Found:
    """`arp -n`, which is VyOS's `show arp` too; what this host answers for others (P) is left out."""
    found: list[Neighbour] = []
    unparsed: list[str] = []
    for line in said.splitlines():
        if _ARP_N_NOISE.fullmatch(line):
            continue
        if match := _ARP_N.fullmatch(line):
            flags = match["flags"] or ""
            if "P" not in flags:
                _add(found, match, _state(match["mac"] or "<", "M" in flags))
        else:
            unparsed.append(line)
    return found, unparsed


def _state(mac: str, lasting: bool) -> str:
    if mac.startswith("<"):
        return "incomplete"
    return "permanent" if lasting else "dynamic"


def _add(found: list[Neighbour], match: re.Match[str], state: str) -> None:
    mac = match["mac"] or ""
    found.append(
        Neighbour(
            port=text.name(match["port"] or ""),
            address=ip_address(match["address"]),
            mac="" if mac.startswith("<") else mac.lower()[:64],
            state=state[:16],
        )
    )


def speeds(said: str) -> dict[str, int]:
    """Bit/s of each physical port, from its line `/sys/class/net/eth0/device/net/eth0/speed:10000` (Mbit/s).

    A port that is down says -1, and is left out (sysfs-class-net).
    """
    found = (_SPEED.fullmatch(line) for line in said.splitlines())
    return {
        match["port"]: int(match["speed"]) * 1_000_000 for match in found if match and int(match["speed"]) > 0
    }
