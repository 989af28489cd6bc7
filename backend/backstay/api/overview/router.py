"""The overview page in one request."""

from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.alerts.selectors.history.history_overview import past_overview_facts
from backstay.alerts.selectors.overview import overview_counts, overview_facts
from backstay.api.changes.actor import onlooker_at
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Text, past_at
from backstay.api.http.response_cache import SharedResponses, is_large
from backstay.api.http.schemas import READ
from backstay.api.overview.history_present import past_overview_out
from backstay.api.overview.present import counts_out, overview_out
from backstay.api.overview.schemas import Overview, OverviewCountsOut, PastOverview
from backstay.core.timerange import span
from backstay.inventory import snapshot
from backstay.inventory.standby_reads import reads_standby

router = Router(tags=["overview"])
_overviews = SharedResponses[Overview]()
PAST_RANGE = timedelta(hours=6)
"""Range of the failovers, outages and changes before a past moment, if none is given."""


@router.get("/overview", response={200: Overview, **READ}, operation_id="get_overview")
@reads_standby
def get_overview(
    request: HttpRequest, site: Text | None = None, start: Text = "now-1h", end: Text = "now"
) -> Overview:
    """Five tiles, a headline, the policies' paths and the busiest links, at one point in time.

    `start`, `end`: the range of the recent changes, as `now-1h`.
    """
    row = site_of(request, site)
    actor, is_shared = onlooker_at(request, row.name), is_large(len(snapshot.load(row).nodes))
    return _overviews.get(
        (row.pk, start, end),
        lambda: overview_out(overview_facts(row, actor, timezone.now(), (start, end))),
        # What awaits is marked by what this user may do.
        is_shared=lambda overview: is_shared and not overview.awaiting,
    )


@router.get("/overview/past", response={200: PastOverview, **READ}, operation_id="get_past_overview")
@reads_standby
def get_past_overview(
    request: HttpRequest, at: Text, site: Text | None = None, start: Text | None = None
) -> PastOverview:
    """The overview at a past moment, as `now-1h` or `2026-11-23T10:00:00Z`; what was not stored is unknown.

    `start`: of the range of failovers, outages and recent changes; default: six hours before the moment.
    """
    row, now = site_of(request, site), timezone.now()
    moment = past_at(at, now)
    since = moment - PAST_RANGE if start is None else span(start, moment.isoformat(), now)[0]
    return past_overview_out(past_overview_facts(row, moment, now, since))


@router.get("/overview/counts", response={200: OverviewCountsOut, **READ}, operation_id="get_overview_counts")
def get_overview_counts(request: HttpRequest, site: Text | None = None) -> OverviewCountsOut:
    """Numbers of incidents and of changes awaiting action."""
    return counts_out(overview_counts(site_of(request, site), timezone.now()))
