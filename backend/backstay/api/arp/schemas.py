"""ARP of fabrics: policies, the address rule, what plans would change."""

from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, Field

from backstay.api.http.schemas import Body, FileDiffOut, State
from backstay.core.model.arp import DeclaredArp, Mode
from backstay.core.model.arp_plan import EntryStatus
from backstay.core.planning.arp.rule import Verdict


class ArpPortSettings(Body):
    """Settings of the ports whose name, or `node:port`, matches a shell pattern."""

    pattern: str = Field(min_length=1, max_length=128)
    settings: dict[str, int] = Field(default_factory=dict)


class ArpPolicyFields(BaseModel):
    """The intended ARP state of one fabric."""

    site: str
    fabric: str
    mode: Mode = Field(
        "unmanaged", description="ARP on the whole fabric; unmanaged: only the settings are managed"
    )
    settings: dict[str, int] = Field(
        default_factory=dict, description="Settings of every port, e.g. `ipv4.conf.arp_ignore`"
    )
    ports: list[ArpPortSettings] = Field(
        default_factory=list,
        description="Settings of matching ports, which override `settings`; the last match wins",
    )
    table: dict[str, int] = Field(
        default_factory=dict, description="Settings of the whole node, e.g. `ipv4.gc_thresh3`"
    )
    note: str = Field("", max_length=2000)


class ArpPolicyIn(ArpPolicyFields, Body):
    """Body of `POST /arp-policies` and `PUT /arp-policies/{id}`. Does not change any node."""


class AddressMismatchOut(BaseModel):
    """A port whose running address differs from the site file."""

    node: str
    node_id: int
    port: str
    intended: list[str] = Field(description="In the site file, but not running on the node")
    running: list[str] = Field(
        description="Running, but not in the site file for any port of the node; empty: none"
    )
    text: str


class ArpPolicyOut(ArpPolicyFields):
    """One fabric's policy and its deployment."""

    id: int
    name: str = Field(description="Name of the fabric")
    fabric_id: int
    managed: int = Field(description="Nodes on the fabric whose ARP Backstay manages")
    not_managed: list[str] = Field(description="Nodes on the fabric that must be configured manually")
    confirmed: int = Field(description="Nodes on which a change deployed its current version")
    outdated: int = Field(description="Nodes on which an older policy is in force")
    address_mismatches: list[AddressMismatchOut] = Field(
        description="Members with an address mismatch, which prevents turning ARP off"
    )
    state: State
    state_text: str
    url: str


class ArpFabricOut(BaseModel):
    """The ARP state of a fabric as run by its nodes: on for all or off for all; mixed is an error."""

    fabric: str
    fabric_id: int
    kind: str
    declared: DeclaredArp = Field(description="As declared in the site file")
    policy: ArpPolicyOut | None
    running: Literal["on", "off", "mixed", "unknown"]
    on: list[str]
    off: list[str]
    unknown: list[str] = Field(description="Nodes without a report")
    address_mismatches: list[AddressMismatchOut] = Field(description="Members with an address mismatch")
    state: State
    state_text: str


class ArpRuleLine(BaseModel):
    """One member of a fabric under the address rule."""

    node: str
    node_id: int
    port: str
    address: str = Field(description="The first IPv4 address in the site file; empty: none")
    running: str = Field(description="The IPv4 address running instead; empty: unknown")
    host_part: int | None
    switch_node_number: int | None
    difference: int | None = Field(
        description="For verdict address_mismatch: computed from the running address"
    )
    verdict: Verdict
    extension: bool = Field(description="A router attached as an extension node")
    text: str


class ArpRuleOut(BaseModel):
    """Host part minus switch node number for one fabric: must be constant for ARP off."""

    fabric: str
    kind: str
    applies: bool = Field(description="True on an SP switch, where addresses are computed")
    constant: int | None
    broken: int
    text: str
    lines: list[ArpRuleLine] = Field(description="Violations first")


class ArpSettingOut(BaseModel):
    """One setting that a policy may contain."""

    name: str
    scope: Literal["port", "node"]
    least: int
    greatest: int


class ArpDifferenceOut(BaseModel):
    """One property of one port before and after."""

    port: str = Field(description="Empty: the whole node")
    what: str = Field(description="`ARP`, `static entries`, `ipv4.conf.arp_ignore`")
    before: str
    after: str


class ArpShapeOut(BaseModel):
    """Nodes with identical changes; each omits its own address from its entries."""

    nodes: list[str]
    differences: list[ArpDifferenceOut]
    files: list[FileDiffOut] = Field(description="Files of the first of these nodes")
    files_omitted: int = Field(
        default_factory=int, description="Files that change too, whose texts a large plan leaves out"
    )


class ArpEntryOut(BaseModel):
    """The hardware address of an address on the fabric."""

    node: str
    port: str
    address: str
    mac: str


class ArpHandedEntryOut(BaseModel):
    """One entry that a device must have, and the state of its table when the plan was made."""

    address: str
    mac: str
    node: str
    # Plans stored by older releases have `standing`.
    status: Annotated[
        EntryStatus,
        Field(validation_alias=AliasChoices("status", "standing")),
    ]
    found: str


class ArpHandOverOut(BaseModel):
    """Manual steps on a device that Backstay does not change."""

    node: str
    port: str
    fabric: str
    system: str
    done: bool
    reminders: list[str]
    entries: list[ArpHandedEntryOut]


class ArpPlanOut(BaseModel):
    """ARP changes of a plan."""

    shapes: list[ArpShapeOut]
    hand_overs: list[ArpHandOverOut]
    entries: list[ArpEntryOut]
    at_once: bool = Field(description="ARP is turned on or off, so all nodes change in one wave")
