"""Sites, and the files that describe them."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.http.auth import require_admin_everywhere, visible_sites
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.sites.present import site_out
from backstay.api.sites.schemas import SiteFileIn, SiteFileRefused, SiteFileReport, SiteListed
from backstay.intake.site_files import import_text
from backstay.telemetry.selectors.nodes import last_reported

router = Router(tags=["sites"])
SORTS: dict[str, Callable[[SiteListed], Any]] = {
    "name": lambda site: site.name,
    "title": lambda site: site.title,
    "last_reported_at": lambda site: site.last_reported_at,
}


@router.get("/sites", response={200: Page[SiteListed], **READ}, operation_id="list_sites")
def list_sites(request: HttpRequest, query: Query[ListQuery]) -> Page[SiteListed]:
    """The sites that you may see, by name."""
    sites = visible_sites(request)
    reported = last_reported(sites)
    listed = [SiteListed(**dict(site_out(site)), last_reported_at=reported.get(site.pk)) for site in sites]
    shown = [site for site in listed if query.matches(site.name, site.title)]
    return query.page(shown, SORTS, lambda site: site.id, "name")


@router.post(
    "/site-files",
    response={200: SiteFileReport, **WRITE, 422: SiteFileRefused},
    operation_id="import_site_file",
)
@idempotent
def import_site_file(request: HttpRequest, body: SiteFileIn) -> SiteFileReport:
    """Make a site equal to a file, or with `dry_run` report what that would do. Needs admin at every site."""
    require_admin_everywhere(request)
    done = import_text(body.text, body.name, timezone.now(), dry_run=body.dry_run)
    return SiteFileReport(
        site=done.site,
        created=done.created,
        changed=done.changed,
        removed=done.removed,
        unchanged=done.unchanged,
    )
