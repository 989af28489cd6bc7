"""A GigaRouter's `grcard` and `grstat`: cards, and a port's counters at layer 2 and for IP. Pure.

Both forms of grstat begin with the port's name alone on a line; named sections with rows of a count and its
description follow. Every parser keeps the unknown lines.
"""

import re
from dataclasses import dataclass, field

from backstay_agent.parsers import text

_CARD = re.compile(r"\s*(?P<slot>\d+)\s+(?P<hardware>[A-Z][A-Z0-9_]*)\s+(?P<state>\S(?:.*\S)?)\s*")
_PORT = re.compile(r"g[a-z]0[0-9a-f]{2}")
_SECTION = re.compile(r"\s+(?P<name>ipstat|ipdrop|icmperr|icmpin|icmpout|Layer 2 statistics)\s*")
_HEADER = re.compile(r"\s*|\s+physical port \d+\s*|\s+count\s+.*|(?:\s+last)+\s*")
_ROW = re.compile(r"\s+(?P<count>\d+)\s+(?P<text>\S.*?)\s*")
_DROP = re.compile(r"(?P<source>[\d.]+)\s+(?P<destination>[\d.]+)\s+(?P<reason>\S.*)")
_LAYER_2 = "Layer 2 statistics"


@dataclass(frozen=True, slots=True)
class Card:
    """One row of grcard."""

    slot: int
    hardware: str
    """`DEV1_V1`, `ATM_OC3_V2`."""
    state: str
    """`running`, or the fault."""


@dataclass
class GrfCounts:
    """Counters of one port, by the labels of the rows."""

    port: str
    layer2: dict[str, int] = field(default_factory=dict)
    ip: dict[str, int] = field(default_factory=dict)
    drops: dict[str, int] = field(default_factory=dict)
    """By reason."""
    icmp: dict[str, int] = field(default_factory=dict)
    """Messages by section: icmperr, icmpin, icmpout; a section without rows counts 0."""


def cards(output: str) -> tuple[list[Card], list[str]]:
    """The cards in the chassis, and the unknown lines."""
    return text.parse_lines(output, _card)


def _card(line: str) -> Card:
    match = _CARD.fullmatch(line)
    if match is None:
        raise ValueError("not a row of grcard")
    return Card(int(match["slot"]), match["hardware"][:64], text.name(match["state"]))


def counts(output: str) -> tuple[list[GrfCounts], list[str]]:
    """Each port of `grstat all` or `grstat -a l2`, and the unknown lines."""
    found: list[GrfCounts] = []
    unparsed: list[str] = []
    section = ""
    for line in output.splitlines():
        if _PORT.fullmatch(line.strip()):
            found.append(GrfCounts(line.strip()))
            section = ""
        elif found and (match := _SECTION.fullmatch(line)):
            section = match["name"]
            if section.startswith("icmp"):
                found[-1].icmp.setdefault(section, 0)
        elif not _HEADER.fullmatch(line) and not (section and _take(found[-1], section, line)):
            unparsed.append(line)
    return found, unparsed


def _take(port: GrfCounts, section: str, line: str) -> bool:
    """Count a row of the section; returns whether the line is one."""
    row = _ROW.fullmatch(line)
    if row is None:
        return False
    count, label = int(row["count"]), row["text"]
    if section.startswith("icmp"):
        port.icmp[section] += count
    elif section == "ipdrop":
        drop = _DROP.fullmatch(label)
        if drop is None:
            return False
        port.drops[drop["reason"]] = port.drops.get(drop["reason"], 0) + count
    else:
        (port.layer2 if section == _LAYER_2 else port.ip)[label] = count
    return True
