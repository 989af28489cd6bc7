"""Parses `ibnetdiscover`: a fabric's nodes by GUID and the peer of each port.

Node descriptions are free text set by anyone. Everything before one on its line has a fixed format, and what
follows it is parsed from the line's end, so a description cannot imitate anything else.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from backstay_agent.parsers import text

NodeKind = Literal["switch", "ca", "router"]
PortKey = tuple[str, int]
"""Node GUID (0x and 16 digits, lower case) and port number."""

_ATTRIBUTE = re.compile(
    r"(?P<key>vendid|devid|sysimgguid|switchguid|caguid|rtguid)=0x(?P<value>[0-9a-f]+)"
    r"(?:\((?P<port>[0-9a-f]+)\))?\s*"
)
_NODE = re.compile(
    r'(?P<kind>Switch|Ca|Rt)\s+(?P<ports>\d+)\s+"[SHR]-(?P<guid>[0-9a-f]{16})"\s*#\s*"(?P<name>.*)"(?P<rest>[^"]*)'
)
_LID = re.compile(r"\blid (\d+)")
_PORT = re.compile(
    r"\[(?P<port>\d+)\](?:\[ext \d+\])?(?:\((?P<port_guid>[0-9a-f]+)\))?\s+"
    r'"[SHR]-(?P<peer>[0-9a-f]{16})"\[(?P<peer_port>\d+)\](?:\[ext \d+\])?(?:\([0-9a-f]+\))?\s*#\s*'
    r'(?:lid (?P<lid>\d+) lmc \d+ )?"(?P<peer_name>.*)"\s+lid \d+\s+(?P<width>\d+)x(?P<speed>[A-Z0-9?]+)\s*'
)
_KINDS: dict[str, NodeKind] = {"Switch": "switch", "Ca": "ca", "Rt": "router"}


@dataclass(frozen=True, slots=True)
class Cable:
    """The other end of a port."""

    peer: PortKey
    width: int
    """Active lanes: 1, 2, 4, 8 or 12."""
    speed: str
    """Active speed by name: SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR; `???` if unknown."""


@dataclass(slots=True)
class FabricNode:
    """A switch, channel adapter or router."""

    guid: str
    kind: NodeKind
    port_count: int
    name: str
    """The node description: data, never markup."""
    lid: int = 0
    port_guids: dict[int, str] = field(default_factory=dict)
    """GUIDs of ports; a switch's own has the key 0."""


@dataclass(frozen=True, slots=True)
class IbTopology:
    """A fabric at one moment, as far as it answered."""

    nodes: Mapping[str, FabricNode]
    cables: Mapping[PortKey, Cable]
    unparsed: tuple[str, ...] = ()
    """Unknown lines; no known release prints any."""


def guid(digits: str) -> str:
    """A GUID in the wire's format, from 1 to 16 hexadecimal digits with or without 0x."""
    return f"0x{int(digits, 16):016x}"


def topology(lines: Iterable[str]) -> IbTopology:
    """The fabric in the output of `ibnetdiscover` (infiniband-diags 1.6 to 50)."""
    nodes: dict[str, FabricNode] = {}
    cables: dict[PortKey, Cable] = {}
    unparsed: list[str] = []
    node: FabricNode | None = None
    switch_port_guid: str | None = None
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        if (found := _PORT.fullmatch(line)) is not None and node is not None:
            _add_port(node, found, cables)
        elif (found := _NODE.fullmatch(line)) is not None:
            node = _node(found)
            if switch_port_guid is not None:
                node.port_guids[0] = switch_port_guid
            nodes[node.guid], switch_port_guid = node, None
        elif (found := _ATTRIBUTE.fullmatch(line)) is not None:
            if found["port"] is not None:
                switch_port_guid = guid(found["port"])
        else:
            unparsed.append(text.text(line))
    return IbTopology(nodes, cables, tuple(unparsed))


def _node(found: re.Match[str]) -> FabricNode:
    kind = _KINDS[found["kind"]]
    lid = _LID.search(found["rest"])
    name = text.text(found["name"].strip())
    return FabricNode(guid(found["guid"]), kind, int(found["ports"]), name, int(lid[1]) if lid else 0)


def _add_port(node: FabricNode, found: re.Match[str], cables: dict[PortKey, Cable]) -> None:
    number = int(found["port"])
    if found["port_guid"] is not None:
        node.port_guids[number] = guid(found["port_guid"])
    if found["lid"] is not None:
        node.lid = int(found["lid"])
    peer = (guid(found["peer"]), int(found["peer_port"]))
    cables[node.guid, number] = Cable(peer, int(found["width"]), found["speed"])
