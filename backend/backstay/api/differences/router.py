"""What differs at a site between two moments."""

from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.alerts.selectors.history.differences import differences
from backstay.api.differences.present import differences_out
from backstay.api.differences.schemas import SiteDifferences
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import READ
from backstay.core.timerange import span
from backstay.inventory.standby_reads import reads_standby
from backstay.retention.selectors import days_at

router = Router(tags=["events"])


@router.get("/differences", response={200: SiteDifferences, **READ}, operation_id="get_differences")
@reads_standby
def get_differences(
    request: HttpRequest, start: Text = "now-1d", end: Text = "now", site: Text | None = None
) -> SiteDifferences:
    """Compare a site at `end` with the site at `start`: incidents, nodes, ports, paths and actions."""
    row, now = site_of(request, site), timezone.now()
    since, until = span(start, end, now)
    known_since = now - timedelta(days=days_at(row, "events"))
    return differences_out(differences(row, since, until), known_since, now)
