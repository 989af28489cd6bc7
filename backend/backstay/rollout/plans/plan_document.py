"""The document of a plan: JSON in the format of the public API, stored with the plan."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from heapq import nsmallest
from typing import Any

from backstay.core.formatting import count, duration, listing, rate, share
from backstay.core.model.plan import FileDifference, Finding, Impact, ImpactVerdict, LinkLoad, NodePlan, Plan
from backstay.core.model.topology import Topology

Document = dict[str, Any]
LINKS, NAMES = 10_000, 60_000
"""Most links and node names of all impacts together, so that the document of 10,000 nodes stays readable
and below PostgreSQL's limit for a JSON array (256 MiB). The longest lists are cut; the rest is
counted.
"""
LEAST = 3
"""Entries that every list may have."""


def routing_document(topology: Topology, plan: Plan, kind: str) -> Document:
    """`PlanOut` without the columns of the plan's row."""
    names = {node.id: node.name for node in topology.nodes.values()}
    links = _LinkNames(topology)
    return {
        "summary": summary(plan, kind),
        "shapes": [_shape(members) for members in _shapes(plan)],
        "checks": [check(finding) for finding in plan.findings],
        "impacts": _impacts(plan.impacts, links),
        "waves": [[names[node] for node in wave] for wave in plan.waves],
    }


def summary(plan: Plan, kind: str) -> str:
    """`8 nodes, 2 shapes; 14 checks passed, 1 warning`."""
    changing = [node for node in plan.nodes if node.changes]
    shapes = len({node.shape for node in changing})
    return summary_of(len(changing), shapes, plan.findings, untouched=kind == "adopt")


def summary_of(nodes: int, shapes: int, findings: Iterable[Finding], *, untouched: bool = False) -> str:
    """As `summary`, for any kind of plan."""
    levels = Counter(finding.level for finding in findings)
    parts = [f"{count(levels['passed'], 'check')} passed"]
    parts += [count(levels["warning"], "warning")] if levels["warning"] else []
    parts += [f"{levels['failed']} failed"] if levels["failed"] else []
    what = "no changes"
    if nodes:
        what = f"{count(nodes, 'node')}, {count(shapes, 'shape')}"
        what += ", none modified" if untouched else ""
    return f"{what[0].upper()}{what[1:]}; {', '.join(parts)}"


def _shapes(plan: Plan) -> list[list[NodePlan]]:
    """Nodes that change, by shape, most common first."""
    found: dict[str, list[NodePlan]] = {}
    for node in plan.nodes:
        if node.changes:
            found.setdefault(node.shape, []).append(node)
    return sorted(found.values(), key=lambda members: -len(members))


def _shape(members: list[NodePlan]) -> Document:
    first = members[0]
    return {
        "nodes": [member.routing.node for member in members],
        "engine": first.routing.engine.kind.value,
        "differences": [
            {"prefix": difference.prefix, "before": list(difference.before), "after": list(difference.after)}
            for difference in first.differences
        ],
        "files": [file_diff(file) for file in first.files if file.before != file.after],
    }


def file_diff(file: FileDifference) -> Document:
    """`FileDiffOut`."""
    return {"path": file.path, "diff": unified(file.path, file.before, file.after), "after": file.after}


def unified(path: str, before: str, after: str) -> str:
    """A unified diff in the format of diff(1) and patch(1), also without newline at end of file."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"{path} (now)",
        f"{path} (planned)",
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def check(finding: Finding) -> Document:
    """`CheckOut`."""
    return {
        "check": finding.check,
        "level": finding.level,
        "text": finding.text,
        "nodes": list(finding.nodes),
    }


class _LinkNames:
    """Link names: `grf1:ga031-router:at0`."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology

    def of(self, link_id: int) -> str:
        link = self._topology.links[link_id]
        far = self._topology.fabrics[link.fabric_id].name if link.b is None else self._port(link.b)
        return f"{self._port(link.a)}-{far}"

    def _port(self, port_id: int) -> str:
        port = self._topology.ports[port_id]
        return f"{self._topology.nodes[port.node_id].name}:{port.name}"


def _impacts(impacts: Sequence[Impact], names: _LinkNames) -> list[Document]:
    most_links = _longest([len({item.link_id for item in _loads(impact)}) for impact in impacts], LINKS)
    lists = (listed for impact in impacts for listed in _nodes(impact).values())
    most_names = _longest([len(listed) for listed in lists], NAMES)
    return [_impact(impact, names, most_links, most_names) for impact in impacts]


def _longest(lengths: list[int], most: int) -> int:
    """The length to which lists are cut, so that together they have at most `most` entries."""
    left = most
    for position, length in enumerate(ordered := sorted(lengths)):
        share = left // (len(ordered) - position)
        if length > share:
            return max(share, LEAST)
        left -= length
    return max(lengths, default=LEAST)


def _loads(impact: Impact) -> tuple[LinkLoad, ...]:
    return (*impact.loads, *impact.over)


def _nodes(impact: Impact) -> dict[str, tuple[str, ...]]:
    return {"cut_off": impact.cut_off, "looping": impact.looping, "moved": impact.moved}


def _impact(impact: Impact, names: _LinkNames, most_links: int, most_names: int) -> Document:
    links = {item.link_id: item for item in _loads(impact)}
    fullest = nsmallest(most_links, links.values(), key=lambda link: (-link.utilisation, link.link_id))
    nodes = _nodes(impact)
    omitted = {name: len(listed) - most_names for name, listed in nodes.items()}
    omitted["links"] = len(links) - len(fullest)
    return {
        "failure": impact.failure,
        "kind": impact.kind,
        "id": impact.ident,
        "verdict": verdict(impact),
        "text": text(impact, names.of),
        **{name: list(listed[:most_names]) for name, listed in nodes.items()},
        "links": [_link(item, names) for item in fullest],
        "omitted": {name: more for name, more in omitted.items() if more > 0},
        "seconds": impact.seconds,
    }


def _link(load: LinkLoad, names: _LinkNames) -> Document:
    return {
        "link_id": load.link_id,
        "name": names.of(load.link_id),
        "bps": load.bps,
        "utilisation": round(load.utilisation, 4),
    }


def verdict(impact: Impact) -> ImpactVerdict:
    """The most severe effect."""
    if impact.looping:
        return "loops"
    if impact.cut_off:
        return "cuts_off"
    return "saturates" if impact.over else "holds"


def text(impact: Impact, name: Callable[[int], str]) -> str:
    """The effect of the failure in sentences; `name`: link id -> name."""
    sentences = list(_fates(impact))
    if impact.over:
        fullest = impact.over[0]
        more = len(impact.over) - 1
        also = f"; {count(more, 'more link')} would saturate" if more else ""
        load = f"{rate(fullest.bps)}, {share(fullest.utilisation)} of its usable rate"
        sentences.append(f"{name(fullest.link_id)} would carry {load}{also}")
    if not sentences:
        fine = "All traffic arrives" if impact.kind == "none" else "No path changes"
        sentences.append(fine)
    return ". ".join(sentences) + "."


def _fates(impact: Impact) -> Iterable[str]:
    if impact.looping:
        yield f"Packets of {_some(impact.looping)} would loop"
    if impact.cut_off:
        yield f"{_some(impact.cut_off)} would be cut off"
    if impact.moved:
        soon = "" if not impact.seconds else f" within {duration(impact.seconds)}"
        soon = " immediately" if impact.seconds == 0 else soon
        yield f"{_some(impact.moved)} would fail over to another gateway{soon}"


def _some(names: Iterable[str]) -> str:
    return listing(list(names))


def stale_because(changed: list[str]) -> str:
    """`Changed since planning: the running or saved state of sp01.`"""
    if not changed:
        return "Its inputs have changed."
    return f"Changed since planning: {listing(changed)}."
