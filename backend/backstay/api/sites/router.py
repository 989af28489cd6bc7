"""Sites, and the files that describe them."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.accounts.models import Role
from backstay.api.http.auth import principal, visible_sites
from backstay.api.http.idempotency import idempotent
from backstay.api.http.paging import as_page
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.site_import import import_text
from backstay.api.sites.present import site_out
from backstay.api.sites.schemas import SiteFileIn, SiteFileRefused, SiteFileReport, SiteListed
from backstay.telemetry.selectors.nodes import last_reported

router = Router(tags=["sites"])


@router.get("/sites", response={200: Page[SiteListed], **READ}, operation_id="list_sites")
def list_sites(request: HttpRequest) -> Page[SiteListed]:
    """The sites that you may see, by name; always one page."""
    sites = visible_sites(request)
    reported = last_reported(sites)
    listed = [SiteListed(**dict(site_out(site)), last_reported_at=reported.get(site.pk)) for site in sites]
    return as_page(listed, None)


@router.post(
    "/site-files",
    response={200: SiteFileReport, **WRITE, 422: SiteFileRefused},
    operation_id="import_site_file",
)
@idempotent
def import_site_file(request: HttpRequest, body: SiteFileIn) -> SiteFileReport:
    """Make a site equal to a file, or with `dry_run` say what that would do. Needs admin at every site."""
    principal(request).require_everywhere(Role.ADMIN)
    done = import_text(body.text, body.name, timezone.now(), dry_run=body.dry_run)
    return SiteFileReport(
        site=done.site,
        created=done.created,
        changed=done.changed,
        removed=done.removed,
        unchanged=done.unchanged,
    )
