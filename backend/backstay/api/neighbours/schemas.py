"""Neighbour tables: entries, utilisation, duplicates and address history."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.api.incidents.schemas import IncidentKind


class NeighbourOut(BaseModel):
    """One current entry of a device's ARP or IPv6 neighbour table."""

    node: str
    node_id: int
    port: str
    address: str
    mac: str = Field(description="Empty until resolved")
    owner: str = Field(description="`node:port` with this hardware address; empty: unknown")
    state: str = Field(
        description="reachable, stale, failed, permanent, ...; for SNMP devices dynamic or static"
    )
    held_since: datetime = Field(description="Start of the address's use of this hardware address")
    age_s: float


class TableIncident(BaseModel):
    """An open incident about a table."""

    id: int
    kind: IncidentKind
    title: str
    severity: str
    url: str


class TablePoint(BaseModel):
    """A table's entries at a time."""

    at: datetime
    entries: int


class NeighbourTable(BaseModel):
    """One port's part of a device's tables."""

    node: str
    node_id: int
    port: str
    fabric: str | None
    state: State
    at: datetime
    age_s: float
    ipv4: int = Field(description="Learnt entries in any state")
    ipv6: int
    permanent: int = Field(description="Static entries; they do not count towards the capacity")
    incomplete: int = Field(description="Entries being resolved or failed")
    capacity_ipv4: int | None = Field(description="Capacity of the whole device; null: unknown")
    capacity_ipv6: int | None
    share: float | None = Field(
        description="This port's share of the capacity, 0..1, for the fuller of the two families"
    )
    device_share: float | None = Field(description="All ports' share of the capacity")
    growth_per_s: float = Field(description="New entries per second over the last two intervals")
    broadcasts_per_s: float | None = Field(
        description="ARP broadcasts received per second; null: not counted"
    )
    top_mac: str = Field(description="Hardware address with the most entries")
    top_mac_entries: int
    top_owner: str
    talker: str = Field(description="Main sender of the broadcasts; empty: there are few")
    talker_share: float
    talker_owner: str
    recent: list[TablePoint]
    incidents: list[TableIncident]
    url: str


class HoldingOut(BaseModel):
    """A period in which an address had a hardware address in one table."""

    node: str
    node_id: int
    port: str
    mac: str
    owner: str
    since: datetime
    until: datetime | None = Field(description="Null: current")


class NeighbourHistory(BaseModel):
    """Address history, newest first: `GET /neighbours/history`."""

    address: str
    at: datetime | None = Field(description="Only entries valid at this time; null: all")
    kept_days: int = Field(description="Retention of ended entries, days")
    items: list[HoldingOut]


class DuplicateMac(BaseModel):
    """One of the hardware addresses of a duplicate address."""

    mac: str
    owner: str
    since: datetime
    nodes: list[str] = Field(description="`node:port` of the tables that contain it")


class DuplicateOut(BaseModel):
    """An address with several hardware addresses on one fabric at the same time."""

    address: str
    fabric: str | None
    since: datetime
    age_s: float
    macs: list[DuplicateMac]
    incident: TableIncident | None
