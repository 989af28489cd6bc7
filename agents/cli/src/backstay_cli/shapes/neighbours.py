"""Neighbour tables, who had an address, duplicates."""

from __future__ import annotations

from datetime import datetime

from backstay_cli.shapes.base import Shape


class TableIncident(Shape):
    """An incident about a neighbour table or a clock."""

    title: str


class NeighbourTable(Shape):
    """One port's part of a device's neighbour tables."""

    node: str
    port: str
    state: str
    ipv4: int
    ipv6: int
    incomplete: int
    capacity_ipv4: int | None
    share: float | None
    broadcasts_per_s: float | None
    talker: str
    talker_owner: str
    incidents: list[TableIncident]


class HoldingOut(Shape):
    """That an address was at a hardware address."""

    node: str
    port: str
    mac: str
    owner: str
    since: datetime
    until: datetime | None


class NeighbourHistory(Shape):
    """Who had an address when."""

    address: str
    kept_days: int
    items: list[HoldingOut]


class DuplicateMac(Shape):
    """One of the places of an address."""

    mac: str
    owner: str
    nodes: list[str]


class DuplicateOut(Shape):
    """An address at several places."""

    address: str
    fabric: str | None
    age_s: float
    macs: list[DuplicateMac]
