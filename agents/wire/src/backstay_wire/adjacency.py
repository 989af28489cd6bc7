"""Neighbours of a device's ports, as the device itself or its fabric manager reports them."""

from typing import Annotated, Literal

from pydantic import Field

from backstay_wire.base import Message, Name
from backstay_wire.report import ReportBase

Label = Annotated[str, Field(max_length=256)]
"""A name assigned by another device: data, never markup."""


class Adjacency(Message):
    """One port and its neighbour. At least one of `peer`, `peer_name` and `peer_id` is not empty."""

    port: Name
    peer: Annotated[str, Field(max_length=128)] = ""
    """The neighbour's node name at this site, where the agent knows it (InfiniBand GUIDs)."""
    peer_name: Label = ""
    """The neighbour's own name: lldpRemSysName, an InfiniBand node description."""
    peer_id: Label = ""
    """A hardware identity: chassis id, GUID (0x and 16 digits) or MAC, in lower case."""
    peer_port: Label = ""
    width: Annotated[str, Field(max_length=16)] = ""
    """InfiniBand: active width and speed, `4X 10.0 Gbps`."""


class AdjacencyReport(ReportBase):
    """All neighbours of one device from one source. It replaces the previous report."""

    kind: Literal["adjacencies"] = "adjacencies"
    source: Literal["lldp", "infiniband"]
    adjacencies: Annotated[list[Adjacency], Field(max_length=4096)]


class ForwardingEntry(Message):
    """One learnt address of a bridge (BRIDGE-MIB dot1dTpFdbTable, Q-BRIDGE-MIB dot1qTpFdbTable)."""

    port: Name
    mac: Annotated[str, Field(max_length=64)]
    vlan: Annotated[int, Field(ge=0, le=4095)] = 0
    """0 if the device has no VLANs."""


class ForwardingReport(ReportBase):
    """A bridge's whole forwarding database."""

    kind: Literal["forwarding"] = "forwarding"
    entries: Annotated[list[ForwardingEntry], Field(max_length=100_000)]
