"""Nodes that do not report: each a fault of its own, or one fault when most stopped.

That a node does not report does not show that its data path is down: answers to other nodes' probes
contradict it.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from backstay.core.diagnosis.faults.fault import Fault, FaultEvidence, FaultKind
from backstay.core.diagnosis.faults.observations import Observations
from backstay.core.formatting import count, part_of

Answers = tuple[datetime | None, list[int]]
"""(newest report, nodes whose probes a node answers)."""
MOST = 0.5
"""Share of the collected nodes that must be missing."""
MIN_NODES = 3


def silent_nodes(seen: Observations, explained: Collection[int]) -> list[Fault]:
    """Faults of nodes that do not report; `explained`: nodes that another fault covers.

    Nodes report at different times, so that the first of many is missing seconds before the last: once one
    is, all that are late count.
    """
    silent = [node for node in sorted(seen.silent) if node in seen.topology.nodes]
    late = [node for node in sorted(seen.late) if node in seen.topology.nodes] if silent else []
    if len(late) >= max(MIN_NODES, MOST * len(seen.reported_at)):
        return [_reporting_lost(seen, late)]
    answering = answering_nodes(seen) if silent else {}
    return [
        silent_node(seen, node, answering.get(node))
        for node in silent
        if node not in explained and not is_unread(seen, node)
    ]


def is_unread(seen: Observations, node: int) -> bool:
    """Whether the node whose agent polls it does not report either: its silence shows nothing of it."""
    return seen.is_polled(node) and seen.reporters[node] in seen.silent


def _reporting_lost(seen: Observations, silent: list[int]) -> Fault:
    times = sorted(at for node in silent if (at := seen.reported_at.get(node)) is not None)
    missing = count(len(silent), "node")
    evidence = [
        FaultEvidence(
            "report",
            f"{part_of(len(silent), len(seen.reported_at), 'node')} do not report: {seen.names(silent)}",
            times[-1] if times else None,
            "",
        )
    ]
    reporting = sorted(seen.reporting)
    if reporting:
        at = max((at for node in reporting if (at := seen.reported_at.get(node)) is not None), default=None)
        text = f"{count(len(reporting), 'node')} still reports" if len(reporting) == 1 else ""
        text = text or f"{count(len(reporting), 'node')} still report"
        evidence.append(FaultEvidence("report", text, at, seen.names(reporting), supports=False))
    return Fault(
        kind=FaultKind.REPORTING_LOST,
        subject=missing,
        since=times[len(times) // 2] if times else seen.now,
        nodes=tuple(silent),
        evidence=tuple(evidence),
    )


def answering_nodes(seen: Observations) -> dict[int, Answers]:
    """Node id -> (newest report, observers) of nodes that answer another node's probes now."""
    owners = {str(address): port.node_id for address, port in seen.topology.addresses}
    found: dict[int, Answers] = {}
    for path in seen.observers:
        answers = {gateway for gateway, probe in path.probes.items() if probe.is_alive}
        if path.target_alive and path.target in owners:
            answers.add(owners[path.target])
        for node in answers:
            at, by = found.get(node, (None, []))
            by.append(path.node_id)
            found[node] = (max(filter(None, (at, path.at)), default=None), by)
    return found


def silent_node(seen: Observations, node: int, answers: Answers | None) -> Fault:
    """The fault of one node; `answers`: None if no other node reaches it."""
    at, name = seen.reported_at.get(node), seen.name(node)
    evidence = [FaultEvidence("report", f"{name} does not report", at, seen.reporter(node))]
    if answers is not None:
        newest, by = answers
        text = f"{name} answers probes of {count(len(set(by)), 'node')}"
        evidence.append(FaultEvidence("probe", text, newest, seen.names(by), supports=False))
    return Fault(
        kind=FaultKind.NODE_UNREACHABLE,
        subject=name,
        since=at or seen.now,
        node_id=node,
        nodes=(node,),
        evidence=tuple(evidence),
    )
