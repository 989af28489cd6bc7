"""What happened around an incident: changes and tests on its nodes, and its comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from backstay.alerts.models import Incident, IncidentComment
from backstay.inventory.models import Link, Node
from backstay.rollout.models import Change
from backstay.throughput.models import TestRun

BEFORE = timedelta(minutes=30)
"""How long before an incident a change of its nodes is related to it."""
MOST = 5
MOST_COMMENTS = 500


@dataclass(frozen=True, slots=True)
class IncidentContext:
    """Newest first, at most `MOST` each; comments oldest first."""

    changes: Sequence[Change]
    runs: Sequence[TestRun]
    comments: Sequence[IncidentComment]


def incident_context(incident: Incident, now: datetime) -> IncidentContext:
    """Changes that were applied to its nodes, and tests that they took part in; four queries."""
    start = (incident.flapping_since or incident.opened_at) - BEFORE
    end = incident.resolved_at or now
    nodes = list(_nodes(incident).values_list("pk", flat=True))
    changes = Change.objects.filter(
        applications__node__in=nodes, applications__since__range=(start, end), site_id=incident.site_id
    )
    runs = TestRun.objects.filter(
        Q(cells__ended_at=None) | Q(cells__ended_at__gte=incident.opened_at),
        cells__start_at__lte=end,
        cells__assignments__node__in=nodes,
        plan__site=incident.site_id,
    ).select_related("plan")
    comments = IncidentComment.objects.filter(incident=incident).order_by("-at", "-pk")[:MOST_COMMENTS]
    return IncidentContext(
        list(changes.distinct().order_by("-pk")[:MOST]),
        list(runs.distinct().order_by("-pk")[:MOST]),
        list(reversed(comments)),
    )


def _nodes(incident: Incident) -> QuerySet[Node]:
    """Its node, the ends of its link and the affected nodes."""
    wanted = Q(pk__in=incident.affected.get("nodes", ()))
    if incident.node_id is not None:
        wanted |= Q(pk=incident.node_id)
    if incident.link_id is not None:
        links = Link.objects.filter(pk=incident.link_id)
        wanted |= Q(pk__in=links.values("a__node")) | Q(pk__in=links.values("b__node"))
    return Node.objects.filter(wanted, site=incident.site_id)
