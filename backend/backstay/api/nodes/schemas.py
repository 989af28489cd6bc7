"""Routing engines of nodes."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.holds.schemas import HoldOut
from backstay.api.http.schemas import State
from backstay.core.model.progress import ReleaseScope, ReleaseState
from backstay.core.model.routing import EngineKind
from backstay.core.model.state import GatewayRole, GatewayUse, Reachability, Reporting

CollectorOutcome = Literal["ok", "no_data", "timeout", "failed"]
"""As the wire's CollectorOutcome."""


class ManagementOut(BaseModel):
    """What an administrator released on the node, or what its agent reverted, until an operator clears it."""

    state: ReleaseState
    scope: ReleaseScope
    policies: list[str] = Field(description="The released policies, if the scope is `policies`")
    since: datetime
    by: str = Field(description="The account on the node, or the agent")
    text: str = Field(description="One sentence, including any steps left to do on the node")
    cleared_by: str = Field(
        description="Who cleared it, until the node reports the clearance; otherwise empty"
    )


class GatewayOut(BaseModel):
    """A node as a gateway, over all paths of all policies."""

    role: GatewayRole
    text: str = Field(description="`active for 7 paths, standby not verified for 3`")
    reachability: Reachability = Field(description="Whether it answers the nodes that probe it")
    answering: int = Field(description="Paths whose node gets an answer")
    silent: int = Field(description="Paths whose node gets none")
    uses: dict[GatewayUse, int] = Field(description="Number of paths by how they use it")


class UnclearRowsOut(BaseModel):
    """Rows of a table that were not understood: left out, or kept without a known port."""

    reason: str
    rows: int


class TableReadingOut(BaseModel):
    """The newest read of one SNMP table, or of several that are walked together."""

    table: str
    columns: int = Field(description="Requested columns")
    rows: int = Field(description="Rows that the device returned in the last whole read")
    results: int | None = Field(
        description="Ports, metrics or neighbours that these rows yielded; null: not counted for this table"
    )
    not_understood: list[UnclearRowsOut] = Field(
        description="Rows left out, or kept without a known port, by reason"
    )
    duration_ms: float = Field(description="Duration of the read when it was last reported")
    interruptions: int = Field(
        description="How often a time limit or a lost answer ended the read early; the next one continues it"
    )
    error: str = Field(description="Why the newest read is not whole; empty: it is")


class CollectorOut(BaseModel):
    """The last reported run of one collector of a device: what its agent asked for, and with which result.

    An agent reports each change of outcome or detail at once, and otherwise each collector once a minute.
    """

    id: str = Field(description="The collector's name")
    name: str
    kind: Literal["collector"] = "collector"
    state: State = Field(description="unknown: no longer reported")
    state_text: str
    outcome: CollectorOutcome = Field(
        description="no_data: it ran and had nothing to report; timeout: the device did not answer in time;"
        " failed: it answered, but not with usable data"
    )
    detail: str = Field(description="Reason of a failure, or what was left out; may be empty")
    duration_ms: float = Field(description="Duration of the last reported run")
    since: datetime | None = Field(description="Start of the runs with this outcome; null: not recorded")
    at: datetime = Field(description="End of the last reported run")
    age_s: float
    answered_at: datetime | None = Field(
        description="Last reported run with outcome ok; null: none is recorded"
    )
    agent: str | None = Field(description="Node whose agent reported the run; null: not recorded")
    tables: list[TableReadingOut] = Field(
        description="SNMP tables that the collector reads, at most 64; sent if more than durations changed"
    )
    record_command: str = Field(
        description="Command on the agent's host that records the device anonymised, for a report; empty: the"
        " collector does not poll an SNMP device"
    )
    url: str


class NodeOut(BaseModel):
    """A node: anything with ports."""

    id: int
    name: str
    title: str
    kind: str
    role: str
    state: State
    state_text: str
    reporting: Reporting | None = Field(description="Null: at a past moment of which no measurement is kept")
    gateway: GatewayOut | None = Field(
        description="Its role as a gateway; null: not a gateway of any policy, or at a past moment"
    )
    since: datetime | None
    age_s: float | None
    node_number: int | None
    switch_node_number: int | None
    management_address: str | None
    agent: str | None = Field(description="Agent that collects it; null: none, or at a past moment")
    sys_name: str
    sys_descr: str
    uptime_s: float | None
    clock_offset_s: float | None = Field(description="Offset of its clock from the backend's")
    clock_text: str = Field(
        description="`clock 31 d behind`: samples use the backend's clock; empty: it is correct, or at a past"
        " moment"
    )
    labels: dict[str, str]
    engine: EngineKind | None = Field(description="Its routing engine, if managed by Backstay")
    management: ManagementOut | None = Field(
        description="Null: nothing is released or reverted, or at a past moment"
    )
    hold: HoldOut | None = Field(description="Null: not held by an operator, or at a past moment")
    url: str
