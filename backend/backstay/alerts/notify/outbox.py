"""The outbox: reads flips and current incidents of a site, decides which messages are due, and stores them.

One transaction per site and second: it marks the flips, stores what was reported, the messages and their
deliveries. A process that is killed in it has done nothing; the next one decides the same. The flips wake it
and show what opened and was resolved while nothing ran; everything else is compared with what is current, so
that a change without a flip (a worse severity, another root cause) is noticed as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from django.db import transaction
from django.db.models import Count, Max, Min, OuterRef, QuerySet, Subquery

from backstay.alerts.models import Flip, Incident, SiteRound
from backstay.alerts.notify import audience
from backstay.alerts.notify.audience import Audience, AudienceIncident
from backstay.alerts.notify.messages import content
from backstay.alerts.notify.models import Delivery, Notification, NotificationRoute, ReportedIncident
from backstay.alerts.notify.records import group_times, route_rule
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.incidents import CURRENT
from backstay.alerts.selectors.muted_incidents import muted_incidents
from backstay.core.alerting.message_groups import (
    DAMPED_FOR,
    GroupMember,
    GroupState,
    GroupTimes,
    PlannedMessage,
    is_lasting_end,
    plan_messages,
)
from backstay.core.alerting.notification_routes import IncidentFacts, matching_routes
from backstay.core.alerting.root_causes import AFTERMATH, CauseRank
from backstay.core.model.progress import Phase
from backstay.inventory.models import Port, Site
from backstay.live import publish

MAX_FLIPS = 5000
"""Flips of one tick."""
RECENT = timedelta(days=1)
"""Older flips are only marked: of an installation that had no routes yet."""


def sites_with_work() -> list[int]:
    """Ids of the sites with unread flips, or with enabled routes and current or reported incidents."""
    unread = Flip.objects.filter(processed_at=None).order_by().values_list("incident__site_id", flat=True)
    routes = NotificationRoute.objects.filter(enabled=True, site__archived_at=None)
    routed = set(routes.values_list("site_id", flat=True))
    lasting = Incident.objects.filter(CURRENT, site__in=routed).order_by().values_list("site_id", flat=True)
    reported = ReportedIncident.objects.filter(route__site__in=routed).order_by()
    return sorted(
        {*unread.distinct(), *lasting.distinct(), *reported.values_list("route__site_id", flat=True)}
    )


def notify_site(site: Site, now: datetime) -> int:
    """Store the messages that are due at a site; their number. The caller holds the site's lock."""
    with transaction.atomic():
        flips = _take_flips(site, now)
        routes = NotificationRoute.objects.filter(site=site, enabled=True).order_by("position", "pk")
        known = list(routes)
        if not known:
            return 0
        sight = _Sight(site, known, now)
        sent = 0
        _note_missed(sight, _missed(sight, flips))
        for route in known:
            sent += _notify_group(sight, route)
        _forget(known, now)
        SiteRound.objects.filter(site=site).update(notified_at=now)
        if sent:
            publish.changed(site.name, {"deliveries"})
        return sent


def _take_flips(site: Site, now: datetime) -> list[Flip]:
    """Mark unread flips as read; the recent ones of resolutions, with their incidents."""
    rows = Flip.objects.filter(processed_at=None, incident__site=site).order_by("pk")
    taken = list(
        rows.select_for_update(of=("self",), skip_locked=True).only("pk", "at", "to_phase")[:MAX_FLIPS]
    )
    Flip.objects.filter(pk__in=[flip.pk for flip in taken]).update(processed_at=now)
    ended = [flip.pk for flip in taken if flip.to_phase == Phase.RESOLVED and flip.at > now - RECENT]
    return list(Flip.objects.filter(pk__in=ended).select_related("incident") if ended else ())


@dataclass
class _Sight:
    """What one tick reads of a site; the same few queries for any number of incidents."""

    site: Site
    routes: Sequence[NotificationRoute]
    now: datetime
    reported: dict[int, dict[str, ReportedIncident]] = field(init=False)
    """Route id -> fingerprint -> what was reported."""

    def __post_init__(self) -> None:
        self.reported = {route.pk: {} for route in self.routes}
        rows = ReportedIncident.objects.filter(route__in=self.routes).select_related("incident")
        for row in rows:
            self.reported[row.route_id][row.fingerprint] = row

    @cached_property
    def current(self) -> dict[str, Incident]:
        """Fingerprint -> open or acknowledged incident, with `shown_at`: when it became open."""
        rows = loaded(Incident.objects.filter(CURRENT, site=self.site)).annotate(shown_at=_shown_at())
        return {row.fingerprint: row for row in rows}

    @cached_property
    def muted(self) -> frozenset[int]:
        return muted_incidents(self.site, self.now)

    @cached_property
    def routes_of(self) -> dict[int, set[int]]:
        """Incident id -> ids of the routes that it takes."""
        rules = [route_rule(route) for route in self.routes]
        return {
            ident: set(matching_routes(rules, facts, self.now))
            for ident, facts in facts_of(self.current.values()).items()
        }

    @cached_property
    def audience(self) -> Audience:
        return Audience(self.site, self.routes, self.now)

    @cached_property
    def openings(self) -> dict[str, tuple[int, datetime]]:
        """Fingerprint -> how often its incidents opened within the last hour, and when first."""
        rows = Flip.objects.filter(
            incident__site=self.site, to_phase=Phase.OPEN, at__gt=self.now - DAMPED_FOR
        ).order_by()
        counted = rows.values("incident__fingerprint").annotate(number=Count("pk"), first=Min("at"))
        return {row["incident__fingerprint"]: (row["number"], row["first"]) for row in counted}


def _shown_at() -> Subquery:
    opened = Flip.objects.filter(incident=OuterRef("pk"), to_phase=Phase.OPEN).order_by()
    return Subquery(opened.values("incident").annotate(newest=Max("at")).values("newest"))


def loaded(rows: QuerySet[Incident]) -> QuerySet[Incident]:
    """With all rows that facts and messages read."""
    return rows.select_related(
        "rule", "node", "cause", "link__fabric", "link__a__node", "link__b__node"
    ).order_by("pk")


def facts_of(incidents: Collection[Incident]) -> dict[int, IncidentFacts]:
    """Incident id -> what matchers read; one query more, for the fabrics of nodes."""
    nodes = {row.node_id for row in incidents if row.node_id is not None and row.link_id is None}
    fabrics: dict[int, set[str]] = {}
    ports = (
        Port.objects.filter(node__in=nodes, fabric__isnull=False).order_by() if nodes else Port.objects.none()
    )
    for node, fabric in ports.values_list("node_id", "fabric__name").distinct():
        fabrics.setdefault(node, set()).add(str(fabric))
    return {row.pk: _facts(row, fabrics.get(row.node_id or 0, set())) for row in incidents}


def _facts(row: Incident, fabrics: Collection[str]) -> IncidentFacts:
    ends = [] if row.link is None else [row.link.a.node, *([row.link.b.node] if row.link.b else [])]
    nodes = [*([row.node] if row.node is not None else []), *ends]
    return IncidentFacts(
        severity=row.severity,
        kind=row.rule.kind,
        roles=frozenset(node.role for node in nodes),
        fabrics=frozenset([row.link.fabric.name] if row.link is not None else fabrics),
        labels=frozenset((str(key), str(value)) for node in nodes for key, value in node.labels.items()),
    )


def _is_root(row: Incident) -> bool:
    """Whether no root cause of it lasts."""
    return row.cause is None or row.cause.phase == Phase.RESOLVED


def _changed_at(row: Incident) -> datetime:
    """Since when it may notify: what is left of a root cause gets time to end with it."""
    shown: datetime = getattr(row, "shown_at", None) or row.opened_at
    if row.cause is not None and row.cause.resolved_at is not None:
        return max(shown, row.cause.resolved_at + AFTERMATH)
    return shown


def _note_missed(sight: _Sight, missed: Iterable[Incident]) -> None:
    """Store that these opened and were resolved, for the routes that would have reported them."""
    rows = list(missed)
    rules = [route_rule(route) for route in sight.routes if route.send_resolved]
    stored = []
    for ident, facts in facts_of(rows).items() if rows else ():
        row = next(item for item in rows if item.pk == ident)
        for route in matching_routes(rules, facts, row.resolved_at or sight.now):
            if row.fingerprint in sight.reported[route]:
                continue
            sight.reported[route][row.fingerprint] = ReportedIncident(
                route_id=route,
                fingerprint=row.fingerprint,
                incident=row,
                reported="missed",
                severity=row.severity,
                first_at=sight.now,
                last_at=sight.now,
            )
            stored.append(sight.reported[route][row.fingerprint])
    ReportedIncident.objects.bulk_create(stored)


def _missed(sight: _Sight, flips: Iterable[Flip]) -> list[Incident]:
    """Incidents that opened and were resolved, with time for a message in between, while nothing ran.

    If a tick came after the message's time, that tick has decided: within the interval, in maintenance or
    after an acknowledgement nothing is sent about what is over.
    """
    ended = {flip.incident_id for flip in flips if flip.incident.fingerprint not in sight.current}
    if not ended:
        return []
    rows = loaded(Incident.objects.filter(pk__in=ended, phase=Phase.RESOLVED, cause=None))
    longest = max(route.group_wait_s for route in sight.routes)
    wait = timedelta(seconds=longest) + SLACK
    ran_at = SiteRound.objects.filter(site=sight.site).values_list("notified_at", flat=True).first()
    return [
        row
        for row in rows.annotate(shown_at=_shown_at())
        if row.resolved_at is not None
        and row.shown_at is not None
        and row.resolved_at - row.shown_at > wait
        and (ran_at is None or ran_at < row.shown_at + wait)
    ]


SLACK = timedelta(seconds=5)
"""More than two ticks: a message that is due is sent before this is over."""


def _members(sight: _Sight, route: NotificationRoute) -> dict[str, GroupMember]:
    """Fingerprint -> member: what matches now, and what the route has reported."""
    known = sight.reported[route.pk]
    matching = {
        fingerprint
        for fingerprint, row in sight.current.items()
        if route.pk in sight.routes_of[row.pk] and _is_root(row) and row.pk not in sight.muted
    }
    return {
        fingerprint: _member(
            sight.current.get(fingerprint),
            known.get(fingerprint),
            fingerprint,
            may_notify=fingerprint in matching,
        )
        for fingerprint in matching | known.keys()
    }


def _member(
    row: Incident | None, reported: ReportedIncident | None, fingerprint: str, *, may_notify: bool
) -> GroupMember:
    """At least one of the rows exists."""
    if row is not None:
        changed_at, severity = _changed_at(row), row.severity
    else:
        assert reported is not None
        changed_at = reported.incident.resolved_at or reported.last_at
        severity = reported.severity
    member = GroupMember(
        key=fingerprint,
        is_open=row is not None,
        may_notify=may_notify,
        is_acknowledged=row is not None and row.phase == Phase.ACKNOWLEDGED,
        severity=severity,
        changed_at=changed_at,
        rank=RULES[row.rule.kind].cause_rank
        if row is not None and row.rule.kind in RULES
        else CauseRank.INDEPENDENT,
    )
    if reported is None:
        return member
    continues = reported.reported == "open" or row is None
    return GroupMember(
        **{
            **{name: getattr(member, name) for name in _CURRENT},
            "reported": reported.reported,
            "reported_severity": reported.severity,
            "first_at": reported.first_at,
            "last_at": reported.last_at,
            "step": reported.step if continues else 0,
            "messages": tuple(reported.messages),
        }
    )


_CURRENT = ("key", "is_open", "may_notify", "is_acknowledged", "severity", "changed_at", "rank")


def _notify_group(sight: _Sight, route: NotificationRoute) -> int:
    members = _members(sight, route)
    if not members:
        return 0
    times = group_times(route)
    planned = plan_messages(members.values(), times, _group_state(route, times, sight.now), sight.now)
    for message in planned:
        _store(sight, route, message, members)
    if not route.send_resolved:
        _settle_silently(sight, route, members)
    return len(planned)


def _group_state(route: NotificationRoute, times: GroupTimes, now: datetime) -> GroupState:
    sent = Notification.objects.filter(
        route=route,
        reason__in=["opened", "worse", "resolved"],
        created_at__gt=now - timedelta(seconds=times.interval_s),
    )
    # One message may be several rows, if channels or devices get different incidents.
    found = sent.aggregate(newest=Max("created_at"), number=Count("created_at", distinct=True))
    return GroupState(found["newest"], found["number"])


def _store(
    sight: _Sight, route: NotificationRoute, message: PlannedMessage, members: Mapping[str, GroupMember]
) -> None:
    """Store what was reported, and a message for every set of channels that gets the same incidents."""
    rows = _incidents(sight, route, message.keys)
    facts = {key: _audience_incident(row) for key, row in rows.items()}
    targets = sight.audience.of(route, message, facts)
    for keys, reached in targets:
        chosen = [rows[key] for key in sorted(keys) if key in rows]
        notification = Notification.objects.create(
            site=sight.site,
            route=route,
            reason=message.reason,
            content=content(chosen, sight.openings),
            created_at=sight.now,
        )
        notification.incidents.add(*chosen[: audience.MAX_LINKED])
        Delivery.objects.bulk_create(
            Delivery(
                notification=notification,
                channel_id=target.channel_id,
                device_id=target.device_id,
                target=target.name,
                status="queued" if target.channel_id is not None else "failed",
                reason=target.problem,
                next_at=sight.now,
                created_at=sight.now,
                ended_at=None if target.channel_id is not None else sight.now,
            )
            for target in reached
        )
    _remember(sight, route, message, rows, members)


def _audience_incident(row: Incident) -> AudienceIncident:
    return AudienceIncident(row.pk, row.rule.kind, row.severity, row.phase == Phase.RESOLVED)


def _incidents(sight: _Sight, route: NotificationRoute, keys: Iterable[str]) -> dict[str, Incident]:
    """Fingerprint -> its current incident, else the one that was reported; one query for these."""
    found = {key: sight.current[key] for key in keys if key in sight.current}
    ended = {
        row.incident_id: key
        for key, row in sight.reported[route.pk].items()
        if key in set(keys) - found.keys()
    }
    for row in loaded(Incident.objects.filter(pk__in=ended)) if ended else ():
        found[ended[row.pk]] = row
    return found


def _remember(
    sight: _Sight,
    route: NotificationRoute,
    message: PlannedMessage,
    rows: Mapping[str, Incident],
    members: Mapping[str, GroupMember],
) -> None:
    known, stored = sight.reported[route.pk], []
    is_change = message.reason in {"opened", "worse", "resolved"}
    for key, incident in rows.items():
        member = members[key]
        row = known.setdefault(key, ReportedIncident(route=route, fingerprint=key, first_at=sight.now))
        if member.is_open and (row.reported != "open" or member.reported != "open"):
            row.first_at, row.step = sight.now, 0
        row.incident, row.severity, row.last_at = incident, incident.severity, sight.now
        row.reported = "open" if member.is_open else "resolved"
        if is_change and not is_lasting_end(member, sight.now):
            recent = [at for at in row.messages if at > sight.now - DAMPED_FOR]
            row.messages = [*recent, sight.now]
        if message.reason == "escalated":
            row.step = max(row.step, *(step for step, _ in message.steps))
        stored.append(row)
    ReportedIncident.objects.bulk_create(
        stored,
        update_conflicts=True,
        unique_fields=["route", "fingerprint"],
        update_fields=["incident", "reported", "severity", "first_at", "last_at", "step", "messages"],
    )


def _settle_silently(sight: _Sight, route: NotificationRoute, members: Mapping[str, GroupMember]) -> None:
    """Without messages about resolutions: what ended is reported no more, so that it may open again."""
    ended = [key for key, member in members.items() if not member.is_open and member.reported == "open"]
    ReportedIncident.objects.filter(route=route, fingerprint__in=ended).update(
        reported="resolved", last_at=sight.now
    )


def _forget(routes: Iterable[NotificationRoute], now: datetime) -> None:
    """Remove what ended and no longer counts for damping."""
    ReportedIncident.objects.filter(
        route__in=routes, reported="resolved", last_at__lt=now - DAMPED_FOR
    ).delete()
