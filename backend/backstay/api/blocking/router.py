"""The hold-time planner: delay, loss and TCP throughput of a blocked HIPPI destination."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.blocking.present import PlannerInput, model_out
from backstay.api.blocking.schemas import HippiModel, HippiModelQuery
from backstay.api.http.auth import site_of
from backstay.api.http.schemas import READ
from backstay.core.errors import Refused
from backstay.inventory import snapshot
from backstay.telemetry.selectors.blocking import congested_ports, hippi_measurements

router = Router(tags=["models"])
WINDOW_S = 60.0


@router.get("/models/hippi", response={200: HippiModel, **READ}, operation_id="get_hippi_model")
def get_hippi_model(request: HttpRequest, query: Query[HippiModelQuery]) -> HippiModel:
    """Delay and loss against the blocking factor, recommended h, and measured blocking. Stores nothing."""
    site, now = site_of(request, query.site), timezone.now()
    measured = hippi_measurements(site, snapshot.load(site), now, WINDOW_S)
    gateway = next((item for item in measured.gateways if item.node == query.gateway), None)
    if query.gateway and gateway is None:
        known = ", ".join(item.node for item in measured.gateways) or "none has reported"
        raise Refused(
            f"{query.gateway} is not a HIPPI-SONET gateway of {site.name}: choose one of them ({known}).",
            fields={"gateway": f"expected one of: {known}"},
        )
    return model_out(
        PlannerInput(site.name, now, WINDOW_S, query, gateway, measured, congested_ports(site, now))
    )
