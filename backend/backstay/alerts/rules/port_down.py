"""A link with a port that reports down: one finding per link, not per port."""

from __future__ import annotations

from datetime import datetime
from operator import attrgetter

from backstay.alerts.fault_findings import covers, detail_text, impact_text
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, own_link
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.diagnosis.faults.carrier import LostLink, link_evidence
from backstay.core.diagnosis.faults.fault import Fault, FaultEvidence, FaultKind
from backstay.core.model.state import PortView
from backstay.core.model.topology import Link


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Links that are down; undecided where an end does not report and no other end is down."""
    findings, undecided = [], set()
    faults = {fault.link_id: fault for fault in snapshot.faults if fault.kind == FaultKind.LINK_DOWN}
    for link in snapshot.unwell_links:
        ends = snapshot.link_ports(link)
        down = [end for end in ends if end.fresh and end.oper_up is False]
        if down:
            findings.append(_finding(snapshot, link, down, faults.get(link.id)))
        elif not all(end.fresh for end in ends):
            undecided.add(_fingerprint(link))
    return RuleResult(tuple(findings), frozenset(undecided))


def _fingerprint(link: Link) -> str:
    return f"port_down:{link.id}"


def _finding(snapshot: SiteSnapshot, link: Link, down: list[PortView], fault: Fault | None) -> Finding:
    """`fault`: the link as a root cause; None if a gateway or fabric explains it."""
    name = snapshot.link_name(link)
    since = min((end.since for end in down if end.since is not None), default=snapshot.now)
    why = "; ".join(f"{end.name} {_why(end)}" for end in down)
    broken = fault is not None and (fault.dead_paths or fault.rerouted_paths)
    return Finding(
        fingerprint=_fingerprint(link),
        subject=name,
        title=f"{name} is down" + (f": {impact_text(snapshot, fault)}" if fault and broken else ""),
        detail=f"{why}." + (f" {detail_text(snapshot, fault)}".rstrip() if fault else ""),
        since=since,
        link_id=link.id,
        path_ids=(*fault.dead_paths, *fault.rerouted_paths) if fault else (),
        value=float(len(fault.dead_paths) + len(fault.rerouted_paths)) if fault else 0.0,
        fault=fault or _only_link(name, link, since),
        evidence=fault.evidence if fault else _evidence(snapshot, link, since),
    )


def _only_link(name: str, link: Link, since: datetime) -> Fault:
    return Fault(FaultKind.LINK_DOWN, name, since, link_id=link.id, links=(link.id,))


def _evidence(snapshot: SiteSnapshot, link: Link, since: datetime) -> tuple[FaultEvidence, ...]:
    ports = [port for port in (link.a, link.b) if port is not None]
    down = tuple(port for port in ports if snapshot.port_view(port).oper_up is False)
    return link_evidence(snapshot.observations, LostLink(link, down, since))


def _why(end: PortView) -> str:
    return "has no carrier" if end.admin_up else "is administratively down"


RULE = Rule(
    kind="port_down",
    title="Port down",
    severity="critical",
    evaluate=evaluate,
    triggers=attrgetter("ports"),
    cause_rank=CauseRank.LINK_DOWN,
    scope=own_link,
    covers=covers,
    source="carrier",
    reads_faults=True,
    is_steady=True,
    group="reachability",
    about="link",
    summary="A port of a link reports that it has no carrier, or is administratively down.",
    runbook="link-down",
)
