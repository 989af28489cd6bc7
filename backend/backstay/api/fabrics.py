"""Fabrics."""

from collections import Counter

from django.http import HttpRequest
from ninja import Router

from backstay.api.http.answers import READ
from backstay.api.http.auth import site_of
from backstay.api.http.paging import DEFAULT_LIMIT, CursorText, Limit, Text, as_page, page, sort_of
from backstay.api.present.nodes import fabric_out
from backstay.api.schemas import FabricOut, Page
from backstay.inventory import snapshot

router = Router(tags=["fabrics"])
SORTS = {
    "name": lambda fabric: fabric.name,
    "kind": lambda fabric: fabric.kind,
    "media_rate": lambda fabric: fabric.media_rate,
    "usable_rate": lambda fabric: fabric.usable_rate,
    "mtu": lambda fabric: fabric.mtu,
    "ports": lambda fabric: fabric.ports,
}


@router.get("/fabrics", response={200: Page[FabricOut], **READ}, operation_id="list_fabrics")
def list_fabrics(
    request: HttpRequest,
    *,
    site: Text | None = None,
    sort: Text | None = None,
    q: Text | None = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText | None = None,
) -> Page[FabricOut]:
    """A site's fabrics with their rates and how many ports they have."""
    topology = snapshot.load(site_of(request, site))
    ports = Counter(port.fabric_id for port in topology.ports.values())
    wanted = (q or "").casefold()
    items = [
        fabric_out(fabric, ports[fabric.id])
        for fabric in topology.fabrics.values()
        if wanted in f"{fabric.name} {fabric.title}".casefold()
    ]
    by = sort_of(sort, "name", SORTS)
    return as_page(*page(items, SORTS, lambda item: item.id, sort=by, cursor=cursor, limit=limit))
