"""An InfiniBand fabric's health: degraded links, errors, and cables to swap."""

from functools import partial

from django.http import HttpRequest
from ninja import Router

from backstay.api.fabrics.infiniband.present import health_of, health_out
from backstay.api.fabrics.infiniband.schemas import InfinibandHealth
from backstay.api.http.auth import Lookup
from backstay.api.http.list_query import Id
from backstay.api.http.schemas import READ
from backstay.inventory import selectors

router = Router(tags=["infiniband"])
_fabric = Lookup("InfiniBand fabric", partial(selectors.fabric, kind="infiniband"))


@router.get(
    "/infiniband/{id}/health", response={200: InfinibandHealth, **READ}, operation_id="get_infiniband_health"
)
def get_infiniband_health(request: HttpRequest, id: Id) -> InfinibandHealth:  # noqa: A002
    """Degraded links, error rates over 12 and 125 minutes, and the cables to swap with the reasons."""
    fabric = _fabric(request, id)
    return health_out(health_of(fabric))
