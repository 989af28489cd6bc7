"""Extension nodes, intended and reported, and the check of a new one."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from backstay.api.changes.schemas import CheckOut
from backstay.api.http.schemas import Body, State
from backstay.core.planning.extension.compare import Verdict
from backstay.core.planning.extension.ports import Use

NodeName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
PortName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9./:_-]{0,127}$")]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class ExtensionAttribute(BaseModel):
    """One attribute: intended, and as in the router's row of the SP dependent-node MIB."""

    key: str
    title: str
    sdr: str = Field(description="`Class.attribute` of the SDR; empty: uncertain or none")
    object: str = Field(description="MIB object; empty: none")
    intended: str | None = Field(description="Null: not declared")
    reported: str | None = Field(description="Null: the router does not report it")
    verdict: Verdict
    text: str = Field(description="Meaning of the difference, as a sentence; empty: no difference")
    severe: bool = Field(description="Whether it causes packet loss")


class ExtensionValue(BaseModel):
    """An attribute passed to a command."""

    name: str
    value: str


class ExtensionStep(BaseModel):
    """One manual step, on the control workstation unless its text names another host."""

    command: str = Field(description="Verified part of the command; empty: no command exists")
    text: str
    values: list[ExtensionValue] = Field(description="Attributes passed to it")


class ExtensionOut(BaseModel):
    """A gateway attached to an SP switch as an extension node."""

    id: int = Field(description="Id of the node")
    name: str
    port: str
    fabric: str
    state: State = Field(description="unknown: not reported by the router")
    state_text: str
    place: str = Field(description="`frame 1 slot 16`; empty: not declared")
    node_number: int | None
    switch_node_number: int | None
    address: str | None
    arp: bool = Field(description="Whether ARP runs on the switch")
    arp_source: str = Field(description="Source of the ARP state")
    reported_at: datetime | None = Field(description="When its router last reported a row")
    age_s: float | None
    attributes: list[ExtensionAttribute]
    checks: list[CheckOut] = Field(description="Whether it can be attached as intended")
    steps: list[ExtensionStep]
    undo: list[ExtensionStep]
    incident_id: int | None
    url: str


class ExtensionIn(Body):
    """An extension node to be attached; missing values are proposed."""

    site: str
    node: NodeName = Field(description="Name of the gateway; it may be new")
    fabric: str | None = Field(None, description="The SP switch; may be absent if the site has only one")
    port: PortName = "gt000"
    frame: int | None = Field(None, ge=1, le=512)
    slot: int | None = Field(None, ge=1, le=16)
    node_number: Number | None = Field(None, ge=1)
    switch_node_number: Number | None = None
    address: str | None = Field(None, max_length=18, description="With prefix length: 10.1.0.16/24")
    host_offset: int | None = Field(None, ge=-(2**31), le=2**31 - 1)
    max_link_packet: int = Field(65520, ge=68, le=2**31 - 1)


class SwitchPortOut(BaseModel):
    """A switch port of a node frame."""

    frame: int
    slot: int
    use: Use = Field(
        description="covered: next to a wide or high node, the best ones; empty: no node is in the slot"
    )
    owner: str = Field(description="Node that uses the port or its slot; empty: none")
    text: str


class ExtensionProposal(BaseModel):
    """Proposed values of the extension node."""

    frame: int | None
    slot: int | None
    node_number: int | None
    switch_node_number: int | None
    address: str | None
    host_offset: int | None
    max_link_packet: int
    reasons: dict[str, str] = Field(description="Reason for each proposed value")


class ExtensionCheckOut(BaseModel):
    """The proposal with its checks and the manual steps. Stores nothing."""

    node: str
    fabric: str
    arp: bool
    arp_source: str
    attachable: bool = Field(description="No check failed")
    ports: list[SwitchPortOut]
    proposal: ExtensionProposal
    checks: list[CheckOut]
    steps: list[ExtensionStep] = Field(description="Empty while a check fails")
    undo: list[ExtensionStep]
    site_file: str = Field(description="The node's entry for the site file; empty while a check fails")
