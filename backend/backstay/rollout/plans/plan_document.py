"""The document of a plan: JSON in the format of the public API, stored with the plan.

Its size is limited whatever fails: `bounded` cuts lists and texts, and counts what it omits. Checks judge
the whole plan; assignments, which nodes receive, are never cut.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from heapq import nsmallest
from typing import Any

from backstay.core.formatting import count, duration, listing, rate, share
from backstay.core.model.plan import FileDifference, Finding, Impact, ImpactVerdict, LinkLoad, NodePlan, Plan
from backstay.core.model.topology import Topology

Document = dict[str, Any]
MOST_BYTES = 4_900_000
"""Of a document."""
LEAST = 3
"""Entries that every list of an impact may have."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that lists of one kind may have together; the longest are cut first."""

    links: int = 10_000
    """Of all impacts."""
    names: int = 60_000
    """Nodes of all impacts."""
    impacts: int = 2_000
    """The most severe ones."""
    findings: int = 200
    """Of each check and level."""
    listed: int = 20_000
    """Nodes of all checks."""
    text: int = 1_500_000
    """Characters of files; those of the most common shapes come first."""

    def divided(self, by: int) -> Limits:
        """A part of them."""
        return Limits(*(getattr(self, field.name) // by for field in fields(self)))


def bounded(make: Callable[[Limits], Document], limits: Limits = Limits()) -> Document:
    """The most complete document of at most MOST_BYTES."""
    found, part = make(limits), 1
    while len(json.dumps(found)) > MOST_BYTES and part < limits.names:
        part *= 2
        found = make(limits.divided(part))
    return found


def routing_document(topology: Topology, plan: Plan, kind: str, limits: Limits) -> Document:
    """`PlanOut` without the columns of the plan's row."""
    names = {node.id: node.name for node in topology.nodes.values()}
    impacts = _most_severe(plan.impacts, limits.impacts)
    shapes = _shapes(plan)
    files = files_within([members[0].files for members in shapes], limits.text)
    return {
        "summary": summary(plan, kind),
        "shapes": [
            _shape(members, kept) | omitted for members, (kept, omitted) in zip(shapes, files, strict=True)
        ],
        "checks": checks(plan.findings, limits),
        "impacts": _impacts(impacts, _LinkNames(topology), limits),
        "impacts_omitted": len(plan.impacts) - len(impacts),
        "waves": [[names[node] for node in wave] for wave in plan.waves],
    }


def files_within(
    shapes: Iterable[Sequence[FileDifference]], most: int
) -> Iterator[tuple[list[Document], Document]]:
    """For each shape its changed files within `most` characters of all, and how many were left out."""
    for files in shapes:
        found = [file_diff(file) for file in files if file.before != file.after]
        size = sum(len(file["diff"]) + len(file["after"]) for file in found)
        if found and size > most:
            yield [], {"files_omitted": len(found)}
            continue
        most -= size
        yield found, {}


def checks(findings: Sequence[Finding], limits: Limits) -> list[Document]:
    """Checks with at most so many findings each; one more counts those that are left out."""
    counts = Counter((finding.check, finding.level) for finding in findings)
    seen: Counter[tuple[str, str]] = Counter()
    most_names = _longest([len(finding.nodes) for finding in findings], limits.listed)
    found: list[Document] = []
    for finding in findings:
        key = (finding.check, finding.level)
        seen[key] += 1
        if seen[key] <= max(limits.findings, 1):
            found.append(check(finding, most_names))
        elif seen[key] == counts[key]:
            more = counts[key] - max(limits.findings, 1)
            text = f"{count(more, 'more finding')} of this kind {'is' if more == 1 else 'are'} not listed."
            found.append(check(Finding(finding.check, finding.level, text)))
    return found


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


def _shape(members: list[NodePlan], files: list[Document]) -> Document:
    first = members[0]
    return {
        "nodes": [member.routing.node for member in members],
        "engine": first.routing.engine.kind.value,
        "differences": [
            {"prefix": difference.prefix, "before": list(difference.before), "after": list(difference.after)}
            for difference in first.differences
        ],
        "files": files,
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


def check(finding: Finding, most_names: int | None = None) -> Document:
    """`CheckOut`; its text counts all nodes."""
    listed = list(finding.nodes[:most_names])
    return {
        "check": finding.check,
        "level": finding.level,
        "text": finding.text,
        "nodes": listed,
        "nodes_omitted": len(finding.nodes) - len(listed),
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


_SEVERITY: tuple[ImpactVerdict, ...] = ("loops", "cuts_off", "saturates", "holds")


def _most_severe(impacts: Sequence[Impact], most: int) -> list[Impact]:
    """In their order: the state without a failure, and the failures with the worst verdict and most nodes."""

    def rank(impact: Impact) -> tuple[bool, int, int]:
        concerned = len(impact.cut_off) + len(impact.looping) + len(impact.moved)
        return impact.kind != "none", _SEVERITY.index(verdict(impact)), -concerned

    chosen = {id(impact) for impact in nsmallest(max(most, LEAST), impacts, key=rank)}
    return [impact for impact in impacts if id(impact) in chosen]


def _impacts(impacts: Sequence[Impact], names: _LinkNames, limits: Limits) -> list[Document]:
    links = [len({item.link_id for item in _loads(impact)}) for impact in impacts]
    most_links = _longest(links, limits.links)
    lists = (listed for impact in impacts for listed in _nodes(impact).values())
    most_names = _longest([len(listed) for listed in lists], limits.names)
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
