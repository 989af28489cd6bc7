"""The public API's shapes of devices' own figures, and of the reports that are made of them.

Conventions are those of `schemas`. Text from devices is data: a client shows it and never interprets it.
"""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.schemas.fabric import FabricOut
from backstay.api.schemas.state import State

FigureKind = Literal["growth", "level", "state", "unknown"]


class MetricOut(BaseModel):
    """What one kind of figure means."""

    name: str = Field(description="`family.figure`")
    title: str
    kind: FigureKind = Field(
        description="growth: a counter's increase; level: as it is now; state: one of some words"
    )
    unit: str
    sentence: str = Field(description="What it tells an operator")
    source: str = Field(description="MIB object, counter or manual that it is read from")
    error: bool = Field(description="Above zero, something is wrong")
    good: list[str] = Field(description="Of a state: the words that mean that all is well")


class FigureOut(BaseModel):
    """One figure of one port or part of a device, as last told."""

    id: str
    name: str = Field(description="The metric's title; its name when nobody explained it")
    kind: FigureKind
    metric: str
    subject: str = Field(description="Port or part; empty: the device as a whole")
    collector: str
    unit: str
    sentence: str
    state: State = Field(description="warning: an error above zero, or a word that is not good")
    value: float | None = Field(description="Of a growth: in the last interval; null when there is none")
    word: str | None = Field(description="Of a state")
    per_s: float | None = Field(description="Of a growth: how fast it grows")
    outcome: Literal["ok", "wrapped", "reset", "gap", "absurd", "saturated", "missing"]
    port_id: int | None
    since: datetime | None = Field(None, description="Not known of a figure")
    at: datetime
    age_s: float
    url: str


class FigureHistory(BaseModel):
    """One figure over time: parallel lists, one entry a bin, oldest first; null is a gap."""

    metric: str
    subject: str
    title: str
    unit: str
    kind: FigureKind
    per_second: bool = Field(description="Values are rates: of a growth they always are")
    step_s: float
    at: list[float] = Field(description="Unix seconds of each bin's start")
    mean: list[float | None]
    max: list[float | None]


class FigurePart(BaseModel):
    """One part of which a figure is the greatest, or not well."""

    node: str
    node_id: int
    subject: str
    value: float | None
    word: str | None
    url: str


class FabricCounter(MetricOut):
    """One metric summed up over a fabric."""

    state: State
    parts: int = Field(description="Ports and parts that have it")
    affected: int = Field(description="Of a growth or level: above zero; of a state: not well")
    total: float | None = Field(description="Of a growth: in the last interval of each part")
    per_s: float | None
    words: dict[str, int] = Field(description="Of a state: how many parts say which word")
    worst: list[FigurePart]


class FabricDetail(FabricOut):
    """A fabric with what it carries and what it counts."""

    state: State
    state_text: str
    nodes: int
    links: int
    ports_up: int
    ports_down: int
    ports_unknown: int
    in_bps: int = Field(description="Sum of what its ports receive now")
    out_bps: int
    errors_ps: float
    contradicted_links: int
    counters: list[FabricCounter]
    report: str | None = Field(description="The page with this technology's own report")


class ErrorRate(BaseModel):
    """One counter of one port within the two windows."""

    node: str
    node_id: int
    port: str
    metric: str
    title: str
    sentence: str
    short: float = Field(description="Errors within the short window")
    long: float
    short_per_h: float | None = Field(description="Null when the port was not watched in it")
    long_per_h: float | None
    url: str


class CableVerdict(BaseModel):
    """One cable that needs a hand, with the reasons."""

    link_id: int | None
    name: str
    action: Literal["recable", "swap", "watch"]
    state: State
    reasons: list[str]
    url: str


class DegradedLink(BaseModel):
    """A port that runs below the width or speed of both its ends."""

    node: str
    node_id: int
    port: str
    width: bool
    speed: bool
    running: str = Field(description="As the sweep tells it: `4X 10.0 Gbps`")
    url: str


class ExpectedCable(BaseModel):
    """A difference between the site file's cable and what evidence shows."""

    name: str
    state: State
    says: str
    url: str


class InfinibandHealth(BaseModel):
    """A fabric's health report."""

    fabric: str
    at: datetime
    headline: str
    state: State
    short_s: float = Field(description="Length of the short window, 12 minutes")
    long_s: float = Field(description="Of the long one, 125 minutes")
    watched_s: float = Field(description="Median time of the long one in which ports were watched")
    subnet_manager: str = Field(description="State of the master subnet manager; empty: nobody says")
    devices: int
    absent: list[str]
    silent: list[str]
    ports: int
    degraded: list[DegradedLink]
    errors: list[ErrorRate]
    cables: list[CableVerdict]
    differences: list[ExpectedCable]
    counters: list[FabricCounter]


class HippiPort(BaseModel):
    """One port of a HIPPI switch. Rates are of what the port's own source asked for."""

    node: str
    node_id: int
    port: str
    port_id: int | None
    state: State
    word: str = Field(description="The switch's own word for the port's state; empty: it says none")
    rejects_ps: float | None = Field(description="Connections that the switch refused; null: not watched")
    camp_ons_ps: float | None = Field(description="Connections that had to wait for a busy destination")
    overruns_ps: float | None
    url: str


class HippiGateway(BaseModel):
    """One HIPPI-SONET gateway."""

    node: str
    node_id: int
    state: State
    hold_ticks: int | None = Field(description="h as the gateway counts it; 0: for ever; null: not told")
    hold_time: str = Field(description="h in words")
    waiting: float | None = Field(
        description="0..1 of the time in which packets from afar waited for a busy destination"
    )
    blocking_factor_ms: float | None = Field(
        description="Mean time that such a packet waited: what a competing connection costs it"
    )
    given_up_ps: float | None = Field(description="Hold time ran out; what was queued was thrown away")
    refused_ps: float | None = Field(description="Connections from its LAN refused: its line is down")
    buffer_full_ps: float | None
    told_to_stop_ps: float | None
    line: str = Field(description="What is wrong with its SONET line; empty: nothing")
    url: str


class HippiReport(BaseModel):
    """A HIPPI fabric's own report."""

    fabric: str
    at: datetime
    headline: str
    state: State
    window_s: float = Field(description="Rates are over this last while")
    blocking_factor_ms: float | None = Field(description="The greatest of the gateways")
    rejects_ps: float
    camp_ons_ps: float
    ports: list[HippiPort]
    gateways: list[HippiGateway]
    counters: list[FabricCounter]
