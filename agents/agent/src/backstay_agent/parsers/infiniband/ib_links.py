"""Parses `iblinkinfo -l`: the state of every port, cabled or not, its active values, and those that both ends
support.

The tool gets a name map that turns each node's description into its GUID, so its output contains no device
text; a line with any other text in a name's place is still parsed unless it is ambiguous.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backstay_agent.parsers import text
from backstay_agent.parsers.infiniband.ib_topology import PortKey, guid

_LINE = re.compile(
    r'\s*(?:0x(?P<guid>[0-9a-f]+) )?(?:"(?P<name>.*)")?\s*(?P<lid>\d+)\s+(?P<port>\d+)\[.{0,3}\]\s*==\('
    r"\s*(?:(?P<width>\d+)X\s+(?P<speed>[\d.]+) Gbps(?: \((?P<variant>\w+)\))?|(?:\d+X\s+)?Unknown)?"
    r"\s*(?P<state>[A-Za-z]+)\s*/\s*(?P<physical>[A-Za-z]+)\)==>"
    r'\s*(?:(?:(?:0x[0-9a-f]+)?\s*(?P<peer_lid>\d+)\s+(?P<peer_port>\d+))?\s*\[.{0,3}\]\s*"(?P<peer>.*)"'
    r'\s*\((?P<note>[^()]*)\)|"Port not available")\s*'
)
_COULD_WIDTH = re.compile(r"Could be (\d+)X")
_COULD_SPEED = re.compile(r"Could be ([\d.]+ Gbps|\w*FDR10)")
_ARROW = "==("


@dataclass(frozen=True, slots=True)
class PortLink:
    """One port's link as PortInfo (IBTA volume 1, 14.2.5.6) describes it."""

    state: str
    """down, initialize, armed or active (logical)."""
    physical: str
    """polling, disabled, linkup, ... in lower case."""
    width: int = 0
    """Active lanes; 0 if there is no link."""
    speed: str = ""
    """Active speed as the tool prints it, `10.0 Gbps` for a 4X link's lane; empty if there is no link."""
    could_width: int = 0
    """Lanes that both ends support, if more than active."""
    could_speed: str = ""
    """Speed that both ends support, if higher than the active one."""


@dataclass(frozen=True, slots=True)
class Links:
    """Every port's link; `unparsed` holds the unknown lines."""

    ports: Mapping[PortKey, PortLink]
    unparsed: tuple[str, ...] = ()


def links(lines: Iterable[str]) -> Links:
    """The links in the output of `iblinkinfo -l`, by the GUID at the line's start: for a channel adapter that
    is its port's, unless the name map has the node's. A heading that ends in a colon is skipped."""
    ports: dict[PortKey, PortLink] = {}
    unparsed: list[str] = []
    heading = ""
    for line in lines:
        if not line.strip():
            continue
        if line.rstrip().endswith(":"):
            heading = line.strip()
            continue
        found = _LINE.fullmatch(line) if line.count(_ARROW) == 1 else None
        if found is None:
            unparsed.append(text.text(line))
            continue
        owner = _owner(found, heading)
        ports[owner, int(found["port"])] = _link(found)
    return Links(ports, tuple(unparsed))


_GUID = re.compile(r"0x[0-9a-f]{16}")


def _owner(found: re.Match[str], heading: str) -> str:
    named = (found["name"] or "").strip()
    if _GUID.fullmatch(named):
        return named
    if found["guid"] is not None:
        return guid(found["guid"])
    in_heading = _GUID.search(heading)
    return in_heading[0] if in_heading else text.text(heading)


def _link(found: re.Match[str]) -> PortLink:
    note = found["note"] or ""
    could_width, could_speed = _COULD_WIDTH.search(note), _COULD_SPEED.search(note)
    speed = found["variant"] or (f"{found['speed']} Gbps" if found["speed"] else "")
    return PortLink(
        state=found["state"].lower(),
        physical=found["physical"].lower(),
        width=int(found["width"] or 0),
        speed=speed,
        could_width=int(could_width[1]) if could_width else 0,
        could_speed=could_speed[1] if could_speed else "",
    )
