"""Neighbour tables: who is where, how full the tables are, what disagrees, and who had an address when."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State


class NeighbourOut(BaseModel):
    """One entry of a device's ARP or IPv6 neighbour table, as it is now."""

    node: str
    node_id: int
    port: str
    address: str
    mac: str = Field(description="Empty until a node has answered")
    owner: str = Field(description="`node:port` that has this hardware address; empty: unknown")
    state: str = Field(
        description="reachable, stale, failed, permanent, ...; dynamic, static of SNMP devices"
    )
    held_since: datetime = Field(description="Since when the address is at this hardware address")
    age_s: float


class TableIncident(BaseModel):
    """An open incident about a table."""

    id: int
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
    ipv4: int = Field(description="Learnt entries, whatever their state")
    ipv6: int
    permanent: int = Field(description="Set by hand or a boot file; they do not count towards the capacity")
    incomplete: int = Field(description="Asked for, or asked in vain")
    capacity_ipv4: int | None = Field(description="Of the whole device; null: unknown")
    capacity_ipv6: int | None
    share: float | None = Field(description="This port's entries of the capacity, 0..1, the fuller family's")
    device_share: float | None = Field(description="All ports' entries of it")
    growth_per_s: float = Field(description="New entries a second, over the last two intervals")
    broadcasts_per_s: float | None = Field(description="ARP broadcasts in; null: not counted")
    top_mac: str = Field(description="At which most entries point")
    top_mac_entries: int
    top_owner: str
    talker: str = Field(description="Who sends most of the broadcasts; empty: few come")
    talker_share: float
    talker_owner: str
    recent: list[TablePoint]
    incidents: list[TableIncident]
    url: str


class HoldingOut(BaseModel):
    """That an address was at a hardware address, as one table had it."""

    node: str
    node_id: int
    port: str
    mac: str
    owner: str
    since: datetime
    until: datetime | None = Field(description="Null: it still is")


class NeighbourHistory(BaseModel):
    """Who had an address when, the newest first: `GET /neighbours/history`."""

    address: str
    at: datetime | None = Field(description="Only what held at this moment; null: all that is kept")
    kept_days: int = Field(description="What ended earlier is not kept")
    items: list[HoldingOut]


class DuplicateMac(BaseModel):
    """One of the places at which an address is held to be."""

    mac: str
    owner: str
    since: datetime
    nodes: list[str] = Field(description="`node:port` of the tables that contain it")


class DuplicateOut(BaseModel):
    """An address at several hardware addresses on one fabric at one time."""

    address: str
    fabric: str | None
    since: datetime
    age_s: float
    macs: list[DuplicateMac]
    incident: TableIncident | None
