"""Sites."""

from backstay.api.sites.schemas import SiteOut
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
