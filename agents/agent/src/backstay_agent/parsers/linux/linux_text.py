"""Linux neighbours as text: iproute2's `ip neighbour show`, net-tools' `arp -an` and `arp -n`. Pure.

Every parser keeps the unknown lines.
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
_ARP_N_HEAD = re.compile(r"Address\s+HWtype\s+HWaddress\s+Flags Mask\s+Iface\s*")
_SPEED = re.compile(r"/sys/class/net/[^/]+/device/net/(?P<port>[^/]+)/speed:(?P<speed>-?\d+)\s*")

Found = tuple[list[Neighbour], list[str]]
"""Neighbours, and the unknown lines."""


def neighbours(output: str) -> Found:
    """`ip neighbour show`, without entries made by the kernel itself (NOARP) and proxy entries."""
    return text.parse_lines(output, _neighbour)


def _neighbour(line: str) -> Neighbour | None:
    match = _known(_NEIGHBOUR.fullmatch(line))
    state = match["state"]
    return None if state in (None, "NOARP", "NONE") else _entry(match, state.lower())


def arp(output: str) -> Found:
    """`arp -an`, without proxy entries (PUB)."""
    return text.parse_lines(output, _arp)


def _arp(line: str) -> Neighbour | None:
    match = _known(_ARP_AN.fullmatch(line))
    return None if "PUB" in match["flags"] else _entry(match, _state(match["mac"], "PERM" in match["flags"]))


def arp_table(output: str) -> Found:
    """`arp -n`, which equals VyOS's `show arp`, without proxy entries (P)."""
    return text.parse_lines(output, _arp_row)


def _arp_row(line: str) -> Neighbour | None:
    if _ARP_N_HEAD.fullmatch(line):
        return None
    match = _known(_ARP_N.fullmatch(line))
    flags = match["flags"] or ""
    return None if "P" in flags else _entry(match, _state(match["mac"], "M" in flags))


def _known(match: re.Match[str] | None) -> re.Match[str]:
    if match is None:
        raise ValueError("unknown line")
    return match


def _state(mac: str | None, lasting: bool) -> str:
    if not mac or mac.startswith("<"):
        return "incomplete"
    return "permanent" if lasting else "dynamic"


def _entry(match: re.Match[str], state: str) -> Neighbour:
    mac = match["mac"] or ""
    return Neighbour(
        port=text.name(match["port"] or ""),
        address=ip_address(match["address"]),
        mac="" if mac.startswith("<") else mac.lower()[:64],
        state=state[:16],
    )


def speeds(output: str) -> dict[str, int]:
    """Bit/s of each physical port, from its line `/sys/class/net/eth0/device/net/eth0/speed:10000` (Mbit/s).

    A port that is down reports -1 and is left out (sysfs-class-net).
    """
    found = (_SPEED.fullmatch(line) for line in output.splitlines())
    return {
        match["port"]: int(match["speed"]) * 1_000_000 for match in found if match and int(match["speed"]) > 0
    }
