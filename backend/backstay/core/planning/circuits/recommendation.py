"""Recommend how to connect hosts, in one sentence with numbers.

`BY_HAND` is our own limit, not a paper's: Argonne's operators abandoned a mesh for "3+ switches, a router,
and many ATM hosts" without giving a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from backstay.core.formatting import grouped
from backstay.core.model.circuit import PORT_CAPACITY
from backstay.core.planning.circuits.mesh import Pattern
from backstay.core.planning.circuits.sizes import Size

BY_HAND = 200
"""Maximum configuration lines on all devices that are maintainable by hand."""
Means = Literal["pvc", "svc", "vlan"]


@dataclass(frozen=True, slots=True)
class Advice:
    """Recommended pattern with its reason."""

    pattern: str
    text: str


def advise(found: Sequence[Size], pattern: Pattern, means: frozenset[Means]) -> Advice:
    """The best pattern for the required connectivity and the means that the network has besides PVCs."""
    by_pattern = {size.pattern: size for size in found}
    wanted, svc, vlan = by_pattern[pattern], by_pattern["svc"], by_pattern["vlan"]
    if "vlan" in means and wanted.circuits > 1:
        return Advice(
            "vlan",
            f"One VLAN replaces {_pvcs(wanted)}: {_lines(vlan)} instead of"
            f" {grouped(wanted.statements)}, and each new host needs {vlan.one_more}, not"
            f" {grouped(wanted.one_more)}.",
        )
    if not wanted.fits:
        return Advice("svc" if "svc" in means else "hub", _too_full(wanted, means))
    if wanted.statements <= BY_HAND:
        return Advice(
            pattern,
            f"{_pvcs(wanted)} in {_lines(wanted)} can be maintained by hand"
            " and need no signalling and no ARP server.",
        )
    if "svc" in means:
        return Advice(
            "svc",
            f"{_pvcs(wanted)} need {_lines(wanted)}, and each new host"
            f" {grouped(wanted.one_more)}: with SVCs it is {_lines(svc)} and one per host.",
        )
    return _sparser(by_pattern, wanted)


def _too_full(wanted: Size, means: frozenset[Means]) -> str:
    full = max(wanted.per_port, wanted.trunk)
    then = "Use SVCs." if "svc" in means else "Route through a hub."
    has = f"{grouped(PORT_CAPACITY)} labels"
    return f"{grouped(full)} circuits end on one port with {has}: the mesh does not fit. {then}"


def _sparser(by_pattern: dict[str, Size], wanted: Size) -> Advice:
    hub = by_pattern.get("hub")
    if hub is not None and hub.statements < wanted.statements:
        return Advice(
            "hub",
            f"Without SVCs, {_pvcs(wanted)} need {_lines(wanted)}; {_pvcs(hub)}"
            f" to the hub need {grouped(hub.statements)}, at the cost of a second hop"
            " and of a shared port.",
        )
    between = by_pattern.get("between")
    if between is not None and between.circuits < wanted.circuits:
        return Advice(
            "between",
            f"Without SVCs, connect only the groups: {_pvcs(between)} instead of {grouped(wanted.circuits)}.",
        )
    return Advice(
        wanted.pattern,
        f"{_pvcs(wanted)} need {_lines(wanted)}, more than the {BY_HAND} that are maintainable"
        " by hand: generate them, check them after each change, and request SVCs.",
    )


def _pvcs(size: Size) -> str:
    return f"{grouped(size.circuits)} PVCs"


def _lines(size: Size) -> str:
    return f"{grouped(size.statements)} lines"
