"""A clock that is certainly wrong: one finding a node, by the source that has it furthest off."""

from __future__ import annotations

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.diagnosis.clocks import CRITICAL_S, Limits, behind, is_off, told_step
from backstay.core.formatting import duration
from backstay.telemetry.clocks import AGENT
from backstay.telemetry.selectors.clocks import ClockNow, far_off, worst

_PLACED = {
    True: "Its agent's times are moved by as much, so its data stands where it belongs.",
    False: "Its data is placed by when it was received, not by this clock.",
}


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Clocks off by more than `raise_s` until they are within `clear_s`; a silent node's is not judged."""
    limits = Limits(
        raise_s=float(rule.parameters.get("raise_s", 10.0)),
        clear_s=float(rule.parameters.get("clear_s", 5.0)),
    )
    also = [incident.node_id for incident in present.values() if incident.node_id is not None]
    findings, undecided = [], set()
    told = far_off(situation.site, min(limits.raise_s, limits.clear_s), also)
    for node_id, clock in worst(told).items():
        fingerprint = f"clock:{node_id}"
        if not situation.is_fresh(node_id):
            undecided.add(fingerprint)
        elif is_off(clock.look, limits, firing=fingerprint in present):
            findings.append(_finding(fingerprint, clock, limits))
    return Verdict(tuple(findings), frozenset(undecided))


def _finding(fingerprint: str, told: ClockNow, limits: Limits) -> Finding:
    look, said = told.look, ""
    if told.step_s is not None and told.stepped_at is not None:
        said = f"Its {told_step(told.step_s, reboot=told.step_at_reboot)}. "
    title = f"{told.node}: clock {behind(look.offset_s)}"
    if told.step_at_reboot and told.step_s is not None:
        title += " since its reboot"
    return Finding(
        fingerprint=fingerprint,
        severity="critical" if look.certain_s >= CRITICAL_S else "warning",
        subject=told.node,
        title=title,
        detail=f"{said}Told by {told.source}, to within {duration(look.error_s)}."
        f" {_PLACED[told.source == AGENT]} Its own logs are off. Set it, and let it be kept by NTP;"
        f" clears within {duration(limits.clear_s)}.",
        since=told.stepped_at or told.at,
        node_id=told.node_id,
        value=abs(look.offset_s),
        threshold=limits.raise_s,
    )
