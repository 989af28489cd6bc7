"""The HIPPI and SONET ports of a device as rows of IF-MIB (RFC 2863). Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from backstay_lab.hippi.snmp.value import Oid, Value, counter, counter64, gauge, integer, oid, string

IF_TABLE = oid("1.3.6.1.2.1.2.2")
IF_X_TABLE = oid("1.3.6.1.2.1.31.1.1")
HIPPI_TYPE, SONET_TYPE, ETHERNET_TYPE, LOOPBACK_TYPE = 47, 39, 6, 24
FIRST_INDEX = 101
"""ifIndex of a gateway's first port. The kernel numbers loopback and the management port 1 and 2, so sites do
not use a switch's ports below 3."""
HIPPI_MTU = 65280
UP, DOWN, NOT_PRESENT = 1, 2, 6


@dataclass(frozen=True)
class DirectionCounts:
    """What passed in one direction."""

    octets: int = 0
    packets: int = 0
    discards: int = 0
    errors: int = 0


@dataclass(frozen=True)
class InterfaceRow:
    """One port. `into` counts the direction from the wire."""

    index: int
    name: str
    alias: str
    kind: int
    mtu: int
    speed: int
    enabled: bool
    up: bool
    into: DirectionCounts = field(default_factory=DirectionCounts)
    out: DirectionCounts = field(default_factory=DirectionCounts)
    present: bool = True


def switch_rows(state: dict[str, Any], name: str, speed: int) -> list[InterfaceRow]:
    """A crossbar's ports; ifIndex is ps32PortNumber, "in" is the direction from the attached source."""
    return [
        InterfaceRow(
            index=int(number),
            name=f"port{number}",
            alias=port["attached"],
            kind=HIPPI_TYPE,
            mtu=HIPPI_MTU,
            speed=speed,
            enabled=port["enabled"],
            up=port["enabled"],
            into=_counts(port["into"], discards=port["rejects"] + port["dest_rejects"]),
            out=_counts(port["out"], discards=port["overruns"]),
        )
        for number, port in state["switches"][name]["ports"].items()
    ]


def gateway_rows(state: dict[str, Any], name: str, speed: int) -> list[InterfaceRow]:
    """A gateway's HIPPI port ("in" is from its LAN) and its OC-3 stripes."""
    box = state["gateways"][name]
    lost = box["discarded"] + box["overflow"]
    hippi = InterfaceRow(
        index=FIRST_INDEX,
        name="hippi0",
        alias=box["switch"],
        kind=HIPPI_TYPE,
        mtu=HIPPI_MTU,
        speed=speed,
        enabled=True,
        up=True,
        into=_counts(box["flow"]["out"]),
        out=_counts(box["flow"]["into"], discards=lost),
    )
    stripes = [
        InterfaceRow(
            index=FIRST_INDEX + 1 + number,
            name=f"oc3-{number}",
            alias=box["peer"] if number < box["installed"] else "",
            kind=SONET_TYPE,
            mtu=HIPPI_MTU,
            speed=155_520_000,
            enabled=number < box["installed"],
            up=stripe["up"],
            present=number < box["installed"],
            into=DirectionCounts(octets=stripe["in_octets"]),
            out=DirectionCounts(octets=stripe["out_octets"]),
        )
        for number, stripe in enumerate(box["stripes"])
    ]
    return [hippi, *stripes]


def _counts(flow: dict[str, int], discards: int = 0) -> DirectionCounts:
    return DirectionCounts(octets=flow["octets"], packets=flow["packets"], discards=discards)


def objects(rows: Iterable[InterfaceRow]) -> dict[Oid, Value]:
    """ifTable and ifXTable."""
    found: dict[Oid, Value] = {}
    for row in rows:
        found |= {(*IF_TABLE, 1, column, row.index): value for column, value in _entry(row).items()}
        found |= {(*IF_X_TABLE, 1, column, row.index): value for column, value in _x_entry(row).items()}
    return found


def _entry(row: InterfaceRow) -> dict[int, Value]:
    return {
        1: integer(row.index),
        2: string(row.name),
        3: integer(row.kind),
        4: integer(row.mtu),
        5: gauge(row.speed),
        7: integer(UP if row.enabled else DOWN),
        8: integer((UP if row.up else DOWN) if row.present else NOT_PRESENT),
        10: counter(row.into.octets),
        11: counter(row.into.packets),
        13: counter(row.into.discards),
        14: counter(row.into.errors),
        16: counter(row.out.octets),
        17: counter(row.out.packets),
        19: counter(row.out.discards),
        20: counter(row.out.errors),
    }


def _x_entry(row: InterfaceRow) -> dict[int, Value]:
    return {
        1: string(row.name),
        6: counter64(row.into.octets),
        7: counter64(row.into.packets),
        10: counter64(row.out.octets),
        11: counter64(row.out.packets),
        15: gauge(row.speed // 1_000_000),
        18: string(row.alias),
    }
