"""Carrier of ports and links, and the states that follow from it.

A link with carrier is never down. If one of its nodes does not report, or is unreachable, nothing is known
about the rest of it: its state is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from backstay.core.formatting import duration, listing, share
from backstay.core.model.load import Load
from backstay.core.model.state.node import OpenIncidents
from backstay.core.model.state.rules import Facts, State, StateRule, StateText, decide

Carrier = Literal["up", "down", "admin_down", "unknown"]

CARRIERS: Sequence[StateRule[Carrier]] = (
    StateRule("unknown", {"is_fresh": False}, "its node is not reporting"),
    StateRule("unknown", {"oper_up": None}, "not described yet"),
    StateRule("up", {"oper_up": True}, "up"),
    StateRule("admin_down", {"admin_up": False}, "administratively down"),
    StateRule("down", text="down"),
)
PORT_STATES: Sequence[StateRule[State]] = (
    StateRule("unknown", {"carrier": "unknown"}),
    StateRule("ok", {"carrier": "up"}),
    StateRule("disabled", {"carrier": "admin_down"}),
    StateRule("disabled", {"is_used": False}, "nothing plugged in"),
    StateRule("critical"),
)
LINK_CARRIERS: Sequence[StateRule[Carrier]] = (
    StateRule("admin_down", {"has_admin_down": True}),
    StateRule("down", {"has_down": True}),
    StateRule("up", {"has_up": True}),
    StateRule("unknown"),
)
LINK_STATES: Sequence[StateRule[State]] = (
    StateRule("critical", {"carrier": "down"}),
    StateRule("critical", {"carrier": "admin_down"}),
    StateRule("unknown", {"carrier": "unknown"}),
    StateRule("critical", {"has_critical": True}),
    StateRule("warning", {"has_warning": True}),
    StateRule("unknown", {"has_silent_end": True}),
    StateRule("unknown", {"has_unreachable_end": True}),
    StateRule("ok"),
)
FABRIC_STATES: Sequence[StateRule[State]] = (
    StateRule("unknown", {"is_all_unknown": True}),
    StateRule("critical", {"is_all_down": True}),
    StateRule("warning", {"has_down": True}),
    StateRule("ok"),
)


@dataclass(frozen=True, slots=True)
class PortView:
    """One port as its device last reported it; `oper_up` None: never reported."""

    name: str
    """`node:port`."""
    oper_up: bool | None
    admin_up: bool | None
    since: datetime | None
    fresh: bool
    """Whether its node is reporting."""
    used: bool = True
    """Whether the site file or a neighbour names the other end."""
    collected: bool = True
    """Whether an agent collects from its node: only such a node is expected to report."""

    @property
    def node(self) -> str:
        return self.name.partition(":")[0]


@dataclass(frozen=True, slots=True)
class LinkState:
    """A link's display state and its carrier."""

    state: State
    text: str
    carrier: Carrier


def carrier_facts(port: PortView) -> Facts:
    """Facts of a port for `CARRIERS`."""
    return {"is_fresh": port.fresh, "oper_up": port.oper_up, "admin_up": bool(port.admin_up)}


def carrier_of(port: PortView) -> Carrier:
    """Carrier of a port, as its node reports it."""
    return decide(CARRIERS, carrier_facts(port)).state


def port_facts(port: PortView) -> Facts:
    """Facts of a port for `PORT_STATES`."""
    return {"carrier": carrier_of(port), "is_used": port.used}


def port_state(port: PortView, now: datetime) -> StateText:
    """State of a port: unknown if its node is; disabled if administratively down or not in use."""
    carrier = decide(CARRIERS, carrier_facts(port))
    rule = decide(PORT_STATES, {"carrier": carrier.state, "is_used": port.used})
    text = rule.text or carrier.text
    if rule.state == "unknown" or port.since is None:
        return StateText(rule.state, text)
    return StateText(rule.state, f"{text} for {duration((now - port.since).total_seconds())}")


def link_carrier(carriers: Sequence[Carrier]) -> Carrier:
    """Carrier of a link by that of its ports: an end without carrier decides."""
    facts = {
        "has_admin_down": "admin_down" in carriers,
        "has_down": "down" in carriers,
        "has_up": "up" in carriers,
    }
    return decide(LINK_CARRIERS, facts).state


def link_state(
    ends: Sequence[PortView],
    loads: tuple[Load | None, Load | None],
    troubles: OpenIncidents,
    now: datetime,
    *,
    unreachable: Sequence[str] = (),
) -> LinkState:
    """State of a link by carrier, incidents, and what is unknown about its ends.

    `unreachable`: names of its nodes that no other node reaches by probe.
    """
    carriers = [carrier_of(end) for end in ends]
    carrier = link_carrier(carriers)
    silent = [end.node for end in ends if end.collected and not end.fresh]
    facts = {
        "carrier": carrier,
        "has_critical": troubles.critical > 0,
        "has_warning": troubles.warning > 0,
        "has_silent_end": bool(silent),
        "has_unreachable_end": bool(unreachable),
    }
    state = decide(LINK_STATES, facts).state
    if carrier in {"down", "admin_down"}:
        return LinkState(state, _lost(ends[carriers.index(carrier)], now), carrier)
    if carrier == "unknown":
        return LinkState(state, _not_reported(ends), carrier)
    return LinkState(state, _carried(loads) + _limits(silent, unreachable), carrier)


def _lost(end: PortView, now: datetime) -> str:
    since = "" if end.since is None else f" for {duration((now - end.since).total_seconds())}"
    return f"{end.name} is {decide(CARRIERS, carrier_facts(end)).text}{since}"


def _not_reported(ends: Sequence[PortView]) -> str:
    return "neither end is reporting" if len(ends) > 1 else "its node is not reporting"


def _carried(loads: tuple[Load | None, Load | None]) -> str:
    fresh = [load.utilisation for load in loads if load is not None and load.fresh]
    return f"up, {share(max(fresh))} used" if fresh else "up, no data yet"


def _limits(silent: Sequence[str], unreachable: Sequence[str]) -> str:
    """What is not known of a link with carrier, and why."""
    if silent:
        return f"; {listing(silent)} {'is' if len(silent) == 1 else 'are'} not reporting"
    if unreachable:
        return f"; {listing(unreachable)} {'is' if len(unreachable) == 1 else 'are'} unreachable"
    return ""


def fabric_state(carriers: Mapping[Carrier, int]) -> StateText:
    """State of a fabric by the number of its ports with each carrier."""
    total, down, unknown = sum(carriers.values()), carriers.get("down", 0), carriers.get("unknown", 0)
    facts = {"is_all_unknown": unknown == total, "is_all_down": down == total, "has_down": down > 0}
    texts: Mapping[State, str] = {
        "unknown": "no port is reporting",
        "critical": f"all {total} ports down",
        "warning": f"{down} of {total} ports down",
        "ok": f"{total - unknown} of {total} ports reporting",
    }
    state = decide(FABRIC_STATES, facts).state
    return StateText(state, texts[state])
