"""Start of cells: scheduling, wait reasons and assignments.

The caller holds the site lock. A cell gets its fence and assignments in one transaction, so that two workers
cannot start it twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Sum

from backstay.core.formatting import duration, share
from backstay.core.model.freshness import max_age_s
from backstay.core.model.throughput_kinds import KINDS
from backstay.core.scheduling.resource_scheduler import Request, Reservation, decide
from backstay.inventory.models import Node
from backstay.inventory.services import raise_generations
from backstay.live import publish
from backstay.throughput.assignments import GRACE_S
from backstay.throughput.media import document
from backstay.throughput.models import SiteLock, TestAssignment, TestCell, TestRun
from backstay.throughput.services import NOUNS
from backstay.throughput.site_context import FlowRoute, SiteContext

LEAD_S = 2.5
"""Lead time beyond an agent's interval: to poll its assignment and start listening."""
REPORT_S = 5.0
"""Report deadline beyond three intervals; a later agent is lost."""
MAX_WAIT_S = 60.0
"""Max wait for an agent that may be restarting."""
_AT_A_TIME = 8
"""Queued cells per read; usually the first one can start."""
FIRST_PORT = 5201
_PORTS = 64
_SETS = 16
"""Consecutive cells use different ports, so that none collides with the end of the previous one."""


@dataclass(frozen=True, slots=True)
class NextCell:
    """A run's next cell with the routes of its flows."""

    run: TestRun
    cell: TestCell
    routes: list[FlowRoute]


def start_due(lock: SiteLock, context: SiteContext, runs: list[TestRun]) -> None:
    """Start the next cells of these idle runs where possible; record the others' wait reasons."""
    running = TestCell.objects.filter(run__plan__site=context.site, state="running")
    held = [Reservation(run, frozenset(found)) for run, found in running.values_list("run", "resources")]
    queued = [found for run in runs if (found := _next(context, run))]
    tested = _tested(context)
    asks = [_ask(context, one, tested) for one in queued]
    decision = decide(asks, held)
    by_run = {one.run.pk: one for one in queued}
    for run in decision.start:
        lock.number += 1
        _start(by_run[run], context, lock.number)
    if decision.start:
        lock.save(update_fields=["number"])
    for run, text in decision.waits.items():
        _wait(by_run[run].run, text)
    if decision.start:
        publish.changed(context.site.name, NOUNS)


def _next(context: SiteContext, run: TestRun) -> NextCell | None:
    """The first queued cell that is possible; impossible ones are ended with the reason."""
    for cell in run.cells.filter(state="queued").order_by("index").iterator(chunk_size=_AT_A_TIME):
        routes = [context.route(one, other, run.asked["fabric"]) for one, other in cell.flows]
        known = [route for route in routes if route is not None]
        if len(known) < len(routes):
            _end(cell, "failed", "an end was removed from the site or has no address", context.now)
            continue
        lost = _lost(context, cell)
        if lost:
            _end(cell, "lost_agent", lost, context.now)
            continue
        return NextCell(run, cell, known)
    return None


def _end(cell: TestCell, state: str, detail: str, now: datetime) -> None:
    cell.state, cell.detail, cell.ended_at = state, detail, now
    cell.save(update_fields=["state", "detail", "ended_at"])


def _needed(cell: TestCell) -> list[str]:
    """Names of nodes whose agents are needed."""
    ends = [[one, other] if KINDS[cell.spec["kind"]].has_server else [one] for one, other in cell.flows]
    return sorted({name for end in ends for name in end})


def _lost(context: SiteContext, cell: TestCell) -> str:
    """The agent that has not reported for too long; empty: none."""
    patience = max(MAX_WAIT_S, 5 * max_age_s(context.site.interval_s))
    for name in _needed(cell):
        silent = context.silent(name)
        if silent is not None and silent > patience:
            since = "never reported" if silent == float("inf") else f"has not reported for {duration(silent)}"
            return f"{name}: its agent {since}"
    return ""


def _ask(context: SiteContext, one: NextCell, tested: set[str]) -> Request:
    resources = context.resources(one.routes)
    blocked = (
        context.pause(resources)
        or _silent(context, one.cell)
        or _spent(context, one)
        or _loud(context, one, resources, tested)
    )
    return Request(one.run.pk, one.run.priority, one.run.asked_at, resources, blocked)


def _silent(context: SiteContext, cell: TestCell) -> str:
    for name in _needed(cell):
        silent = context.silent(name)
        if silent is not None:
            return f"waits for {name}: its agent has not reported for {duration(silent)}"
    return ""


def _spent(context: SiteContext, one: NextCell) -> str:
    """Wait reason when the plan's daily budget is used up."""
    plan = one.run.plan
    if plan.budget_s is None and plan.budget_bytes is None:
        return ""
    midnight = context.now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    cells = TestCell.objects.filter(run__plan=plan, start_at__gte=midnight)
    used = cells.aggregate(seconds=Sum("seconds", default=0.0), octets=Sum("octets", default=0))
    if plan.budget_s is not None and used["seconds"] + one.cell.seconds > plan.budget_s:
        spent = f"{duration(used['seconds'])} of the day's {duration(plan.budget_s)}"
        return f"waits for midnight UTC: {spent} used"
    if plan.budget_bytes is not None and used["octets"] >= plan.budget_bytes:
        spent = f"{used['octets'] / 1e9:.2f} GB of the day's {plan.budget_bytes / 1e9:.2f} GB"
        return f"waits for midnight UTC: {spent} used"
    return ""


def _tested(context: SiteContext) -> set[str]:
    """Resources whose newest samples still contain a test: they do not show cross traffic."""
    since = context.now - timedelta(seconds=2 * context.site.interval_s + 1)
    rows = TestCell.objects.filter(run__plan__site=context.site, ended_at__gt=since)
    return {resource for found in rows.values_list("resources", flat=True) for resource in found}


def _loud(context: SiteContext, one: NextCell, resources: dict[str, str], tested: set[str]) -> str:
    """Wait reason when a link carries too much other traffic; agents check again during the test."""
    most = one.run.asked["quiet_percent"]
    if most is None:
        return ""
    for link in dict.fromkeys(link for route in one.routes for link in route.path.links):
        load = None if f"link:{link}" in tested else context.load(link)
        if load is not None and load.utilisation * 100 > most:
            text = resources[f"link:{link}"]
            limit = f"limit {most:g} %"
            return f"waits for lower load: {text} carries {share(load.utilisation)}, {limit}"
    return ""


def _wait(run: TestRun, text: str) -> None:
    if (run.state, run.waits_for) != ("waiting", text):
        run.state, run.waits_for = "waiting", text
        run.save(update_fields=["state", "waits_for"])
        publish.changed(run.plan.site.name, NOUNS)


def _start(one: NextCell, context: SiteContext, fence: int) -> None:
    run, cell, interval_s = one.run, one.cell, context.site.interval_s
    cell.start_at = context.now + timedelta(seconds=1.5 * interval_s + LEAD_S)
    report_s = cell.seconds + GRACE_S + 3 * interval_s + REPORT_S
    cell.until = cell.start_at + timedelta(seconds=report_s)
    cell.state, cell.fence = "running", fence
    cell.resources = context.resources(one.routes)
    cell.medium = document(context, run, one.routes)
    cell.save()
    assignments = _assignments(one, context)
    TestAssignment.objects.bulk_create(assignments)
    run.state, run.waits_for = "running", ""
    run.began_at = run.began_at or context.now
    run.save(update_fields=["state", "waits_for", "began_at"])
    raise_generations({assignment.node_id for assignment in assignments})


def _assignments(one: NextCell, context: SiteContext) -> list[TestAssignment]:
    """Two per flow, and one per gateway on any path."""
    found: list[TestAssignment] = []
    first = FIRST_PORT + _PORTS * (one.cell.pk % _SETS)
    for flow, route in enumerate(one.routes):
        client = (route.sender, "client", route.local, (route.peer, route.receiver))
        server = (route.receiver, "server", route.peer, (route.local, route.sender))
        for node, role, local, (peer, peer_node) in [client, server]:
            if role == "server" and not KINDS[one.cell.spec["kind"]].has_server:
                continue
            wire = {
                "local": local,
                "peer": peer,
                "peer_name": peer_node.name,
                "port": first + flow,
                **_watched(one, context, node),
            }
            found.append(TestAssignment(cell=one.cell, node=node, role=role, flow=flow, wire=wire))
    gateways = {node.pk: node for route in one.routes for node in context.gateways(route)}
    ends = {assignment.node_id for assignment in found}
    found += [
        TestAssignment(cell=one.cell, node=node, role="observer", flow=0, wire=_watched(one, context, node))
        for ident, node in sorted(gateways.items())
        if ident not in ends
    ]
    return found


def _watched(one: NextCell, context: SiteContext, node: Node) -> dict[str, object]:
    """Ports whose counters are reported, and their limit of other traffic."""
    ports = context.ports(node, one.routes)[:16]
    most = one.run.asked["quiet_percent"]
    quiet = [
        {"port": port.name, "usable": usable, "most_percent": most}
        for port in ports
        if most is not None and (usable := context.usable(port))
    ]
    return {"ports": [port.name for port in ports], "quiet": quiet}
