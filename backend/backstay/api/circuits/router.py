"""Circuits: declared and reported hops, their history, plans of new ones, and files to install."""

from collections.abc import Collection
from difflib import unified_diff
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import Field

from backstay.alerts.rules import circuit as circuit_rule
from backstay.alerts.selectors.incidents import open_by_subject
from backstay.api.circuits.planning import plan_out
from backstay.api.circuits.present import CircuitContext, circuit_out, version_out
from backstay.api.circuits.schemas import (
    CircuitOut,
    CircuitPlanIn,
    CircuitPlanOut,
    CircuitVersionOut,
    HandOverIn,
    HandOverOut,
)
from backstay.api.http.auth import Lookup, found, site_of
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.core.errors import Refused
from backstay.core.model.circuit import Kind, places
from backstay.core.planning.circuits.consistency import Judgement
from backstay.core.rendering.gratm import renderer
from backstay.core.timerange import moment
from backstay.inventory import selectors, snapshot
from backstay.inventory.circuits import circuits
from backstay.inventory.lookups import sorts_by
from backstay.inventory.standby_reads import reads_standby
from backstay.telemetry.selectors.circuits import circuits_now, with_state
from backstay.telemetry.selectors.ports import ports_up

if TYPE_CHECKING:
    from backstay.inventory.models import Site

router = Router(tags=["circuits"])
_circuit = Lookup("circuit", selectors.circuit)
SORTS = {
    "name": Column("name", natural=True),
    "state": Column("rank"),
    "labels": Column("labels", natural=True),
    "kind": Column("kind"),
    "hops": Column("hop_count"),
}
VERSION_SORTS = {
    "name": Column("name", natural=True),
    "since": Column("since", nullable=True),
    "until": Column("until", nullable=True),
    "kind": Column("kind"),
    "labels": Column("labels", natural=True),
    "hops": Column("hop_count"),
}


class CircuitQuery(ListQuery):
    """Filters of `list_circuits`."""

    state: Judgement | None = None
    kind: Kind | None = None
    node: Text | None = None


class CircuitHistoryQuery(ListQuery):
    """Filters of `list_circuit_history`."""

    at: Text | None = Field(
        None, description="A time, or `now-7d`: only the versions in force then; default: all versions"
    )
    name: Text | None = Field(None, description="Name of a circuit")
    node: Text | None = Field(None, description="Node where it began, ended or passed")


@router.get("/circuits", response={200: Page[CircuitOut], **READ}, operation_id="list_circuits")
def list_circuits(request: HttpRequest, query: Query[CircuitQuery]) -> Page[CircuitOut]:
    """PVCs and VLANs; `node`: those that begin, end or pass there."""
    site = site_of(request, query.site)
    rows = selectors.circuits_of(site, kind=query.kind, node=query.node, text=query.q)
    if query.state is not None or sorts_by(query.sort, "state"):
        rows = with_state(rows, site, timezone.now(), query.state)
    shown, following = query.rows(rows, SORTS, "name")
    return Page(items=_circuits_out(site, [row.pk for row in shown]), next=following)


@router.get(
    "/circuits/history", response={200: Page[CircuitVersionOut], **READ}, operation_id="list_circuit_history"
)
@reads_standby
def list_circuit_history(request: HttpRequest, query: Query[CircuitHistoryQuery]) -> Page[CircuitVersionOut]:
    """Circuits as the site file declared them, removed ones too: the versions of one, or all at a time.

    An import that changes hops, labels, shapes, kind or note begins a version.
    """
    site = site_of(request, query.site)
    at = None if query.at is None else moment(query.at, timezone.now(), "at")
    rows = selectors.circuit_versions(site, at=at, name=query.name, node=query.node, text=query.q)
    shown, following = query.rows(rows, VERSION_SORTS, "-since")
    idents = selectors.circuit_ids(site, {row.name for row in shown})
    return Page(items=[version_out(row, idents.get(row.name)) for row in shown], next=following)


@router.post("/circuits/plan", response={200: CircuitPlanOut, **WRITE}, operation_id="plan_circuits")
def plan_circuits(request: HttpRequest, body: CircuitPlanIn) -> CircuitPlanOut:
    """Number of circuits for these hosts, alternative methods, and free labels. Stores nothing."""
    site = site_of(request, body.site)
    return plan_out(body, snapshot.load(site), list(circuits(site).values()))


@router.post("/circuits/hand-over", response={200: HandOverOut, **WRITE}, operation_id="hand_over_circuits")
def hand_over_circuits(request: HttpRequest, body: HandOverIn) -> HandOverOut:
    """A GigaRouter's gratm.conf with its circuits, for manual installation. Changes nothing."""
    site = site_of(request, body.site)
    mine = [
        circuit for circuit in circuits(site).values() if any(hop.node == body.node for hop in circuit.hops)
    ]
    if not mine:
        raise Refused(f"No circuit begins, ends or passes at {body.node}: there is nothing to write.")
    try:
        made = renderer.hand_over(body.node, mine, body.current)
        unlike = renderer.unlike(body.node, mine, body.current)
    except ValueError as problem:
        raise Refused(f"{renderer.PATH} of {body.node} is not written: {problem}.") from problem
    lines = unified_diff(
        made.before.splitlines(keepends=True),
        made.after.splitlines(keepends=True),
        renderer.PATH,
        renderer.PATH,
    )
    return HandOverOut(
        node=body.node,
        path=made.path,
        before=made.before,
        after=made.after,
        diff="".join(line if line.endswith("\n") else f"{line}\n" for line in lines),
        commands=[f"grreset {slot}" for slot in made.reset],
        unlike=unlike,
    )


@router.get("/circuits/{id}", response={200: CircuitOut, **READ}, operation_id="get_circuit")
def get_circuit(request: HttpRequest, id: Id) -> CircuitOut:  # noqa: A002  (the name in the path)
    """One circuit, hop by hop."""
    row = _circuit(request, id)
    return found(next(iter(_circuits_out(row.site, [row.pk])), None), "circuit")


def _circuits_out(site: "Site", idents: Collection[int]) -> list[CircuitOut]:
    """These circuits of a site, in this order; a fixed number of queries."""
    now = circuits_now(site, timezone.now(), idents)
    nodes = {node for known in now.circuits.values() for _, (node, _), _ in places(known.circuit)}
    context = CircuitContext(
        topology=snapshot.load(site),
        now=now,
        notes=selectors.circuit_notes(now.circuits),
        incidents=open_by_subject(site, circuit_rule.RULE.kind),
        up=ports_up(site, nodes),
    )
    return [circuit_out(circuit, context) for circuit in now.circuits.values()]
