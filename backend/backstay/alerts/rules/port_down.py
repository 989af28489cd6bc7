"""A link with a port that reports down: one finding per link, not per port."""

from __future__ import annotations

from operator import attrgetter

from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.explain import CauseRank
from backstay.core.model.state import PortView
from backstay.core.model.topology import Link


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Links that are down; undecided where an end does not report and no other end is down."""
    findings, undecided = [], set()
    for link in snapshot.topology.links.values():
        if snapshot.is_well(link):
            continue
        ends = snapshot.link_ports(link)
        down = [end for end in ends if end.fresh and end.oper_up is False]
        if down:
            findings.append(_finding(snapshot, link, down))
        elif not all(end.fresh for end in ends):
            undecided.add(_fingerprint(link))
    return RuleResult(tuple(findings), frozenset(undecided))


def _fingerprint(link: Link) -> str:
    return f"port_down:{link.id}"


def _finding(snapshot: SiteSnapshot, link: Link, down: list[PortView]) -> Finding:
    name = snapshot.link_name(link)
    return Finding(
        fingerprint=_fingerprint(link),
        subject=name,
        title=f"{name} is down",
        detail="; ".join(f"{end.name} {_why(end)}" for end in down) + ".",
        since=min((end.since for end in down if end.since is not None), default=snapshot.now),
        link_id=link.id,
    )


def _why(end: PortView) -> str:
    return "has no carrier" if end.admin_up else "is administratively down"


def _end_nodes(snapshot: SiteSnapshot, incident: Incident) -> frozenset[int]:
    link = snapshot.topology.links.get(incident.link_id or 0)
    if link is None:
        return frozenset()
    return frozenset(ident for kind, ident in snapshot.topology.ends(link) if kind == "node")


RULE = Rule(
    kind="port_down",
    title="Port down",
    severity="critical",
    evaluate=evaluate,
    triggers=attrgetter("ports"),
    cause_rank=CauseRank.EFFECT,
    nodes=_end_nodes,
)
