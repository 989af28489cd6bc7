"""Events: recorded in the transaction that detects them, published when it commits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from backstay.core.diagnosis.clocks import reported_step
from backstay.core.formatting import count, duration
from backstay.core.model.event_kinds import EVENT_KINDS, EventKind
from backstay.inventory.models import Link, Node, Site
from backstay.live import publish
from backstay.telemetry.facts import (
    ClockStepped,
    Facts,
    NodeReporting,
    NodeRestarted,
    NoticesDropped,
    NoticeSeen,
    PortChanged,
    SpoolDropped,
)
from backstay.telemetry.models import Event

LONGEST_SUBJECT = 300
LONGEST_MESSAGE = 2000


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An event to be recorded at a site; `severity` None: that of the kind."""

    kind: EventKind
    message: str
    at: datetime
    subject: str
    severity: str | None = None
    node_id: int | None = None
    link_id: int | None = None
    incident_id: int | None = None
    data: dict[str, Any] = field(default_factory=dict)


def record_all(site: Site, occurrences: Iterable[Occurrence]) -> list[Event]:
    """Store an event for each, in this order, and publish them on commit."""
    rows = [
        Event(
            site=site,
            kind=occurrence.kind,
            severity=occurrence.severity or EVENT_KINDS[occurrence.kind].severity or "ok",
            at=occurrence.at,
            node_id=occurrence.node_id,
            link_id=occurrence.link_id,
            incident_id=occurrence.incident_id,
            subject=occurrence.subject[:LONGEST_SUBJECT],
            message=occurrence.message[:LONGEST_MESSAGE],
            data=occurrence.data,
        )
        for occurrence in occurrences
    ]
    stored = Event.objects.bulk_create(rows)
    publish.events(site.name, [event.pk for event in stored])
    return stored


def record(
    site: Site,
    kind: EventKind,
    message: str,
    *,
    at: datetime,
    subject: str,
    severity: str | None = None,
    node_id: int | None = None,
    link_id: int | None = None,
    incident_id: int | None = None,
    data: dict[str, Any] | None = None,
) -> Event:
    """Store one event and publish it on commit."""
    about = Occurrence(kind, message, at, subject, severity, node_id, link_id, incident_id, data or {})
    return record_all(site, [about])[0]


def amend(site: Site, event_id: int, message: str, data: dict[str, Any]) -> None:
    """Update a recorded event (its outage became known) and publish it again."""
    if Event.objects.filter(pk=event_id).update(message=message[:LONGEST_MESSAGE], data=data):
        publish.event(site.name, event_id)


@dataclass(frozen=True, slots=True)
class Happened:
    """The event for one fact."""

    kind: EventKind
    message: str
    subject: str
    port_id: int | None
    data: dict[str, Any]
    severity: str | None = None


def _port(fact: PortChanged, node: str) -> Happened:
    kind = EventKind.PORT_UP if fact.oper_up else EventKind.PORT_DOWN
    name = f"{node}:{fact.port}"
    return Happened(kind, f"{name} went {kind.action}", name, fact.port_id, {"port": fact.port})


def _restart(_: NodeRestarted, node: str) -> Happened:
    return Happened(EventKind.NODE_RESTARTED, f"{node} restarted", node, None, {})


def _reporting(fact: NodeReporting, node: str) -> Happened:
    message = f"{node} is reporting again after {duration(fact.silent_s)}"
    return Happened(EventKind.NODE_REPORTING, message, node, None, {"silent_s": round(fact.silent_s, 1)})


def _clock(fact: ClockStepped, node: str) -> Happened:
    before, after = fact.before_ms / 1000, fact.offset_ms / 1000
    step = reported_step(after - before, reboot=fact.at_reboot)
    message = f"{node}: {step}, from {before:+.1f} s to {after:+.1f} s of ours ({fact.source})"
    data = {
        "offset_ms": fact.offset_ms,
        "before_ms": fact.before_ms,
        "source": fact.source,
        "at_reboot": fact.at_reboot,
    }
    return Happened(EventKind.CLOCK_STEPPED, message, node, None, data)


def _drop(fact: SpoolDropped, node: str) -> Happened:
    message = f"{node}: its agent lost {count(fact.dropped, 'report')}, its spool was full or damaged"
    return Happened(EventKind.SPOOL_DROPPED, message, node, None, {"dropped": fact.dropped})


def _notice(fact: NoticeSeen, node: str) -> Happened:
    subject = f"{node}:{fact.about}" if fact.about else node
    often = f" ({fact.times} times)" if fact.times > 1 else ""
    what = fact.source if fact.name == "other" else fact.name.replace("_", " ")
    data = {"name": fact.name, "source": fact.source, "about": fact.about, "times": fact.times}
    message = f"{subject}: {what}{often}: {fact.text}"
    return Happened(EventKind.NOTICE, message, subject, None, data, fact.severity)


def _notices_dropped(fact: NoticesDropped, node: str) -> Happened:
    message = f"{node} sends too many notices: {count(fact.dropped, 'notice')} more are not shown"
    return Happened(EventKind.NOTICE_DROPPED, message, node, None, {"dropped": fact.dropped})


Fact = PortChanged | NodeRestarted | NodeReporting | ClockStepped | SpoolDropped | NoticeSeen | NoticesDropped
_DESCRIBERS: dict[type, Callable[[Any, str], Happened]] = {
    PortChanged: _port,
    NodeRestarted: _restart,
    NodeReporting: _reporting,
    ClockStepped: _clock,
    SpoolDropped: _drop,
    NoticeSeen: _notice,
    NoticesDropped: _notices_dropped,
}


def record_facts(facts: Facts) -> list[Event]:
    """Record an event for each fact of a batch; `policy.services.observe` records those of paths."""
    reported: list[Fact] = [
        *facts.ports,
        *facts.restarts,
        *facts.reporting,
        *facts.clocks,
        *facts.drops,
        *facts.notices,
        *facts.dropped_notices,
    ]
    if not reported:
        return []
    site = Site.objects.get(pk=facts.site_id)
    names = dict(Node.objects.filter(pk__in={fact.node_id for fact in reported}).values_list("pk", "name"))
    links = _links_of(fact.port_id for fact in facts.ports)
    events = record_all(
        site,
        (
            _occurrence(fact, names.get(fact.node_id, "?"), links)
            for fact in sorted(reported, key=lambda item: item.at)
        ),
    )
    publish.changed(site.name, {"nodes", "ports", "links", "topology"})
    return events


def _occurrence(fact: Fact, node: str, links: Mapping[int, int]) -> Occurrence:
    happened = _DESCRIBERS[type(fact)](fact, node)
    return Occurrence(
        happened.kind,
        happened.message,
        at=fact.at,
        subject=happened.subject,
        severity=happened.severity,
        node_id=fact.node_id,
        link_id=links.get(happened.port_id) if happened.port_id else None,
        data=happened.data,
    )


def _links_of(port_ids: Iterable[int]) -> dict[int, int]:
    """Port id -> link id."""
    wanted = set(port_ids)
    found: dict[int, int] = {}
    if wanted:
        for link in Link.objects.filter(a__in=wanted) | Link.objects.filter(b__in=wanted):
            found[link.a_id] = link.pk
            if link.b_id is not None:
                found[link.b_id] = link.pk
    return found
