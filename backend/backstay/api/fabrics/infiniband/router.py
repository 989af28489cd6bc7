"""An InfiniBand fabric's health: what is slow, what errs, and which cables to swap."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.api.fabrics.infiniband.present import STATES, FabricHealth, fresh_words, health_out
from backstay.api.fabrics.infiniband.schemas import InfinibandHealth
from backstay.api.fabrics.router import fabric_of, summary_of
from backstay.api.http.list_query import Id
from backstay.api.http.schemas import READ
from backstay.core.diagnosis.cables import LONG_S, SHORT_S
from backstay.inventory import snapshot
from backstay.inventory.models import Fabric, Link
from backstay.telemetry.catalogue import family
from backstay.telemetry.models import AdjacencySet, PortState
from backstay.telemetry.selectors.metrics import grown_within, metrics_now

router = Router(tags=["infiniband"])
FAMILY = "ib."


@router.get(
    "/infiniband/{id}/health", response={200: InfinibandHealth, **READ}, operation_id="get_infiniband_health"
)
def get_infiniband_health(request: HttpRequest, id: Id) -> InfinibandHealth:  # noqa: A002
    """Degraded links, error rates over 12 and 125 minutes, and the cables to swap with the reasons."""
    fabric = fabric_of(request, id, "infiniband")
    return health_out(_health(fabric))


def _health(fabric: Fabric) -> FabricHealth:
    site, now = fabric.site, timezone.now()
    topology = snapshot.load(site)
    ports = {port.id: port for port in topology.ports.values() if port.fabric_id == fabric.pk}
    nodes = {port.node_id for port in ports.values()}
    sweeping = set(
        site.nodes.filter(sources__contains=[{"kind": "infiniband", "fabric": fabric.name}]).values_list(
            "pk", flat=True
        )
    )
    errors = [item.name for item in family([FAMILY]) if item.error and item.kind == "growth"]
    return FabricHealth(
        fabric=fabric,
        now=now,
        topology=topology,
        ports=ports,
        words=fresh_words(metrics_now(site, nodes | sweeping, STATES), now, site.interval_s),
        windows=grown_within(nodes, errors, now, SHORT_S, LONG_S),
        running=_running(nodes),
        speeds=dict(PortState.objects.filter(port__in=ports).values_list("port_id", "speed")),
        contradictions=dict(
            Link.objects.filter(fabric=fabric).exclude(conflicts=[]).values_list("pk", "conflicts")
        ),
        counters=summary_of(site, fabric),
    )


def _running(nodes: set[int]) -> dict[tuple[int, str], str]:
    """(node id, port) -> width and speed as the sweep tells them."""
    rows = AdjacencySet.objects.filter(node__in=nodes, source="infiniband")
    return {
        (node, entry["port"]): entry["width"]
        for node, entries in rows.values_list("node_id", "entries")
        for entry in entries
    }
