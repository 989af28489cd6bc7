"""The site as a graph with live load."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router

from backstay.alerts.selectors.site_map import map_facts
from backstay.api.http.auth import site_of
from backstay.api.http.caching import EncodedJson, json_answer
from backstay.api.http.list_query import Text
from backstay.api.http.response_cache import SharedResponses, is_large
from backstay.api.http.schemas import READ
from backstay.api.topology.present import topology_out
from backstay.api.topology.schemas import Topology
from backstay.inventory import snapshot
from backstay.inventory.standby_reads import reads_standby
from backstay.live import bus

if TYPE_CHECKING:
    from backstay.inventory.models import Site

router = Router(tags=["topology"])


@dataclass(frozen=True, slots=True)
class _Map:
    """The map of a site as of one moment."""

    encoded: EncodedJson
    position: str | None
    """Of the live streams before it was read; None: changes since are not known."""
    stale_at: datetime | None
    """As `MapFacts.stale_at`."""

    def is_current(self) -> bool:
        """Whether nothing was published and nothing became stale since it was read."""
        is_stale = self.stale_at is not None and timezone.now() >= self.stale_at
        return self.position is not None and not is_stale and bus.position() == self.position


_maps = SharedResponses[_Map]()


@router.get("/topology", response={200: Topology, **READ}, operation_id="get_topology")
@reads_standby
def get_topology(request: HttpRequest, site: Text | None = None) -> HttpResponse:
    """Every node, every shared fabric, and every link with its load in both directions, as of `at`."""
    row = site_of(request, site)
    is_shared = is_large(len(snapshot.load(row).nodes))
    known = _maps.get(
        (row.pk, row.version), lambda: _map(row), is_shared=lambda _: is_shared, is_current=_Map.is_current
    )
    return json_answer(request, known.encoded)


def _map(row: "Site") -> _Map:
    position = bus.position()  # Before the site is read: what is published meanwhile may be missing.
    facts = map_facts(row)
    return _Map(EncodedJson.of(*topology_out(facts)), position, facts.stale_at)
