"""Capacity of a cell's paths and the observation points of each hop: a document stored with the cell.

`cross_traffic` adds the other load when the cell has ended. Only for hops without an agent of the test are
the newest samples stored, and only samples that contain no test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from backstay.core.model.search import ForwardingPath
from backstay.core.model.throughput import Medium, PathHop
from backstay.core.model.topology import Port, Vertex
from backstay.telemetry.selectors.loads import port_ids
from backstay.throughput.models import TestCell, TestRun
from backstay.throughput.site_context import RINGS, FlowRoute, SiteContext

Step = tuple[int, Vertex]
"""A link and its start vertex: one direction."""
Document = dict[str, Any]
_SAMPLES_AGE_S = 600.0
"""Older samples of other traffic are ignored."""
_SLACK_S = 1.0


def document(context: SiteContext, run: TestRun, routes: list[FlowRoute]) -> Document:
    """`core.model.throughput.Medium` plus:

    `paths`: node names of each flow's path. `senders`: direction -> [[node, port]] that send its data.
    `seen`: ports of agents on the hops; `forward`: the counter that contains the sender's data. `links`: the
    hops' links, and whether the sender's data uses their forward direction. `sampled`: link -> sampled bit/s,
    forward and reverse.
    """
    steps = _shared(routes)
    sampled = _sampled(context, run, routes)
    return {
        **asdict(medium(context, routes)),
        "paths": [_names(context, route.path) for route in routes],
        "senders": {"forward": _ends(context, routes, 0), "reverse": _ends(context, routes, -1)},
        "seen": [one for at, step in enumerate(steps) for one in _seen(context, at, step, routes)],
        "links": [[str(link), start == _from(context, link)] for link, start in steps],
        "sampled": sampled,
    }


def medium(context: SiteContext, routes: list[FlowRoute]) -> Medium:
    """From the site file only: usable rates without other traffic."""
    return Medium(
        usable=_together(context, routes, _steps),
        hops=tuple(_hop(context, link) for link, _ in _shared(routes)),
        ends=_together(context, routes, _outer),
    )


def _steps(path: ForwardingPath) -> list[Step]:
    return [(link, path.hops[at]) for at, link in enumerate(path.links)]


def _outer(path: ForwardingPath) -> list[Step]:
    """The links of both ends."""
    steps = _steps(path)
    return [steps[0], steps[-1]]


def _shared(routes: list[FlowRoute]) -> list[Step]:
    """Steps that all flows share in one direction, in the order of the first flow."""
    first, *others = [_steps(route.path) for route in routes]
    return [step for step in first if all(step in one for one in others)]


def _together(
    context: SiteContext, routes: list[FlowRoute], among: Callable[[ForwardingPath], list[Step]]
) -> float | None:
    """Sum over flows of the smallest share among these steps, with links divided among their flows.

    None: a path is unknown.
    """
    uses: dict[Step, int] = {}
    for route in routes:
        for step in _steps(route.path):
            uses[step] = uses.get(step, 0) + 1
    if not all(route.path.links for route in routes):
        return None
    return sum(min(context.usable_of(step[0]) / uses[step] for step in among(route.path)) for route in routes)


def _hop(context: SiteContext, link: int) -> PathHop:
    row = context.topology.links[link]
    fabric = context.topology.fabrics[row.fabric_id]
    return PathHop(context.link_name(row), float(fabric.usable_rate), fabric.mtu, shared=fabric.kind in RINGS)


def _names(context: SiteContext, path: ForwardingPath) -> list[str]:
    """Names of all nodes and shared media on the path."""
    topology = context.topology
    return [
        topology.nodes[ident].name if kind == "node" else topology.fabrics[ident].name
        for kind, ident in path.hops
    ]


def _ports(context: SiteContext, link: int) -> list[Port]:
    return [context.topology.ports[port] for port in port_ids([context.topology.links[link]])]


def _ends(context: SiteContext, routes: list[FlowRoute], at: int) -> list[list[str]]:
    """Ports of the first (`at` 0) or last vertices, which send the data of one direction."""
    found = {
        (context.topology.nodes[port.node_id].name, port.name)
        for route in routes
        if route.path.links
        for port in _ports(context, route.path.links[at])
        if ("node", port.node_id) == route.path.hops[at]
    }
    return sorted([node, port] for node, port in found)


def _seen(context: SiteContext, at: int, step: Step, routes: list[FlowRoute]) -> list[Document]:
    """The hop's ports at participating nodes."""
    link, start = step
    nodes = {
        node.name for route in routes for node in (route.sender, route.receiver, *context.gateways(route))
    }
    return [
        {"hop": at, "node": name, "port": port.name, "forward": "out" if ours else "in"}
        for port in _ports(context, link)
        for name, ours in [(context.topology.nodes[port.node_id].name, ("node", port.node_id) == start)]
        if name in nodes
    ]


def _sampled(context: SiteContext, run: TestRun, routes: list[FlowRoute]) -> Document:
    """Samples of other traffic: current ones if they contain no test, else from earlier in the run."""
    newest = run.cells.exclude(fence=None).order_by("-fence").values_list("medium", flat=True).first() or {}
    oldest = (context.now - timedelta(seconds=_SAMPLES_AGE_S)).isoformat()
    found = {link: one for link, one in newest.get("sampled", {}).items() if one["at"] >= oldest}
    tested = _tests(context)
    for link in dict.fromkeys(link for route in routes for link in route.path.links):
        loads = [one for one in context.loads.get(link, ()) if one is not None and one.fresh]
        if len(loads) < 2:
            continue
        began = min(one.at for one in loads) - timedelta(seconds=context.site.interval_s + _SLACK_S)
        if all(ended < began for ended in tested.get(f"link:{link}", ())):
            found[str(link)] = {"bps": [one.bps for one in loads], "at": context.now.isoformat()}
    return found


def _from(context: SiteContext, link: int) -> Vertex:
    """Start of a link's forward direction."""
    return "node", context.topology.ports[context.topology.links[link].a].node_id


def _tests(context: SiteContext) -> Mapping[str, list[datetime]]:
    """Resource -> end times of tests that fresh samples may contain."""
    since = context.now - timedelta(seconds=4 * context.site.interval_s + 60)
    rows = TestCell.objects.filter(run__plan__site=context.site, ended_at__gt=since)
    found: dict[str, list[datetime]] = {}
    for resources, ended_at in rows.values_list("resources", "ended_at"):
        if ended_at is not None:
            for resource in resources:
                found.setdefault(resource, []).append(ended_at)
    return found
