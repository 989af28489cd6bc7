"""Sites and site files."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.http.auth import principal, require_admin_everywhere, visible_sites
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.sites.present import listed_out
from backstay.api.sites.schemas import SiteFileIn, SiteFileRefused, SiteFileReport, SiteListed
from backstay.intake.site_files import import_text
from backstay.rollout.changes.selectors import with_confirming
from backstay.telemetry.selectors.nodes import with_last_report

router = Router(tags=["sites"])
SORTS = {
    "name": Column("name", natural=True),
    "title": Column("title", natural=True),
    "last_reported_at": Column("last_reported_at", nullable=True),
}


@router.get("/sites", response={200: Page[SiteListed], **READ}, operation_id="list_sites")
def list_sites(request: HttpRequest, query: Query[ListQuery]) -> Page[SiteListed]:
    """The sites that you may see, by name."""
    shown, following = query.rows(
        with_confirming(with_last_report(visible_sites(request), query.q)), SORTS, "name"
    )
    return Page(items=[listed_out(site) for site in shown], next=following)


@router.post(
    "/site-files",
    response={200: SiteFileReport, **WRITE, 422: SiteFileRefused},
    operation_id="import_site_file",
)
@idempotent
def import_site_file(request: HttpRequest, body: SiteFileIn) -> SiteFileReport:
    """Reconcile a site with a file, or with `dry_run` report the differences. Needs admin at every site."""
    require_admin_everywhere(request)
    now = timezone.now()
    done = import_text(body.text, body.name, now, dry_run=body.dry_run, person=principal(request).user)
    return SiteFileReport(
        site=done.site,
        created=done.created,
        changed=done.changed,
        removed=done.removed,
        unchanged=done.unchanged,
    )
