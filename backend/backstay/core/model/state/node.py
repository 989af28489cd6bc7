"""Nodes: whether they report, whether others reach them, and the state that follows; agents and clocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from backstay.core.formatting import duration
from backstay.core.model.freshness import collector_max_age_s, is_fresh
from backstay.core.model.state.rules import State, StateRule, StateText, decide

Reporting = Literal["reporting", "not_reporting", "never", "not_collected"]
Reachability = Literal["reachable", "partly_reachable", "unreachable", "not_probed"]

REPORTINGS: Sequence[StateRule[Reporting]] = (
    StateRule("not_collected", {"is_collected": False}),
    StateRule("reporting", {"is_fresh": True}),
    StateRule("not_reporting", {"has_reported": True}),
    StateRule("never"),
)
REACHABILITIES: Sequence[StateRule[Reachability]] = (
    StateRule("partly_reachable", {"is_answering": True, "is_silent": True}),
    StateRule("reachable", {"is_answering": True}),
    StateRule("unreachable", {"is_silent": True}),
    StateRule("not_probed"),
)
NODE_STATES: Sequence[StateRule[State]] = (
    StateRule("unknown", {"reporting": "not_collected"}),
    StateRule("unknown", {"reporting": "never"}),
    StateRule("unknown", {"reporting": "not_reporting"}),
    StateRule("critical", {"has_critical": True}),
    StateRule("warning", {"has_warning": True}),
    StateRule("ok"),
)
AGENT_STATES: Sequence[StateRule[State]] = (
    StateRule("disabled", {"is_revoked": True}),
    StateRule("unknown", {"is_fresh": False}),
    StateRule("warning", {"has_dropped": True}),
    StateRule("ok"),
)
CLOCK_STATES: Sequence[StateRule[State]] = (
    StateRule("unknown", {"is_fresh": False}),
    StateRule("ok", {"is_skewed": False}),
    StateRule("critical", {"has_critical": True}),
    StateRule("warning"),
)
TABLE_STATES: Sequence[StateRule[State]] = (
    StateRule("unknown", {"is_fresh": False}),
    StateRule("critical", {"has_critical": True}),
    StateRule("warning", {"has_warning": True}),
    StateRule("ok"),
)
"""Of neighbour tables."""
COLLECTOR_STATES: Sequence[StateRule[State]] = (
    StateRule("unknown", {"is_fresh": False}, "not reported for {age}"),
    StateRule("critical", {"outcome": "timeout"}, "no answer in time"),
    StateRule("critical", {"outcome": "failed"}, "failed"),
    StateRule("ok", {"outcome": "no_data"}, "nothing to report"),
    StateRule("ok", {"outcome": "ok"}, "ok"),
    StateRule("unknown", text="unknown outcome"),
)
"""Of one collector of a device, from its last reported run."""
SAVED_STATES: Sequence[StateRule[State]] = (
    StateRule("unknown", {"is_own_agent": False}, "The saved state cannot be read{reported}."),
    StateRule(
        "unknown",
        {"has_files": False},
        "No boot file is read: add a routing or arp key to the node in the site file.",
    ),
    StateRule("warning", {"has_differing": True}, "{differing} of its ports would change at a reboot."),
    StateRule("unknown", {"has_unknown": True}, "No known boot file sets {unknown} of its ports."),
    StateRule("ok", text="The running state of all its ports is saved."),
)
"""Of a node's ports compared with its boot files."""


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


def reporting(reports: ReportTimes, now: datetime, interval_s: float) -> Reporting:
    """Whether a node reports."""
    facts = {
        "is_collected": reports.watched,
        "is_fresh": is_fresh(reports.at, now, interval_s),
        "has_reported": reports.at is not None,
    }
    return decide(REPORTINGS, facts).state


def reachability(answering: int, silent: int) -> Reachability:
    """Whether other nodes reach a node by probe: numbers of those that get an answer, and that get none."""
    return decide(REACHABILITIES, {"is_answering": answering > 0, "is_silent": silent > 0}).state


def node_state(reports: ReportTimes, troubles: OpenIncidents, now: datetime, interval_s: float) -> StateText:
    """State of a node: unknown if it is not reporting, otherwise its worst open incident."""
    known = reporting(reports, now, interval_s)
    facts = {
        "reporting": known,
        "has_critical": troubles.critical > 0,
        "has_warning": troubles.warning > 0,
    }
    return StateText(decide(NODE_STATES, facts).state, _node_text(reports, known, now))


NOT_MEASURED = "not measured at that time"


def past_node_state(troubles: OpenIncidents, *, is_measured: bool) -> StateText:
    """State of a node at a past moment: unknown if no port was measured, otherwise its worst incident."""
    facts = {
        "reporting": "reporting" if is_measured else "not_reporting",
        "has_critical": troubles.critical > 0,
        "has_warning": troubles.warning > 0,
    }
    return StateText(decide(NODE_STATES, facts).state, "measured" if is_measured else NOT_MEASURED)


def collector_state(outcome: str, at: datetime, now: datetime, interval_s: float) -> StateText:
    """State of a collector whose run at `at` had this outcome; unknown if it is no longer reported."""
    age_s = max((now - at).total_seconds(), 0.0)
    rule = decide(
        COLLECTOR_STATES, {"is_fresh": age_s <= collector_max_age_s(interval_s), "outcome": outcome}
    )
    return StateText(rule.state, rule.text.format(age=duration(round(age_s))))


def _node_text(reports: ReportTimes, known: Reporting, now: datetime) -> str:
    if known == "not_collected":
        return "no agent collects from it"
    if reports.at is None:
        return _never(reports)
    age = max((now - reports.at).total_seconds(), 0.0)
    if known == "reporting":
        return f"last seen {duration(round(age))} ago"
    return f"not reporting for {duration(age)}" + (f": {reports.detail}" if reports.detail else "")


def _never(reports: ReportTimes) -> str:
    if reports.agent_at is None:
        return "no report yet: its agent has not reported"
    return "no report yet" + (f": {reports.detail}" if reports.detail else "")
