"""Sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstay.api.sites.schemas import SiteListed, SiteOut

if TYPE_CHECKING:
    from backstay.inventory.models import Site


def site_out(site: Site) -> SiteOut:
    """A site."""
    return SiteOut(
        id=site.pk,
        name=site.name,
        title=site.title,
        interval_s=site.interval_s,
        rate_scale=site.rate_scale,
        imported_at=site.imported_at,
    )


def listed_out(site: Site) -> SiteListed:
    """A site in a list; annotated with `last_reported_at` and `confirming`."""
    known = vars(site)
    return SiteListed(
        **dict(site_out(site)), last_reported_at=known["last_reported_at"], confirming=known["confirming"]
    )
