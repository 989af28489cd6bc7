"""Reads of incidents: open incidents, and their number per node and link."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from backstay.alerts.models import Incident
from backstay.core.model.progress import Phase
from backstay.core.model.state import OpenIncidents, State
from backstay.inventory.models import Site
from backstay.policy.models import Path

CURRENT = Q(phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED])
CRITICAL = Q(severity="critical")
SHOWN = ~Q(phase=Phase.PENDING)


ROOT = Q(cause=None) | (~Q(phase=Phase.RESOLVED) & Q(cause__phase=Phase.RESOLVED))
"""Not an effect of another incident; an effect that outlasts its root cause stands alone."""


def shown(site: Site) -> QuerySet[Incident]:
    """All visible incidents with the rows that pages need, and `effect_count`; three queries."""
    return (
        with_effects(Incident.objects.filter(SHOWN, site=site))
        .select_related("rule", "acknowledged_by", "owner", "snoozed_by")
        .prefetch_related("paths")
    )


def with_effects(rows: QuerySet[Incident]) -> QuerySet[Incident]:
    """Annotate `effect_count`: of an unresolved incident only the effects that last."""
    effects = Incident.objects.filter(SHOWN, cause=OuterRef("pk")).order_by()
    counted = effects.filter(Q(phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED]) | Q(cause__phase=Phase.RESOLVED))
    number = counted.values("cause").annotate(number=Count("pk")).values("number")
    return rows.annotate(effect_count=Coalesce(Subquery(number), Value(0)))


def current(site: Site) -> list[Incident]:
    """Open and acknowledged incidents, newest first."""
    rows = Incident.objects.filter(CURRENT, site=site).select_related("rule")
    return list(rows.order_by("-opened_at", "-pk"))


def unresolved_at(at: datetime) -> Q:
    """Whether an incident was open or acknowledged at a moment."""
    return Q(opened_at__lte=at) & (Q(resolved_at=None) | Q(resolved_at__gt=at))


def open_at(site: Site, at: datetime) -> list[Incident]:
    """Incidents that were not resolved at a moment; their severity is the last one that is stored."""
    return list(Incident.objects.filter(SHOWN, unresolved_at(at), site=site))


@dataclass(frozen=True, slots=True)
class IncidentCounts:
    """Current incidents of a site. Navigation, overview and command line show these."""

    causes: int
    """Without a current root cause: what the page of incidents lists at its top level."""
    total: int


def roots(incidents: Iterable[Incident]) -> dict[int, list[Incident]]:
    """Root cause id -> it and its effects. An effect whose cause is not among them is a root."""
    known = {incident.pk: incident for incident in incidents}
    found: dict[int, list[Incident]] = {}
    for incident in known.values():
        if incident.cause_id not in known:
            found.setdefault(incident.pk, []).insert(0, incident)
        else:
            found.setdefault(incident.cause_id, []).append(incident)
    return found


def incident_counts(site: Site) -> IncidentCounts:
    """The numbers of `roots(current(site))`; one query."""
    cause = Incident.objects.filter(CURRENT, pk=OuterRef("cause"))
    rows = Incident.objects.filter(CURRENT, site=site).alias(has_cause=Exists(cause))
    counted = rows.aggregate(total=Count("pk"), causes=Count("pk", filter=Q(has_cause=False)))
    return IncidentCounts(**counted)


def worst_of(causes: Collection[int]) -> dict[int, State]:
    """Root incident id -> severity of the worst incident that it caused, or of itself; one query."""
    rows = Incident.objects.filter(SHOWN).filter(Q(pk__in=causes) | Q(cause__in=causes))
    known = rows.annotate(root=Coalesce("cause_id", F("pk"))).order_by().values("root")
    counted = known.annotate(critical=Count("pk", filter=CRITICAL)).values_list("root", "critical")
    return {root: "critical" if critical else "warning" for root, critical in counted}


def paths_of_current(site: Site) -> dict[int, list[int]]:
    """Path id -> current incidents that affect it; one query."""
    table = Incident.paths.through.objects.filter(
        incident__site=site, incident__phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED]
    )
    found: dict[int, list[int]] = {}
    for path, incident in table.values_list("path_id", "incident_id").order_by("incident_id"):
        found.setdefault(path, []).append(incident)
    return found


def by_node(incidents: Iterable[Incident]) -> dict[int, OpenIncidents]:
    """Node id -> open incidents."""
    return _counted((incident.node_id, incident.severity) for incident in incidents)


def by_link(incidents: Iterable[Incident]) -> dict[int, OpenIncidents]:
    """Link id -> open incidents."""
    return _counted((incident.link_id, incident.severity) for incident in incidents)


def has_incident(column: str, severity: Q) -> Exists:
    """Whether a row has an open incident; `column`: node or link."""
    return Exists(Incident.objects.filter(CURRENT, severity, **{column: OuterRef("pk")}))


def of_nodes(nodes: Collection[int], at: datetime | None = None) -> dict[int, OpenIncidents]:
    """Node id -> open incidents, for these nodes; one query. `at`: those that were open at a past moment."""
    is_open = CURRENT if at is None else SHOWN & unresolved_at(at)
    rows = Incident.objects.filter(is_open, node__in=nodes)
    return _counted(rows.values_list("node_id", "severity"))


def of_links(links: Collection[int]) -> dict[int, OpenIncidents]:
    """Link id -> open incidents, for these links; one query."""
    rows = Incident.objects.filter(CURRENT, link__in=links)
    return _counted(rows.values_list("link_id", "severity"))


def _counted(incidents: Iterable[tuple[int | None, str]]) -> dict[int, OpenIncidents]:
    found: dict[int, OpenIncidents] = {}
    for ident, severity in incidents:
        if ident is not None:
            before = found.get(ident, OpenIncidents())
            critical = severity == "critical"
            found[ident] = OpenIncidents(before.critical + critical, before.warning + (not critical))
    return found


def incident(ident: int) -> Incident | None:
    """A visible incident with the rows that its page needs."""
    rows = with_effects(Incident.objects.filter(SHOWN, pk=ident))
    rows = rows.select_related("site", "rule", "acknowledged_by", "owner", "snoozed_by", "node", "cause")
    paths = Path.objects.select_related("policy", "node").order_by("node__name", "pk")
    return rows.prefetch_related(Prefetch("paths", paths)).first()


def matching(
    site: Site,
    *,
    phase: str | None = None,
    state: str | None = None,
    text: str | None = None,
    is_root: bool | None = None,
    has_owner: bool | None = None,
    is_hidden: bool | None = None,
    hidden: Collection[int] = (),
    at: datetime | None = None,
    **columns: object,
) -> QuerySet[Incident]:
    """Visible incidents by phase (`current`: open or acknowledged), state, title, owner and columns.

    A resolved incident has the state ok. None does not filter. `is_hidden`: only those that are in
    `hidden`, or only the others. `at`: only those that were not resolved at that moment.
    """
    rows = shown(site).filter(**{name: value for name, value in columns.items() if value is not None})
    if at is not None:
        rows = rows.filter(unresolved_at(at))
    if has_owner is not None:
        rows = rows.filter(owner__isnull=not has_owner)
    if is_hidden is not None:
        rows = rows.filter(pk__in=hidden) if is_hidden else rows.exclude(pk__in=hidden)
    if phase is not None:
        rows = rows.filter(CURRENT if phase == "current" else Q(phase=phase))
    if is_root is not None:
        rows = rows.filter(ROOT if is_root else ~ROOT)
    if state is not None:
        resolved = Q(phase=Phase.RESOLVED)
        rows = rows.filter(resolved if state == "ok" else Q(severity=state) & ~resolved)
    return rows.filter(title__icontains=text) if text else rows


def open_by_subject(site: Site, kind: str) -> dict[str, int]:
    """Subject -> its open incident of a rule kind."""
    return dict(Incident.objects.filter(CURRENT, site=site, rule__kind=kind).values_list("subject", "pk"))


def open_by_node(site: Site, kind: str) -> dict[int | None, int]:
    """Node id -> its open incident of a rule kind."""
    return dict(Incident.objects.filter(CURRENT, site=site, rule__kind=kind).values_list("node_id", "pk"))


def with_fingerprints(site: Site, fingerprints: Collection[str]) -> dict[str, Incident]:
    """Current incidents with these fingerprints; one query."""
    rows = Incident.objects.filter(CURRENT, site=site, fingerprint__in=fingerprints).select_related("rule")
    return {row.fingerprint: row for row in rows}


@dataclass(frozen=True, slots=True)
class Selection:
    """A set of incidents, to recognise it again."""

    count: int
    digest: str


def selection(ids: Iterable[int]) -> Selection:
    """The set of these ids, in any order."""
    known = sorted(set(ids))
    text = ",".join(map(str, known))
    return Selection(len(known), hashlib.sha256(text.encode()).hexdigest()[:32])


def selected(rows: QuerySet[Incident]) -> Selection:
    """The set of incidents that a query selects; one query."""
    return selection(rows.order_by().values_list("pk", flat=True))


def suppressed(site: Site) -> int:
    """Number of findings that do not open incidents because of maintenance windows."""
    return Incident.objects.filter(site=site, phase=Phase.PENDING, is_suppressed=True).count()
