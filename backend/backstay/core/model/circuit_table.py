"""Circuit tables by port and label, from the states that devices report.

A item's subject names port and label: `ga030 0/130`, `p9 130`. A cross connection names both sides: `1A1
0/130 to 1B1 0/131`. A GigaRouter's next hop also names the address: `ga030 10.3.0.2 over 0/130`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from backstay.core.model.circuit import Label, Place, Side

_PVC = re.compile(r"(?P<port>.+) (?P<vpi>\d{1,3})/(?P<vci>\d{1,5})")
_VLAN = re.compile(r"(?P<port>.+) (?P<vlan>\d{1,4})")
_HOP = re.compile(r"(?P<port>\S+) (?P<address>\S+) over (?P<vpi>\d{1,3})/(?P<vci>\d{1,5})")
CircuitState = Literal["up", "down", "unknown"]


@dataclass(frozen=True, slots=True)
class ReportedState:
    """One current item of one device."""

    node: str
    metric: str
    subject: str
    state: str
    """Empty if the item is a number."""


@dataclass(slots=True)
class CircuitTable:
    """Circuits of one port."""

    labels: dict[Label, CircuitState] = field(default_factory=dict)
    off: set[Label] = field(default_factory=set)
    wrong: dict[Label, str] = field(default_factory=dict)
    crossed: dict[Label, Side] = field(default_factory=dict)


@dataclass(slots=True)
class Tables:
    """Tables of all ports; `whole` names devices whose tables of a kind were read for every port."""

    by_place: dict[Place, CircuitTable] = field(default_factory=dict)
    whole: set[tuple[str, str]] = field(default_factory=set)
    """(node, kind of circuit)."""

    def at(self, place: Place) -> CircuitTable:
        """The port's table, created if missing."""
        return self.by_place.setdefault(place, CircuitTable())


def sides(metric: str, subject: str) -> list[Side]:
    """Port and label of a item's subject; empty for states about anything else."""
    read = _SIDES.get(metric)
    return [] if read is None else [side for side in read(subject) if side is not None]


def tables(states: Iterable[ReportedState]) -> Tables:
    """Tables by port. A later item of the same part does not override an earlier one."""
    found = Tables()
    for item in states:
        take = _TAKE.get(item.metric)
        about = sides(item.metric, item.subject)
        if take is not None:
            take(found, item, about)
    return found


def _pvc(subject: str) -> Side | None:
    match = _PVC.fullmatch(subject)
    return None if match is None else Side(match["port"], Label(int(match["vpi"]), int(match["vci"])))


def _one(subject: str) -> list[Side | None]:
    return [_pvc(subject)]


def _both(subject: str) -> list[Side | None]:
    low, _, high = subject.partition(" to ")
    return [_pvc(low), _pvc(high)]


def _vlan(subject: str) -> list[Side | None]:
    match = _VLAN.fullmatch(subject)
    return [] if match is None else [Side(match["port"], Label(0, int(match["vlan"]), "vlan"))]


def _next_hop(subject: str) -> list[Side | None]:
    match = _HOP.fullmatch(subject)
    return [] if match is None else [Side(match["port"], Label(int(match["vpi"]), int(match["vci"])))]


_SIDES: dict[str, Callable[[str], list[Side | None]]] = {
    "atm.vcl": _one,
    "atm.vcl_admin": _one,
    "atm.cross_connect": _both,
    "grf.vc": _one,
    "grf.next_hop": _next_hop,
    "vlan.member": _vlan,
}


def _take_vcl(found: Tables, item: ReportedState, about: list[Side]) -> None:
    found.whole.add((item.node, "pvc"))
    for side in about:
        state: CircuitState = "up" if item.state == "up" else "down" if item.state == "down" else "unknown"
        found.at((item.node, side.port)).labels[side.label] = state


def _take_grf(found: Tables, item: ReportedState, about: list[Side]) -> None:
    """The ATM-MIB state of the same circuit has precedence: this table only shows that the row exists."""
    found.whole.add((item.node, "pvc"))
    for side in about:
        good = item.state in {"permanent", "switched"}
        table = found.at((item.node, side.port))
        table.labels.setdefault(side.label, "up" if good else "down")


def _take_vlan(found: Tables, item: ReportedState, about: list[Side]) -> None:
    found.whole.add((item.node, "vlan"))
    for side in about:
        found.at((item.node, side.port)).labels[side.label] = "up"


def _take_admin(found: Tables, item: ReportedState, about: list[Side]) -> None:
    for side in about if item.state == "down" else ():
        found.at((item.node, side.port)).off.add(side.label)


def _take_next_hop(found: Tables, item: ReportedState, about: list[Side]) -> None:
    for side in about if item.state == "inactive" else ():
        address = item.subject.split(" ")[1]
        found.at((item.node, side.port)).wrong[side.label] = f"the next hop {address} is inactive"


def _take_cross(found: Tables, item: ReportedState, about: list[Side]) -> None:
    if len(about) != 2:
        return
    for side, other in (about, reversed(about)):
        table = found.at((item.node, side.port))
        table.crossed[side.label] = other
        if item.state == "down":
            table.wrong[side.label] = f"the switch does not forward it to {other}"


def _take_count(found: Tables, item: ReportedState, about: list[Side]) -> None:
    """A circuit count, even 0, shows that the port's table was read."""
    found.at((item.node, item.subject))


_TAKE: dict[str, Callable[[Tables, ReportedState, list[Side]], None]] = {
    "atm.vcl": _take_vcl,
    "grf.vc": _take_grf,
    "vlan.member": _take_vlan,
    "atm.vcl_admin": _take_admin,
    "grf.next_hop": _take_next_hop,
    "atm.cross_connect": _take_cross,
    "atm.vccs": _take_count,
    "grf.circuits": _take_count,
}
METRICS = tuple(_TAKE)
"""Metrics that `tables` reads, in any order."""
