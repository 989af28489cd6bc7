"""What several shapes share: loads, ages, pages to link to."""

from backstay.api.schemas.load import Load as LoadShape
from backstay.api.schemas.site import SiteOut
from backstay.core.model.load import Load
from backstay.inventory.models import Site


def node_url(node_id: int) -> str:
    """The page about a node."""
    return f"/devices/{node_id}"


def fabric_url(fabric_id: int) -> str:
    """The page about a fabric."""
    return f"/fabrics/{fabric_id}"


def link_url(link_id: int) -> str:
    """The page about a link."""
    return f"/links/{link_id}"


def incident_url(incident_id: int) -> str:
    """The page about an incident."""
    return f"/incidents/{incident_id}"


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


def load_out(load: Load | None) -> LoadShape | None:
    """One direction's load."""
    if load is None:
        return None
    return LoadShape(
        bps=load.bps,
        utilisation=load.utilisation,
        peak_bps=load.peak_bps,
        at=load.at,
        fresh=load.fresh,
    )
