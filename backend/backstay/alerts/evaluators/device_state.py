"""Parts of devices that say of themselves that they are not well: one finding a part, not one a figure.

A part is what somebody would look at: a card with its ports and their circuits, a port, a link of which both
ends tell, a fabric. What a down port says is left to the rule of ports, and what is said of a circuit to the
rule of circuits. A word must stand for a while to open an incident and must be gone for a while to close it;
of a silent device nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from backstay.alerts.evaluators.failover import still
from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Phase, Rule
from backstay.alerts.selectors.alarmed import alarmed_parts
from backstay.alerts.selectors.situation import Situation
from backstay.core.alerting.saturation import Count
from backstay.core.alerting.states import CRITICAL, OF_LINKS, card_of, part_of
from backstay.core.formatting import listing
from backstay.core.model.figure import Reading, is_fresh
from backstay.core.model.topology import Link
from backstay.telemetry import catalogue
from backstay.telemetry.selectors.circuits import is_of_a_circuit, labels_of
from backstay.telemetry.selectors.worries import Worry, worries_now

MOST_PARTS = 8
"""Of one device with an incident each; when more fail at once, the device as a whole has one."""
LISTED = 6
CARD = "grf.card_state"


@dataclass(frozen=True, slots=True)
class Part:
    """What a finding is about."""

    fingerprint: str
    subject: str
    node_id: int
    link_id: int | None = None


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Findings for every part with a word that is not good; it only counts until it has stood long enough."""
    told = worries_now(situation.site)
    labels = labels_of(situation.site) if told else {}
    worries = [
        item
        for item in told
        if not _told_by_its_port(situation, item)
        and not is_of_a_circuit(item.metric, item.node, item.subject, labels)
    ]
    groups = _groups(situation, worries, present)
    undecided = {part.fingerprint for part, told in groups.items() if not _heard(situation, told)}
    findings = []
    for part, told in groups.items():
        news = [item for item in told if _is_fresh(situation, item)]
        if news and part.fingerprint not in undecided:
            findings.append(_finding(situation, rule, part, news, present.get(part.fingerprint)))
    found = {finding.fingerprint for finding in findings}
    for fingerprint, incident in present.items():
        if fingerprint not in found and not _is_well_again(situation, rule, incident):
            undecided.add(fingerprint)
    return Verdict(tuple(findings), frozenset(undecided))


def _told_by_its_port(situation: Situation, worry: Worry) -> bool:
    """A port that is down is another rule's, and one that nothing is joined to is free."""
    if worry.port_id is None or worry.metric == CARD:
        return False
    return worry.oper_up is False or worry.admin_up is False


def _heard(situation: Situation, told: Iterable[Worry]) -> bool:
    return any(situation.is_fresh(item.node_id) for item in told)


def _is_fresh(situation: Situation, worry: Worry) -> bool:
    """Whether it may still be believed. Nobody could tell it again while we were away."""
    at = max(worry.at, situation.heard_from) if situation.heard_from else worry.at
    reading = Reading(None, worry.word, 0, at, None)
    return situation.is_fresh(worry.node_id) and is_fresh(reading, situation.now, situation.site.interval_s)


def _is_well_again(situation: Situation, rule: Rule, incident: Incident) -> bool:
    """Whether an incident of which nothing was found may go: what only counted goes at once."""
    if incident.node_id is not None and not situation.is_fresh(incident.node_id):
        return False
    clear = timedelta(seconds=float(rule.parameters.get("clear_s", 10.0)))
    return incident.phase == Phase.PENDING or situation.now - incident.last_seen >= clear


def _groups(
    situation: Situation, worries: list[Worry], present: Mapping[str, Incident]
) -> dict[Part, list[Worry]]:
    """By part; parts that an alarm speaks for already are left out."""
    links = _links(situation, {item.port_id for item in worries if item.metric in OF_LINKS})
    cards = {(item.node_id, part_of(item.subject)) for item in worries if item.metric == CARD}
    silenced = alarmed_parts({item.node_id for item in worries})
    found: dict[Part, list[Worry]] = {}
    for worry in worries:
        name = _part_name(worry, cards)
        if (worry.node_id, name) in silenced:
            continue
        found.setdefault(_part(situation, worry, name, links), []).append(worry)
    return _bounded(found, present)


def _links(situation: Situation, ports: set[int | None]) -> dict[int, Link]:
    """Port id -> the link that joins it to another port."""
    if not ports:
        return {}
    joined = [link for link in situation.topology.links.values() if link.b is not None]
    return {port: link for link in joined for port in (link.a, link.b) if port in ports and port is not None}


def _part_name(worry: Worry, cards: set[tuple[int, str]]) -> str:
    card = card_of(worry.subject)
    return card if card is not None and (worry.node_id, card) in cards else part_of(worry.subject)


def _part(situation: Situation, worry: Worry, name: str, links: Mapping[int, Link]) -> Part:
    link = links.get(worry.port_id or 0) if worry.metric in OF_LINKS else None
    if link is not None:
        node = situation.topology.ports[link.a].node_id
        return Part(f"device_state:link:{link.id}", situation.link_name(link), node, link.id)
    if any(fabric.name == worry.subject for fabric in situation.topology.fabrics.values()):
        return Part(f"device_state:fabric:{worry.subject}", worry.subject, worry.node_id)
    subject = f"{worry.node}:{name}" if name else worry.node
    return Part(f"device_state:{worry.node_id}:{name}", subject, worry.node_id)


def _bounded(found: dict[Part, list[Worry]], present: Mapping[str, Incident]) -> dict[Part, list[Worry]]:
    """What fails at once in many places of one device is one trouble; what has an incident keeps it."""
    counts = Counter(part.node_id for part in found)
    bounded: dict[Part, list[Worry]] = {}
    for part, told in found.items():
        whole = Part(f"device_state:{part.node_id}:*", told[0].node, part.node_id)
        many = counts[part.node_id] > MOST_PARTS or whole.fingerprint in present
        into = whole if many and part.fingerprint not in present else part
        bounded.setdefault(into, []).extend(told)
    return bounded


def _finding(
    situation: Situation, rule: Rule, part: Part, told: list[Worry], incident: Incident | None
) -> Finding:
    told = sorted(told, key=lambda item: (item.metric not in CRITICAL, item.metric, item.subject))
    first, more = told[0], len(told) - 1
    since = min(item.at for item in told)
    stood = situation.now - (incident.opened_at if incident is not None else since)
    stands = stood.total_seconds() >= float(rule.parameters.get("after_s", 5.0))
    shown = incident is not None and incident.phase != Phase.PENDING
    metric = catalogue.metric(first.metric)
    rest = listing([_says(item) for item in told[1:]], LISTED)
    return Finding(
        fingerprint=part.fingerprint,
        severity="critical" if any(item.metric in CRITICAL for item in told) else "warning",
        subject=part.subject,
        title=f"{part.subject}: {_what(first)} is {first.word}" + (f", and {more} more" if more else ""),
        detail=still(incident if shown else None, len(told))
        + (metric.sentence if metric is not None else "")
        + (f" Also: {rest}." if rest else ""),
        since=since,
        node_id=part.node_id,
        link_id=part.link_id,
        value=len(told),
        count=None if stands or shown else Count(bad=1),
    )


def _what(worry: Worry) -> str:
    """The metric's title inside a sentence; an abbreviation stays as it is."""
    metric = catalogue.metric(worry.metric)
    title = metric.title if metric is not None else worry.metric
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def _says(worry: Worry) -> str:
    return f"{worry.subject} {_what(worry)} is {worry.word}".strip()
