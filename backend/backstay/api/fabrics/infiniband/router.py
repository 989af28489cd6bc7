"""An InfiniBand fabric's health: degraded links, errors, and cables to swap."""

from functools import partial
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.alerts.rules.cable import limits_of
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.fabrics.infiniband.present import STATES, FabricHealth, fresh_states, health_out
from backstay.api.fabrics.infiniband.schemas import InfinibandHealth
from backstay.api.http.auth import Lookup
from backstay.api.http.list_query import Id
from backstay.api.http.schemas import READ
from backstay.core.diagnosis.cables import LONG_S, SHORT_S
from backstay.inventory import selectors, snapshot
from backstay.telemetry.catalogue import family
from backstay.telemetry.selectors.metrics import grown_within, metrics_now, recent_counters
from backstay.telemetry.selectors.ports import port_speeds, swept_widths

if TYPE_CHECKING:
    from backstay.inventory.models import Fabric

router = Router(tags=["infiniband"])
_fabric = Lookup("InfiniBand fabric", partial(selectors.fabric, kind="infiniband"))


@router.get(
    "/infiniband/{id}/health", response={200: InfinibandHealth, **READ}, operation_id="get_infiniband_health"
)
def get_infiniband_health(request: HttpRequest, id: Id) -> InfinibandHealth:  # noqa: A002
    """Degraded links, error rates over 12 and 125 minutes, and the cables to swap with the reasons."""
    fabric = _fabric(request, id)
    return health_out(_health_of(fabric))


def _health_of(fabric: "Fabric") -> FabricHealth:
    site, now = fabric.site, timezone.now()
    topology = snapshot.load(site)
    ports = {port.id: port for port in topology.ports.values() if port.fabric_id == fabric.pk}
    nodes = {port.node_id for port in ports.values()}
    errors = [item.name for item in family(["ib."]) if item.error and item.kind == "growth"]
    return FabricHealth(
        fabric=fabric,
        now=now,
        topology=topology,
        ports=ports,
        states=fresh_states(
            metrics_now(site, nodes | selectors.sweeping_nodes(fabric), STATES), now, site.interval_s
        ),
        windows=grown_within(nodes, errors, now, SHORT_S, LONG_S),
        running=swept_widths(nodes),
        speeds=port_speeds(ports),
        contradictions=selectors.contradicted_links(fabric),
        counters=recent_counters(fabric, now),
        limits_of=limits_of(SiteSnapshot(site, now)),
    )
