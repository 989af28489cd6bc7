"""Parts of devices that report an unhealthy state: one finding per part, not per metric.

A part is a card with its ports and their circuits, a port, a link that both ends report, or a fabric. States
of a port that is down belong to the rule `port_down`, those of a circuit to the rule `circuit`. A state must
last `after_s` to open an incident and be over for `clear_s` to resolve it. Unreachable devices are undecided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from backstay.alerts.evidence import MAX_EVIDENCE, observed
from backstay.alerts.models import Incident
from backstay.alerts.rule import (
    Finding,
    Parameters,
    Present,
    Rule,
    RuleResult,
    count_until,
    is_shown,
)
from backstay.alerts.selectors.polled_alarms import alarmed_parts
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.storms import split
from backstay.core.alerting.root_causes import CauseRank, Scope
from backstay.core.alerting.rule_parameters import opens_after, resolves_after
from backstay.core.alerting.unhealthy_states import CRITICAL, OF_LINKS, card_of, part_of
from backstay.core.formatting import listing
from backstay.core.model.device_metric import MetricReading, is_fresh
from backstay.core.model.topology import Link, Topology
from backstay.core.thresholds import INCIDENTS_PER_DEVICE
from backstay.telemetry import catalogue
from backstay.telemetry.selectors.circuits import is_of_a_circuit, labels_of
from backstay.telemetry.selectors.unhealthy_states import UnhealthyState, unhealthy_states

MAX_LISTED = 6
CARD, HOST_DEVICE = "grf.card_state", "host.device"
CACHED = timedelta(seconds=60)
"""A host reports its devices from a cache, net-snmp for half a minute: values this soon after a port came up
may be older than that."""


@dataclass(frozen=True, slots=True)
class MetricSubject:
    """The object of a finding."""

    fingerprint: str
    subject: str
    node_id: int
    link_id: int | None = None


Groups = dict[MetricSubject, list[UnhealthyState]]


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Findings for every part with an unhealthy state; pending until `after_s` old."""
    states = unhealthy_states(snapshot.site)
    labels = labels_of(snapshot.site) if states else {}
    states = [
        item
        for item in states
        if not _follows_from_port(snapshot, item)
        and not is_of_a_circuit(item.metric, item.node, item.subject, labels)
    ]
    groups = _groups(snapshot, states, present)
    undecided = {
        part.fingerprint
        for part, items in groups.items()
        if not any(snapshot.is_fresh(item.node_id) for item in items)
    }
    findings = []
    for part, items in groups.items():
        fresh = [item for item in items if _is_fresh(snapshot, item)]
        if fresh and part.fingerprint not in undecided:
            incident = present.get(part.fingerprint)
            findings.append(_finding(snapshot, float(parameters["after_s"]), part, fresh, incident))
    clear_s = float(parameters["clear_s"])
    found = {finding.fingerprint for finding in findings}
    for fingerprint, incident in present.items():
        if fingerprint not in found and not _is_over(snapshot, clear_s, incident):
            undecided.add(fingerprint)
    return RuleResult(tuple(findings), frozenset(undecided))


def _follows_from_port(snapshot: SiteSnapshot, state: UnhealthyState) -> bool:
    """Whether its port is down, administratively down because it is unused, or was down when the state was
    read: some tables are polled once a minute."""
    if state.port_id is None or state.metric == CARD:
        return False
    end = snapshot.port_states.get(state.port_id)
    cached = CACHED if state.metric == HOST_DEVICE else timedelta()
    is_older = end is not None and end.since is not None and state.at < end.since + cached
    return state.oper_up is False or state.admin_up is False or is_older


def _is_fresh(snapshot: SiteSnapshot, state: UnhealthyState) -> bool:
    """Whether the state is still valid. It could not be reported again while the backend paused."""
    at = max(state.at, snapshot.listening_since) if snapshot.listening_since else state.at
    reading = MetricReading(None, state.text, 0, at, None)
    return snapshot.is_fresh(state.node_id) and is_fresh(reading, snapshot.now, snapshot.site.interval_s)


def _is_over(snapshot: SiteSnapshot, clear_s: float, incident: Incident) -> bool:
    """Whether an incident without a finding resolves; a pending one is dropped at once."""
    if incident.node_id is not None and not snapshot.is_fresh(incident.node_id):
        return False
    return not is_shown(incident) or (snapshot.now - incident.last_seen).total_seconds() >= clear_s


def _groups(snapshot: SiteSnapshot, states: list[UnhealthyState], present: Present) -> Groups:
    """By part; parts with an alarm are left out."""
    links = _links(snapshot, {item.port_id for item in states if item.metric in OF_LINKS})
    cards = {(item.node_id, part_of(item.subject)) for item in states if item.metric == CARD}
    alarmed = alarmed_parts({item.node_id for item in states})
    found: Groups = {}
    for state in states:
        name = _part_name(state, cards)
        if (state.node_id, name) in alarmed:
            continue
        found.setdefault(_part(snapshot, state, name, links), []).append(state)
    return _bounded(found, present)


def _links(snapshot: SiteSnapshot, ports: set[int | None]) -> dict[int, Link]:
    """Port id -> the link that joins it to another port."""
    if not ports:
        return {}
    joined = [link for link in snapshot.topology.links.values() if link.b is not None]
    return {port: link for link in joined for port in (link.a, link.b) if port in ports and port is not None}


def _part_name(state: UnhealthyState, cards: set[tuple[int, str]]) -> str:
    card = card_of(state.subject)
    return card if card is not None and (state.node_id, card) in cards else part_of(state.subject)


def _part(
    snapshot: SiteSnapshot, state: UnhealthyState, name: str, links: Mapping[int, Link]
) -> MetricSubject:
    link = links.get(state.port_id or 0) if state.metric in OF_LINKS else None
    if link is not None:
        node = snapshot.topology.ports[link.a].node_id
        return MetricSubject(f"device_state:link:{link.id}", snapshot.link_name(link), node, link.id)
    if any(fabric.name == state.subject for fabric in snapshot.topology.fabrics.values()):
        return MetricSubject(f"device_state:fabric:{state.subject}", state.subject, state.node_id)
    subject = f"{state.node}:{name}" if name else state.node
    return MetricSubject(f"device_state:{state.node_id}:{name}", subject, state.node_id)


def _bounded(found: Groups, present: Present) -> Groups:
    """Many parts of one device that fail at once share one incident; a part that has an incident keeps it."""
    own, shared = split(found, present, INCIDENTS_PER_DEVICE, _names)
    bounded = {part: found[part] for part in own}
    for fingerprint, parts in shared.items():
        items = [item for part in parts for item in found[part]]
        bounded[MetricSubject(fingerprint, items[0].node, parts[0].node_id)] = items
    return bounded


def _names(part: MetricSubject) -> tuple[str, str]:
    return part.fingerprint, f"device_state:{part.node_id}:*"


def _finding(
    snapshot: SiteSnapshot,
    after_s: float,
    part: MetricSubject,
    states: list[UnhealthyState],
    incident: Incident | None,
) -> Finding:
    states = sorted(states, key=lambda item: (item.metric not in CRITICAL, item.metric, item.subject))
    first, more = states[0], len(states) - 1
    since = min(item.at for item in states)
    age = snapshot.now - (incident.opened_at if incident is not None else since)
    metric = catalogue.metric(first.metric)
    rest = listing([_describe(item) for item in states[1:]], MAX_LISTED)
    return Finding(
        fingerprint=part.fingerprint,
        severity="critical" if any(item.metric in CRITICAL for item in states) else "warning",
        subject=part.subject,
        title=f"{part.subject}: {_title(first)} is {first.text}" + (f", and {more} more" if more else ""),
        detail=(metric.sentence if metric is not None else "") + (f" Also: {rest}." if rest else ""),
        since=since,
        node_id=part.node_id,
        link_id=part.link_id,
        value=len(states),
        count=count_until(after_s, age, incident),
        evidence=tuple(
            observed(snapshot, item.node_id, _describe(item), item.at) for item in states[:MAX_EVIDENCE]
        ),
    )


def _title(state: UnhealthyState) -> str:
    """The metric's title inside a sentence; an abbreviation stays as it is."""
    metric = catalogue.metric(state.metric)
    title = metric.title if metric is not None else state.metric
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def _describe(state: UnhealthyState) -> str:
    return f"{state.subject} {_title(state)} is {state.text}".strip()


def scope(snapshot: SiteSnapshot, incident: Incident) -> Scope:
    """The links of the part's ports: a card's state follows from its ports, or explains the same fault."""
    if incident.link_id is not None:
        return Scope(links=frozenset({incident.link_id}))
    part = incident.subject.partition(":")[2]
    topology = snapshot.topology
    node = topology.nodes.get(incident.node_id or 0)
    if node is not None and part == node.name:  # its state on the SP switch (`sp.node_state`)
        return Scope(nodes=frozenset({node.id}), links=_on_shared_media(topology, node.id))
    ports = topology.node_ports.get(incident.node_id or 0, ())
    mine = [port.id for port in ports if part and part in {port.name, card_of(port.name)}]
    return Scope(
        links=frozenset(topology.link_of_port[port].id for port in mine if port in topology.link_of_port)
    )


def _on_shared_media(topology: Topology, node: int) -> frozenset[int]:
    """Ids of the node's links to a switch."""
    ports = (port.id for port in topology.node_ports.get(node, ()))
    links = (topology.link_of_port[port] for port in ports if port in topology.link_of_port)
    return frozenset(link.id for link in links if link.b is None)


RULE = Rule(
    kind="device_state",
    title="Device state",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.EFFECT,
    scope=scope,
    source="snmp",
    group="devices",
    about="node",
    summary="A card, a port or another part reports an unhealthy state, such as a degraded InfiniBand link.",
    parameters=(opens_after(5.0), resolves_after(10.0)),
    runbook="device-state",
)
