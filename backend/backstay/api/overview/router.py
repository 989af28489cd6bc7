"""The first page in one request."""

from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.accounts.models import Agent
from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import READ
from backstay.api.links.router import proof_of
from backstay.api.overview.present import CHANGES, Told, busiest_links, overview_out
from backstay.api.overview.schemas import Overview
from backstay.rollout.changes import selectors
from backstay.telemetry.models import Event

router = Router(tags=["overview"])
RECENT = timedelta(hours=1)
MOST_CHANGES = 200


@router.get("/overview", response={200: Overview, **READ}, operation_id="get_overview")
def get_overview(request: HttpRequest, site: Text | None = None) -> Overview:
    """What is broken, nearly full, just changed, to confirm and out of sight, and the busiest links."""
    row = site_of(request, site)
    snapshot = SiteSnapshot(row, timezone.now())
    recent = Event.objects.filter(site=row, kind__in=CHANGES, at__gte=snapshot.now - RECENT)
    return overview_out(
        Told(
            snapshot=snapshot,
            incidents=incidents.current(row),
            changes=list(recent.order_by("-at", "-pk")[:MOST_CHANGES]),
            waiting=selectors.waiting(row),
            agents=list(Agent.objects.filter(site=row.name, revoked_at=None)),
            proof=proof_of(row, busiest_links(snapshot)),
        )
    )
