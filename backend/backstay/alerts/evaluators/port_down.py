"""A link of which a port that we hear of is down: one finding a link, not one a port."""

from __future__ import annotations

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.model.state import PortView
from backstay.core.model.topology import Link


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Links that are down. Where an end is silent and no other says down, nobody knows."""
    findings, undecided = [], set()
    for link in situation.topology.links.values():
        if situation.is_well(link):
            continue
        ends = situation.link_ports(link)
        down = [end for end in ends if end.fresh and end.oper_up is False]
        if down:
            findings.append(_finding(situation, link, down))
        elif not all(end.fresh for end in ends):
            undecided.add(_fingerprint(link))
    return Verdict(tuple(findings), frozenset(undecided))


def _fingerprint(link: Link) -> str:
    return f"port_down:{link.id}"


def _finding(situation: Situation, link: Link, down: list[PortView]) -> Finding:
    name = situation.link_name(link)
    return Finding(
        fingerprint=_fingerprint(link),
        severity="critical",
        subject=name,
        title=f"{name} is down",
        detail="; ".join(f"{end.name} {_why(end)}" for end in down) + ".",
        since=min((end.since for end in down if end.since is not None), default=situation.now),
        link_id=link.id,
    )


def _why(end: PortView) -> str:
    return "has no carrier" if end.admin_up else "is administratively down"
