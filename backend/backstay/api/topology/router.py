"""The site as a graph with live load."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router

from backstay.alerts.selectors.history.history_snapshot import past_map_facts
from backstay.alerts.selectors.site_map import map_facts
from backstay.alerts.selectors.state_deadline import next_state_change
from backstay.api.http.auth import site_of
from backstay.api.http.caching import EncodedJson, json_answer
from backstay.api.http.conditional_reads import (
    INCIDENTS,
    INVENTORY,
    PATHS,
    SAMPLES,
    STATES,
    Basis,
    basis_of,
    depends_on,
    rebase,
)
from backstay.api.http.list_query import Text, past_at
from backstay.api.http.response_cache import SharedResponses, is_large
from backstay.api.http.schemas import READ
from backstay.api.topology.present import past_topology_out, topology_out
from backstay.api.topology.schemas import Topology
from backstay.inventory import snapshot
from backstay.inventory.standby_reads import reads_standby

if TYPE_CHECKING:
    from backstay.inventory.models import Site

router = Router(tags=["topology"])


@dataclass(frozen=True, slots=True)
class _Map:
    """The map of a site as of one moment."""

    encoded: EncodedJson
    basis: Basis
    until: datetime | None
    """When time changes a state; None: never."""

    def is_current(self, now: Basis) -> bool:
        """Whether no row has changed and no state has since it was read."""
        return self.basis.counts == now.counts and (self.until is None or now.now < self.until)


_maps = SharedResponses[_Map]()


@router.get("/topology", response={200: Topology, **READ}, operation_id="get_topology")
@depends_on(INVENTORY, STATES, SAMPLES, INCIDENTS, PATHS, clock=next_state_change)
@reads_standby
def get_topology(request: HttpRequest, site: Text | None = None) -> HttpResponse:
    """Every node, every shared fabric, and every link with its load in both directions, as of `at`."""
    row, basis = site_of(request, site), basis_of(request)
    is_shared = is_large(len(snapshot.load(row).nodes))
    known = _maps.get(
        (row.pk, row.version),
        lambda: _map(row, basis),
        is_shared=lambda _: is_shared,
        is_current=lambda known: known.is_current(basis),
    )
    rebase(request, known.basis)
    return json_answer(request, known.encoded)


@router.get("/topology/past", response={200: Topology, **READ}, operation_id="get_past_topology")
@reads_standby
def get_past_topology(request: HttpRequest, at: Text, site: Text | None = None) -> HttpResponse:
    """The map at a past moment with the nodes and links of today; `at`: `now-1h` or `2026-11-23T10:00:00Z`.

    Loads are means of five minutes. What was not stored is unknown: a state never comes from the present.
    """
    row, now = site_of(request, site), timezone.now()
    content = past_topology_out(past_map_facts(row, past_at(at, now), now))
    return json_answer(request, EncodedJson.of(content, content))


def _map(row: "Site", basis: Basis) -> _Map:
    facts = map_facts(row)
    return _Map(EncodedJson.of(*topology_out(facts)), basis, next_state_change(row, basis.now))
