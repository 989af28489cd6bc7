"""A HIPPI fabric's own report: rejects and camp-on by port, blocking and hold time by gateway."""

from functools import partial

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.api.fabrics.hippi.present import LEVELS, HippiNow, report_out
from backstay.api.fabrics.hippi.schemas import HippiReport
from backstay.api.http.auth import Lookup
from backstay.api.http.list_query import Id
from backstay.api.http.schemas import READ
from backstay.inventory import selectors, snapshot
from backstay.telemetry.catalogue import family
from backstay.telemetry.selectors.metrics import grown_within, metrics_now, recent_counters

router = Router(tags=["hippi"])
_fabric = Lookup("HIPPI fabric", partial(selectors.fabric, kind="hippi"))
FAMILIES = ("ps32.", "hsg.")
WINDOW_S = 60.0


@router.get("/hippi/{id}", response={200: HippiReport, **READ}, operation_id="get_hippi_report")
def get_hippi_report(request: HttpRequest, id: Id) -> HippiReport:  # noqa: A002  (the name in the path)
    """Blocking factor, rejects, camp-on per port, and the hold time h."""
    fabric = _fabric(request, id)
    site, now = fabric.site, timezone.now()
    topology = snapshot.load(site)
    nodes = {port.node_id for port in topology.ports.values() if port.fabric_id == fabric.pk}
    counters = [item.name for item in family(FAMILIES) if item.kind == "growth"]
    return report_out(
        HippiNow(
            fabric=fabric,
            now=now,
            window_s=WINDOW_S,
            metrics=metrics_now(site, nodes, [*LEVELS, *counters]),
            windows=grown_within(nodes, counters, now, WINDOW_S, WINDOW_S),
            counters=recent_counters(fabric, now),
        )
    )
