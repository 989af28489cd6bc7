"""Output of InfiniBand tools that the sweep does not run, as operators save it: `ibnetdiscover -p`,
`perfquery`, `ibhosts` and `ibswitches`, `ibswinfo`. Each parser returns the values and the unknown lines.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from backstay_agent.parsers import text
from backstay_agent.parsers.infiniband.ib_topology import PortKey, guid

_END = r"(?:CA|SW|RT)\s+\d+\s+(?P<{0}port>\d+)\s+0x(?P<{0}guid>[0-9a-f]{{16}})"
_PORT = re.compile(
    _END.format("")
    + r"\s+(?P<width>\d+)x\s+(?P<speed>\S+)\s+"
    + r"(?:-\s+"
    + _END.format("peer_")
    + r"\s+\(\s*'.*'\s*\)|'.*'|(?!-\s)\S.*)\s*"
)
_COUNTER = re.compile(r"(\w+):\.+(0x[0-9a-fA-F]+|\d+)\s*")
_COUNTERS_OF = re.compile(r"# .+?: Lid (\d+) port (\d+)(?: \(.*\))?\s*")
_NODE = re.compile(r'(?:Ca|Switch|Rt)\s*: 0x(?P<guid>[0-9a-f]+) ports (?P<ports>\d+) "(?P<name>.*)"[^"]*')
_FACT = re.compile(r"\s*(\S[^|]*?)\s*\|\s*(.*?)\s*")
_RULE = re.compile(r"[=-]+\s*")
_PART = re.compile(r"PSU\d+ status")


@dataclass(frozen=True, slots=True)
class IbSavedPort:
    """One line of `ibnetdiscover -p`. GUIDs are those of ports."""

    width: int
    speed: str
    peer: PortKey | None
    """None: nothing is connected."""


def ports(lines: Iterable[str]) -> tuple[dict[PortKey, IbSavedPort], list[str]]:
    """The ports of `ibnetdiscover -p`, including old releases, which print a lone name without quotes."""
    found: dict[PortKey, IbSavedPort] = {}
    unparsed: list[str] = []
    for line in filter(str.strip, lines):
        if (match := _PORT.fullmatch(line)) is None:
            unparsed.append(text.text(line))
            continue
        peer = (guid(match["peer_guid"]), int(match["peer_port"])) if match["peer_guid"] else None
        key = (guid(match["guid"]), int(match["port"]))
        found[key] = IbSavedPort(int(match["width"]), match["speed"], peer)
    return found, unparsed


def counters(lines: Iterable[str]) -> tuple[dict[tuple[int, int], dict[str, int]], list[str]]:
    """The counters of `perfquery`, plain, `-x` or `-E`, by LID and port; several runs may follow each
    other."""
    found: dict[tuple[int, int], dict[str, int]] = {}
    unparsed: list[str] = []
    current: dict[str, int] = {}
    for line in filter(str.strip, lines):
        if (heading := _COUNTERS_OF.fullmatch(line)) is not None:
            current = found.setdefault((int(heading[1]), int(heading[2])), {})
        elif (match := _COUNTER.fullmatch(line)) is not None:
            current[match[1]] = int(match[2], 16 if match[2].startswith("0x") else 10)
        else:
            unparsed.append(text.text(line))
    return found, unparsed


def nodes(lines: Iterable[str]) -> tuple[dict[str, tuple[str, int]], list[str]]:
    """GUID -> (description, number of ports) in the output of `ibhosts` and `ibswitches`."""
    found: dict[str, tuple[str, int]] = {}
    unparsed: list[str] = []
    for line in filter(str.strip, lines):
        if (match := _NODE.fullmatch(line)) is not None:
            found[guid(match["guid"])] = (text.text(match["name"]), int(match["ports"]))
        else:
            unparsed.append(text.text(line))
    return found, unparsed


def switch_facts(lines: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """`ibswinfo` of an unmanaged switch; the facts of a power supply are listed under its name. The line
    between the first two rules is the switch's own title."""
    found: dict[str, str] = {}
    unparsed: list[str] = []
    part = ""
    for line in filter(str.strip, lines):
        if _RULE.fullmatch(line):
            part = ""
        elif (match := _FACT.fullmatch(line)) is not None:
            if _PART.fullmatch(match[1]):
                part = match[1].removesuffix("status")
                found[match[1]] = match[2]
            else:
                found[(part if line.startswith(" ") else "") + match[1]] = match[2]
        elif "title" not in found:
            found["title"] = text.text(line.strip())
        else:
            unparsed.append(text.text(line))
    return found, unparsed
