"""Ports."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.http.auth import Lookup, site_of
from backstay.api.http.list_query import Id, ListQuery, Sort, Text, bad_cursor, cursor_of, encoded, sort_of
from backstay.api.http.schemas import READ, Page, State
from backstay.api.ports.present import port_out
from backstay.api.ports.schemas import PortOut
from backstay.inventory import selectors
from backstay.telemetry.selectors.ports import SORTS, PortFilter, PortPage, ports_now

router = Router(tags=["ports"])
_port = Lookup("port", selectors.port, lambda port: port.node.site)


class PortQuery(ListQuery):
    """Filters of `list_ports`."""

    node: Text | None = None
    fabric: Text | None = None
    state: State | None = None


@router.get("/ports", response={200: Page[PortOut], **READ}, operation_id="list_ports")
def list_ports(request: HttpRequest, query: Query[PortQuery]) -> Page[PortOut]:
    """A site's ports with state and load now. `q` looks into `node:port`; `-utilisation` finds the full."""
    row, by = site_of(request, query.site), sort_of(query.sort, "name", SORTS)
    wanted = PortFilter(node=query.node, fabric=query.fabric, state=query.state, q=query.q)
    where = PortPage(by.field, by.descending, query.limit + 1, _after(query.cursor, by))
    now = timezone.now()
    rows = ports_now(row, wanted, where, now)
    items = [port_out(port, now) for port in rows[: query.limit]]
    last = rows[query.limit - 1] if len(rows) > query.limit else None
    more = None if last is None else encoded(by, last.sort_key, last.id)
    return Page(items=items, next=more)


def _after(cursor: str | None, sort: Sort) -> tuple[str | float, int] | None:
    """The row before the page; refused when its value is not of the sort's type."""
    after = cursor_of(cursor, sort)
    if after is None:
        return None
    value, is_text = after.value, SORTS[sort.field][1] == "text"
    if value is None or isinstance(value, str) != is_text or not isinstance(after.id, int):
        raise bad_cursor()
    return value, after.id


@router.get("/ports/{id}", response={200: PortOut, **READ}, operation_id="get_port")
def get_port(request: HttpRequest, id: Id) -> PortOut:  # noqa: A002  (the name in the path)
    """One port."""
    site = _port(request, id).node.site
    now = timezone.now()
    (port,) = ports_now(site, PortFilter(id=id), PortPage("name", False, 1), now)
    return port_out(port, now)
