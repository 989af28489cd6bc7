"""A clock whose offset is certain: one finding per node, from the source with the largest offset."""

from __future__ import annotations

from operator import attrgetter

from backstay.alerts.evidence import observed
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter
from backstay.core.diagnosis.clocks import CRITICAL_S, OffsetLimits, behind, is_off, reported_step
from backstay.core.diagnosis.faults.fault import EvidenceSource, FaultEvidence
from backstay.core.formatting import duration
from backstay.telemetry.selectors.clocks import ClockNow, far_off, worst
from backstay.telemetry.states.clocks import AGENT

_CORRECTION = {
    True: "Its agent's timestamps are corrected by this offset.",
    False: "Its data is stamped with the time of receipt, not with this clock.",
}


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Clocks off by more than `raise_s` until within `clear_s`; those of unreachable nodes stay undecided."""
    limits = OffsetLimits(
        raise_s=float(parameters["raise_s"]),
        clear_s=float(parameters["clear_s"]),
    )
    also = [incident.node_id for incident in present.values() if incident.node_id is not None]
    findings, undecided = [], set()
    clocks = far_off(snapshot.site, min(limits.raise_s, limits.clear_s), also)
    for node_id, clock in worst(clocks).items():
        fingerprint = f"clock:{node_id}"
        if not snapshot.is_fresh(node_id):
            undecided.add(fingerprint)
        elif is_off(clock.look, limits, firing=fingerprint in present):
            evidence = tuple(_evidence(snapshot, item, limits) for item in clocks if item.node_id == node_id)
            findings.append(_finding(fingerprint, clock, limits, evidence))
    return RuleResult(tuple(findings), frozenset(undecided))


def _evidence(snapshot: SiteSnapshot, clock: ClockNow, limits: OffsetLimits) -> FaultEvidence:
    """One source's measurement; one that may be within the clearing limit contradicts."""
    look, reference = clock.look, "NTP" if clock.against == "ntp" else "the backend"
    text = f"{clock.source}: {behind(look.offset_s)} of {reference}, +/- {duration(look.error_s)}"
    is_off_too = look.certain_s > limits.clear_s
    source: EvidenceSource | None = "report" if clock.source == AGENT else None
    return observed(snapshot, clock.node_id, text, clock.at, source=source, supports=is_off_too)


def _finding(
    fingerprint: str, clock: ClockNow, limits: OffsetLimits, evidence: tuple[FaultEvidence, ...]
) -> Finding:
    look, step = clock.look, ""
    if clock.step_s is not None and clock.stepped_at is not None:
        step = f"Its {reported_step(clock.step_s, reboot=clock.step_at_reboot)}. "
    title = f"{clock.node}: clock {behind(look.offset_s)}"
    if clock.step_at_reboot and clock.step_s is not None:
        title += " since its reboot"
    return Finding(
        fingerprint=fingerprint,
        severity="critical" if look.certain_s >= CRITICAL_S else "warning",
        subject=clock.node,
        title=title,
        detail=f"{step}Reported by {clock.source}, +/- {duration(look.error_s)}."
        f" {_CORRECTION[clock.source == AGENT]} Its own log times are wrong. Set the clock and run NTP;"
        f" clears within {duration(limits.clear_s)}.",
        since=clock.stepped_at or clock.at,
        node_id=clock.node_id,
        value=abs(look.offset_s),
        threshold=limits.raise_s,
        evidence=evidence,
    )


RAISE_S = RuleParameter("raise_s", "Opens at", "s", 10.0, 0.01, 86_400, "Offset that is certainly exceeded.")
CLEAR_S = RuleParameter(
    "clear_s", "Resolves within", "s", 5.0, 0.001, 86_400, "Offset within which it resolves.", below="raise_s"
)
RULE = Rule(
    kind="clock",
    title="Clock offset",
    severity="warning",
    evaluate=evaluate,
    triggers=attrgetter("clocks"),
    cause_rank=CauseRank.INDEPENDENT,
    group="devices",
    about="node",
    summary="The clock of a node is certainly wrong.",
    parameters=(RAISE_S, CLEAR_S),
    is_about_a_clock=True,
    runbook="clock",
)
