"""Clocks for clients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from backstay.api.clocks.schemas import ClockIncident, ClockOut, ClockPoint, ClockStep
from backstay.api.http.schemas import State
from backstay.api.http.urls import incident_url, node_url
from backstay.core.diagnosis.clocks import behind, is_skewed, reported_step
from backstay.core.model.state import CLOCK_STATES, decide, seconds

if TYPE_CHECKING:
    from backstay.alerts.models import Incident
    from backstay.telemetry.selectors.clocks import ClockNow

EXPLANATIONS: Mapping[str, str] = {
    "agent": (
        "Measured by the agent's requests: the backend's clock was read between request and response, so the"
        " error is half of the round trip. Stored once a minute; every request is checked for a step."
    ),
    "hrSystemDate": (
        "Read over SNMP (hrSystemDate, RFC 2790) by the agent that collects from it, each interval. Many"
        " devices report whole seconds, which adds half a second to the error. Without a time zone in the"
        " response, the agent's is assumed."
    ),
    "ps32": (
        "Date and time of the HIPPI switch (ps32SwitchDate, ps32SwitchTime), two strings in whole seconds"
        " without a time zone: the agent's is assumed."
    ),
    "date": "The output of `date` over ssh, in whole seconds of UTC; the error includes the round trip.",
    "chrony": (
        "Tracking reported by chrony on the host: relative to NTP, not to the backend's clock. The error is"
        " its root dispersion plus half of its root delay; the drift is the corrected one."
    ),
}
"""How each source is read."""
_OTHER = "Reported by the device itself."


@dataclass(frozen=True, slots=True)
class View:
    """Data shared by several clocks."""

    now: datetime
    fresh: frozenset[int]
    incidents: Mapping[int, Incident]
    """By node id."""


def clock_out(view: View, clock: ClockNow) -> ClockOut:
    """One source's report of one clock."""
    incident = view.incidents.get(clock.node_id)
    return ClockOut(
        node=clock.node,
        node_id=clock.node_id,
        source=clock.source,
        explanation=EXPLANATIONS.get(clock.source, _OTHER),
        against=clock.against,
        state=_state(view, clock, incident),
        text=behind(clock.look.offset_s) if is_skewed(clock.look) else "in sync",
        offset_s=round(clock.look.offset_s, 6),
        error_s=round(clock.look.error_s, 6),
        at=clock.at,
        age_s=seconds(view.now, clock.at) or 0.0,
        drift_ppm=None if clock.rate is None else round(clock.rate.ppm, 3),
        drift_error_ppm=None if clock.rate is None else round(clock.rate.error_ppm, 3),
        step=_step(clock),
        recent=[
            ClockPoint(at=datetime.fromtimestamp(item.at, UTC), offset_s=item.offset_s, error_s=item.error_s)
            for item in clock.past
        ],
        incident=None if incident is None else _incident(incident),
        url=node_url(clock.node_id),
    )


def _state(view: View, clock: ClockNow, incident: Incident | None) -> State:
    facts = {
        "is_fresh": clock.node_id in view.fresh,
        "is_skewed": is_skewed(clock.look),
        "has_critical": incident is not None and incident.severity == "critical",
    }
    return decide(CLOCK_STATES, facts).state


def _step(clock: ClockNow) -> ClockStep | None:
    if clock.stepped_at is None or clock.step_s is None:
        return None
    text = reported_step(clock.step_s, reboot=clock.step_at_reboot)
    return ClockStep(at=clock.stepped_at, by_s=clock.step_s, at_reboot=clock.step_at_reboot, text=text)


def _incident(incident: Incident) -> ClockIncident:
    return ClockIncident(
        id=incident.pk, title=incident.title, severity=incident.severity, url=incident_url(incident.pk)
    )
