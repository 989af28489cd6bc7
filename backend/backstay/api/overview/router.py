"""The overview page in one request."""

from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.accounts.selectors import active_agents
from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import READ
from backstay.api.links.present import proof_of
from backstay.api.overview.present import CHANGES, OverviewInput, busiest_links, overview_out
from backstay.api.overview.schemas import Overview
from backstay.rollout.changes import selectors
from backstay.telemetry.selectors.events import newest_events

router = Router(tags=["overview"])
RECENT = timedelta(hours=1)
MOST_CHANGES = 200


@router.get("/overview", response={200: Overview, **READ}, operation_id="get_overview")
def get_overview(request: HttpRequest, site: Text | None = None) -> Overview:
    """Five tiles, a headline and the busiest links."""
    row = site_of(request, site)
    snapshot = SiteSnapshot(row, timezone.now())
    return overview_out(
        OverviewInput(
            snapshot=snapshot,
            incidents=incidents.current(row),
            changes=newest_events(row, CHANGES, snapshot.now - RECENT, MOST_CHANGES),
            waiting=selectors.waiting(row),
            agents=active_agents(row.name),
            proof=proof_of(row, busiest_links(snapshot)),
        )
    )
