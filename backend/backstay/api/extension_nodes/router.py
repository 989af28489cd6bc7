"""Extension nodes compared with their routers' rows, and the check of a new one."""

from collections.abc import Collection, Iterable
from ipaddress import IPv4Interface
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.alerts.rules import extension as extension_rule
from backstay.alerts.selectors.incidents import open_by_node
from backstay.api.extension_nodes.present import check_out, extension_out
from backstay.api.extension_nodes.schemas import ExtensionCheckOut, ExtensionIn, ExtensionOut
from backstay.api.http.auth import Lookup, found, site_of
from backstay.api.http.list_query import Column, Id, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.core.errors import Invalid, Refused
from backstay.core.model.extension import Complex, Extension, Slot
from backstay.core.planning.extension.checks import Attachment
from backstay.core.planning.extension.compare import ExtensionState
from backstay.core.planning.extension.proposal import propose
from backstay.inventory import selectors, snapshot
from backstay.telemetry.selectors.extension import (
    complexes_now,
    extension_nodes,
    extension_nodes_now,
)

if TYPE_CHECKING:
    from backstay.inventory.models import Site

router = Router(tags=["extension-nodes"])
_node = Lookup("extension node", selectors.node)

SORTS = {
    "name": Column("name", natural=True),
    "state": Column("rank", nullable=True),
    "place": Column("place", natural=True, nullable=True),
    "switch_node_number": Column("switch_node_number", nullable=True),
    "address": Column("address", natural=True, nullable=True),
    "reported": Column("reported_at", nullable=True),
    "node_number": Column("node_number", nullable=True),
}


class ExtensionNodeQuery(ListQuery):
    """Filters of `list_extension_nodes`."""

    state: ExtensionState | None = None


@router.get(
    "/extension-nodes", response={200: Page[ExtensionOut], **READ}, operation_id="list_extension_nodes"
)
def list_extension_nodes(request: HttpRequest, query: Query[ExtensionNodeQuery]) -> Page[ExtensionOut]:
    """Gateways attached to the site's SP switches."""
    site = site_of(request, query.site)
    rows = extension_nodes(site, timezone.now(), state=query.state, text=query.q)
    shown, following = query.rows(rows, SORTS, "name")
    return Page(items=_extension_nodes_out(site, [row.pk for row in shown]), next=following)


@router.post(
    "/extension-nodes/check", response={200: ExtensionCheckOut, **WRITE}, operation_id="check_extension_node"
)
def check_extension_node(request: HttpRequest, body: ExtensionIn) -> ExtensionCheckOut:
    """Proposed attributes of a gateway, with every failed check. Stores nothing."""
    site = site_of(request, body.site)
    known = _complex(site.name, complexes_now(site, snapshot.load(site)).values(), body.fabric)
    proposal = propose(known, body.node, _asked(body))
    return check_out(Attachment(known, body.node, proposal.extension), proposal)


@router.get("/extension-nodes/{id}", response={200: ExtensionOut, **READ}, operation_id="get_extension_node")
def get_extension_node(request: HttpRequest, id: Id) -> ExtensionOut:  # noqa: A002  (the name in the path)
    """One extension node with its attributes; `id` is its node's."""
    row = _node(request, id)
    return found(next(iter(_extension_nodes_out(row.site, [row.pk])), None), "extension node")


def _complex(site: str, complexes: Iterable[Complex], name: str | None) -> Complex:
    known = {shelf.fabric: shelf for shelf in complexes}
    if not known:
        raise Refused(f"{site} has no SP switch: an extension node is attached to one.")
    if name is None and len(known) > 1:
        raise Invalid(
            "The site has several SP switches: name one.",
            fields={"fabric": f"one of {', '.join(sorted(known))}"},
        )
    if name is not None and name not in known:
        raise Invalid(
            f"There is no SP switch {name}.", fields={"fabric": f"one of {', '.join(sorted(known))}"}
        )
    return known[name] if name is not None else next(iter(known.values()))


def _asked(body: ExtensionIn) -> Extension:
    if (body.frame is None) != (body.slot is None):
        raise Invalid("A switch port is a frame and a slot.", fields={"slot": "with its frame, or neither"})
    slot = Slot(body.frame, body.slot) if body.frame is not None and body.slot is not None else None
    return Extension(
        name=body.node,
        port=body.port,
        slot=slot,
        number=body.node_number,
        switch_number=body.switch_node_number,
        interface=_interface(body.address),
        max_link_packet=body.max_link_packet,
        host_offset=body.host_offset,
    )


def _interface(text: str | None) -> IPv4Interface | None:
    if text is None:
        return None
    try:
        if "/" not in text:
            raise ValueError
        return IPv4Interface(text)
    except ValueError:
        raise Invalid(
            f"{text} is not an address with prefix length.", fields={"address": "such as 10.1.0.16/24"}
        ) from None


def _extension_nodes_out(site: "Site", nodes: Collection[int]) -> list[ExtensionOut]:
    """These extension nodes of a site in their order."""
    now = timezone.now()
    incidents = open_by_node(site, extension_rule.RULE.kind)
    known = extension_nodes_now(site, now, nodes).values()
    return [extension_out(node, incidents.get(node.node), now) for node in known]
