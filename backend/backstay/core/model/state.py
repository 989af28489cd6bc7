"""The five display states and their texts.

Unknown means that there is no recent data. It overrides any earlier state, so that stale data never looks
current.

Each kind of object has one table of states. `decide` reads it for one object; `inventory.state_sql` makes the
same table a SQL expression for lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from backstay.core.formatting import duration, share
from backstay.core.model.freshness import is_fresh
from backstay.core.model.load import Load

State = Literal["ok", "warning", "critical", "unknown", "disabled"]
Standby = Literal["verified", "not verified", "dead"]
WORST_FIRST: Mapping[State, int] = {"critical": 0, "warning": 1, "unknown": 2, "disabled": 3, "ok": 4}
"""How lists sort by state."""


@dataclass(frozen=True, slots=True)
class StateText:
    """A state and its text."""

    state: State
    text: str


Facts = Mapping[str, bool | None]


@dataclass(frozen=True, slots=True)
class StateRule:
    """One row of a state table: it matches if every fact in `when` has its value."""

    state: State
    when: Facts = field(default_factory=dict)
    text: str = ""


NODE_STATES = (
    StateRule("unknown", {"is_collected": False}),
    StateRule("unknown", {"is_fresh": False}),
    StateRule("critical", {"has_critical": True}),
    StateRule("warning", {"has_warning": True}),
    StateRule("ok"),
)
PORT_STATES = (
    StateRule("unknown", {"is_fresh": False}, "its node is not reporting"),
    StateRule("unknown", {"oper_up": None}, "not described yet"),
    StateRule("ok", {"oper_up": True}, "up"),
    StateRule("disabled", {"admin_up": False}, "administratively down"),
    StateRule("disabled", {"is_used": False}, "nothing plugged in"),
    StateRule("critical", text="down"),
)
LINK_STATES = (
    StateRule("critical", {"is_down": True}),
    StateRule("unknown", {"is_known": False}),
    StateRule("critical", {"has_critical": True}),
    StateRule("warning", {"has_warning": True}),
    StateRule("ok"),
)
PATH_STATES = (
    StateRule("unknown", {"is_observed": False}),
    StateRule("unknown", {"is_fresh": False}),
    StateRule("critical", {"has_route": False}),
    StateRule("critical", {"is_target_dead": True}),
    StateRule("warning", {"is_held": True}),
    StateRule("warning", {"is_on_fallback": True}),
    StateRule("warning", {"has_dead_standby": True}),
    StateRule("ok"),
)
AGENT_STATES = (
    StateRule("disabled", {"is_revoked": True}),
    StateRule("unknown", {"is_fresh": False}),
    StateRule("warning", {"has_dropped": True}),
    StateRule("ok"),
)
CLOCK_STATES = (
    StateRule("unknown", {"is_fresh": False}),
    StateRule("ok", {"is_skewed": False}),
    StateRule("critical", {"has_critical": True}),
    StateRule("warning"),
)
TABLE_STATES = (
    StateRule("unknown", {"is_fresh": False}),
    StateRule("critical", {"has_critical": True}),
    StateRule("warning", {"has_warning": True}),
    StateRule("ok"),
)
"""Of neighbour tables."""


def standby_state(*, alive: bool | None, forwards: bool | None, target_alive: bool | None) -> Standby:
    """Whether a gateway that is not in use could take over.

    It is not enough that it answers (`alive`): the target must answer through it (`forwards`). While the
    target does not answer through the active gateway either, its silence says nothing about a standby.
    """
    if alive is False or (forwards is False and target_alive is True):
        return "dead"
    return "verified" if forwards else "not verified"


def decide(rules: Sequence[StateRule], facts: Facts) -> StateRule:
    """The first matching rule; the last rule of a table always matches."""
    return next(rule for rule in rules if all(facts[name] is value for name, value in rule.when.items()))


@dataclass(frozen=True, slots=True)
class ReportTimes:
    """When a node was last seen, and whether an agent collects from it."""

    at: datetime | None
    watched: bool
    agent_at: datetime | None = None
    """When the collecting agent was last seen."""
    detail: str = ""
    """Error text of its collector."""


@dataclass(frozen=True, slots=True)
class OpenIncidents:
    """Open incidents of one object."""

    critical: int = 0
    warning: int = 0

    @property
    def total(self) -> int:
        return self.critical + self.warning


@dataclass(frozen=True, slots=True)
class PortView:
    """One port as its device last reported it; `oper_up` None: never reported."""

    name: str
    oper_up: bool | None
    admin_up: bool | None
    since: datetime | None
    fresh: bool
    """Whether its node is reporting."""
    used: bool = True
    """Whether the site file or a neighbour names the other end."""


def seconds(now: datetime, at: datetime | None) -> float | None:
    """Age in seconds, at least 0; None if `at` is None."""
    return None if at is None else round(max((now - at).total_seconds(), 0.0), 1)


def node_state(reports: ReportTimes, troubles: OpenIncidents, now: datetime, interval_s: float) -> StateText:
    """State of a node: unknown if it is not reporting, otherwise its worst open incident."""
    facts = {
        "is_collected": reports.watched,
        "is_fresh": is_fresh(reports.at, now, interval_s),
        "has_critical": troubles.critical > 0,
        "has_warning": troubles.warning > 0,
    }
    return StateText(decide(NODE_STATES, facts).state, _node_text(reports, now, is_fresh=facts["is_fresh"]))


def _node_text(reports: ReportTimes, now: datetime, *, is_fresh: bool) -> str:
    if not reports.watched:
        return "no agent collects from it"
    if reports.at is None:
        return _never(reports)
    age = max((now - reports.at).total_seconds(), 0.0)
    if is_fresh:
        return f"last seen {duration(round(age))} ago"
    return f"not reporting for {duration(age)}" + (f": {reports.detail}" if reports.detail else "")


def _never(reports: ReportTimes) -> str:
    if reports.agent_at is None:
        return "no report yet: its agent has not reported"
    return "no report yet" + (f": {reports.detail}" if reports.detail else "")


def port_facts(port: PortView) -> Facts:
    """Facts of a port for `PORT_STATES`."""
    return {
        "is_fresh": port.fresh,
        "oper_up": port.oper_up,
        "admin_up": bool(port.admin_up),
        "is_used": port.used,
    }


def port_state(port: PortView, now: datetime) -> StateText:
    """State of a port: unknown if its node is; disabled if administratively down or not in use."""
    rule = decide(PORT_STATES, port_facts(port))
    if rule.state == "unknown" or port.since is None:
        return StateText(rule.state, rule.text)
    return StateText(rule.state, f"{rule.text} for {duration((now - port.since).total_seconds())}")


def link_state(
    ends: list[PortView], loads: tuple[Load | None, Load | None], troubles: OpenIncidents, now: datetime
) -> StateText:
    """State of a link: critical if a reported port is down; unknown if neither end is reporting."""
    known = [end for end in ends if end.fresh and end.oper_up is not None]
    down = next((end for end in known if not end.oper_up), None)
    facts = {
        "is_down": down is not None,
        "is_known": bool(known),
        "has_critical": troubles.critical > 0,
        "has_warning": troubles.warning > 0,
    }
    state = decide(LINK_STATES, facts).state
    if down is not None:
        since = "" if down.since is None else f" for {duration((now - down.since).total_seconds())}"
        return StateText(state, f"{down.name} is down{since}")
    if known:
        return StateText(state, _carried(loads))
    return StateText(state, "neither end is reporting" if len(ends) > 1 else "its node is not reporting")


def _carried(loads: tuple[Load | None, Load | None]) -> str:
    fresh = [load.utilisation for load in loads if load is not None and load.fresh]
    return f"up, {share(max(fresh))} used" if fresh else "up, no data yet"
