"""Reads of incidents: the open ones, and their number per node and link."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from backstay.alerts.models import Incident, Phase
from backstay.core.model.state import OpenIncidents
from backstay.inventory.models import Site

CURRENT = Q(phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED])
SHOWN = ~Q(phase=Phase.PENDING)


def shown(site: Site) -> QuerySet[Incident]:
    """Every incident that is shown, with all that pages need: three queries for any number of them."""
    return (
        Incident.objects.filter(SHOWN, site=site)
        .select_related("rule", "acknowledged_by")
        .prefetch_related("paths")
    )


def current(site: Site) -> list[Incident]:
    """Open and acknowledged incidents, the newest first."""
    rows = Incident.objects.filter(CURRENT, site=site).select_related("rule")
    return list(rows.order_by("-opened_at", "-pk"))


def by_node(incidents: Iterable[Incident]) -> dict[int, OpenIncidents]:
    """Node id -> its open incidents."""
    return _counted((incident.node_id, incident.severity) for incident in incidents)


def by_link(incidents: Iterable[Incident]) -> dict[int, OpenIncidents]:
    """Link id -> its open incidents."""
    return _counted((incident.link_id, incident.severity) for incident in incidents)


def _counted(incidents: Iterable[tuple[int | None, str]]) -> dict[int, OpenIncidents]:
    found: dict[int, OpenIncidents] = {}
    for ident, severity in incidents:
        if ident is not None:
            before = found.get(ident, OpenIncidents())
            critical = severity == "critical"
            found[ident] = OpenIncidents(before.critical + critical, before.warning + (not critical))
    return found
