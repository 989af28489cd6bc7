"""The overview page in one request."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.alerts.selectors.overview import overview_counts, overview_facts
from backstay.api.changes.actor import onlooker_at
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Text
from backstay.api.http.response_cache import SharedResponses, is_large
from backstay.api.http.schemas import READ
from backstay.api.overview.present import counts_out, overview_out
from backstay.api.overview.schemas import Overview, OverviewCountsOut
from backstay.inventory import snapshot
from backstay.inventory.standby_reads import reads_standby

router = Router(tags=["overview"])
_overviews = SharedResponses[Overview]()


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


@router.get("/overview/counts", response={200: OverviewCountsOut, **READ}, operation_id="get_overview_counts")
def get_overview_counts(request: HttpRequest, site: Text | None = None) -> OverviewCountsOut:
    """Numbers of incidents and of changes awaiting action."""
    return counts_out(overview_counts(site_of(request, site), timezone.now()))
