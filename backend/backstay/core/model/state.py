"""The five states in which everything is shown, and the words beside them.

Unknown means that nothing recent is known; it wins over everything that was true before, so that stale
never looks live.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from backstay.core.formatting import duration, share
from backstay.core.model.freshness import is_fresh
from backstay.core.model.load import Load

State = Literal["ok", "warning", "critical", "unknown", "disabled"]


@dataclass(frozen=True, slots=True)
class StateText:
    """A state and its words."""

    state: State
    text: str


@dataclass(frozen=True, slots=True)
class ReportTimes:
    """How a node is watched: when it was heard last, and whether anybody listens."""

    at: datetime | None
    watched: bool
    agent_at: datetime | None = None
    """When the agent that watches it was heard last."""
    detail: str = ""
    """What its collector said when it failed."""


@dataclass(frozen=True, slots=True)
class OpenIncidents:
    """Open incidents about one object."""

    critical: int = 0
    warning: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.critical + self.warning


@dataclass(frozen=True, slots=True)
class PortView:
    """One port as its device last described it; `oper_up` None: never described."""

    name: str
    oper_up: bool | None
    admin_up: bool | None
    since: datetime | None
    fresh: bool
    """Whether its node is heard."""
    used: bool = True
    """Whether the site file or a neighbour says that something is plugged in."""


def seconds(now: datetime, at: datetime | None) -> float | None:
    """Age in seconds, never negative; None of never."""
    return None if at is None else round(max((now - at).total_seconds(), 0.0), 1)


def node_state(reports: ReportTimes, troubles: OpenIncidents, now: datetime, interval_s: float) -> StateText:
    """A node: unknown when silent, else as bad as its worst open incident."""
    if not reports.watched:
        return StateText("unknown", "no agent watches it")
    if reports.at is None:
        return StateText("unknown", _never(reports))
    age = max((now - reports.at).total_seconds(), 0.0)
    if not is_fresh(reports.at, now, interval_s):
        return StateText(
            "unknown", f"silent for {duration(age)}" + (f": {reports.detail}" if reports.detail else "")
        )
    summary = f"heard {duration(round(age))} ago"
    if troubles.critical:
        return StateText("critical", summary)
    return StateText("warning" if troubles.warning else "ok", summary)


def _never(reports: ReportTimes) -> str:
    if reports.agent_at is None:
        return "never heard: its agent has not reported yet"
    return "never heard" + (f": {reports.detail}" if reports.detail else "")


def port_state(port: PortView, now: datetime) -> StateText:
    """A port: unknown with its node, disabled when set down on purpose or not in use."""
    if not port.fresh:
        return StateText("unknown", "its node is silent")
    if port.oper_up is None:
        return StateText("unknown", "not described yet")
    since = "" if port.since is None else f" for {duration((now - port.since).total_seconds())}"
    if port.oper_up:
        return StateText("ok", f"up{since}")
    if not port.admin_up:
        return StateText("disabled", f"administratively down{since}")
    if not port.used:
        return StateText("disabled", f"nothing plugged in{since}")
    return StateText("critical", f"down{since}")


def link_state(
    ends: list[PortView], loads: tuple[Load | None, Load | None], troubles: OpenIncidents, now: datetime
) -> StateText:
    """A link: critical when a port that we hear of is down; unknown when neither end is heard."""
    known = [end for end in ends if end.fresh and end.oper_up is not None]
    for end in known:
        if not end.oper_up:
            since = "" if end.since is None else f" for {duration((now - end.since).total_seconds())}"
            return StateText("critical", f"{end.name} is down{since}")
    if not known:
        return StateText("unknown", "neither end is heard" if len(ends) > 1 else "its node is silent")
    summary = _carried(loads)
    if troubles.critical:
        return StateText("critical", summary)
    return StateText("warning" if troubles.warning else "ok", summary)


def _carried(loads: tuple[Load | None, Load | None]) -> str:
    fresh = [load.utilisation for load in loads if load is not None and load.fresh]
    return f"up, {share(max(fresh))} used" if fresh else "up, no figures yet"
