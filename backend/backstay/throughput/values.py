"""Rows as diagnosis values: a cell's requested parameters and the measurements of its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import zip_longest
from statistics import mean
from typing import Any

from pydantic import TypeAdapter

from backstay.core.diagnosis.throughput.available_rate import direction_count
from backstay.core.model.throughput import Cell, Measured, Medium, NodeCpu, Parameters, Role, Stalls
from backstay.core.model.throughput_kinds import KINDS
from backstay.throughput.models import TestAssignment, TestCell

_MEASURED = TypeAdapter(Measured)
_MEDIUM = TypeAdapter(Medium)
_OF_MEDIUM = frozenset(field.name for field in fields(Medium))
_OF_PARAMETERS = frozenset(field.name for field in fields(Parameters))
_WHOLE_S = 0.9
"""Min length of a one-second span for a valid rate."""
Document = dict[str, Any]


def parameters(cell: TestCell) -> Parameters:
    """Requested parameters over all flows."""
    spec, items = cell.spec, KINDS[cell.spec["kind"]].parameters
    named = {item.measures or item.name: spec.get(item.name) for item in items}
    other = [item for item in items if item.varies and (item.measures or item.name) not in _OF_PARAMETERS]
    found = {name: value for name, value in named.items() if name in _OF_PARAMETERS and value is not None}
    streams = found.get("streams", 1) * len(cell.flows)
    if offered := found.get("offered_rate"):
        offered = float(offered * streams * direction_count(found.get("direction", "forward")))
    if "offered_pps" in found:
        found["offered_pps"] = float(found["offered_pps"])
    return Parameters(
        **{
            **found,
            "kind": spec["kind"],
            "streams": streams,
            "offered_rate": offered or None,
            "no_delay": spec.get("nodelay"),
            "other": ", ".join(f"{item.term or item.name} {spec.get(item.name)}" for item in other),
            "quick_ack": {"quick": True, "delayed": False}.get(spec.get("ack_delay", "")),
            "senders": len({one for one, _ in cell.flows}),
            "receivers": len({other for _, other in cell.flows}),
        }
    )


def medium(cell: TestCell) -> Medium:
    """Capacity of the cell's path; for an ended cell with cross traffic."""
    return path(cell.medium)


def path(document: Mapping[str, Any]) -> Medium:
    """`Medium` from a document of `media`."""
    return _MEDIUM.validate_python({name: one for name, one in document.items() if name in _OF_MEDIUM})


def value(cell: TestCell) -> Cell:
    """An ended cell; its key is its index."""
    measured = None if cell.measured is None else _MEASURED.validate_python(cell.measured)
    between = medium(cell) if cell.medium else None
    ends = tuple((one, other) for one, other in cell.flows)
    return Cell(parameters(cell), measured, cell.state, str(cell.index), between, ends)  # type: ignore[arg-type]


def measured(cell: TestCell, assignments: Iterable[TestAssignment]) -> tuple[Measured | None, int]:
    """The clients' measurements summed over flows, with CPU use of every node; and the octets transferred.

    None when no client measured anything.
    """
    rows = list(assignments)
    reported = [(row, one) for row in rows if (one := row.report.get("result"))]
    results = [one for row, one in reported if row.role == "client"]
    servers = {row.flow: one for row, one in reported if row.role == "server"}
    parts = [
        part
        for row, result in reported
        if row.role == "client"
        for part in _READ[result["kind"]](cell, result, servers.get(row.flow))
    ]
    if not parts:
        return None, 0
    return _together(parts, _cpu(cell, rows), results), sum(part["octets"] for part in parts)


def _flows(cell: TestCell, result: Document, server: Document | None) -> list[Document]:
    """Each direction of a TCP or UDP test; per second as counted by the receiver.

    A sender counts what it passes to its kernel: in blocks of 1 MB, several MB ahead.
    """
    found = []
    for direction in ("forward", "reverse"):
        if flow := result.get(direction):
            received = (server or {}).get(direction) if direction == "forward" else flow
            found.append(_flow(flow, received or flow, result))
    return found


def _flow(flow: Document, received: Document, result: Document) -> Document:
    streams, spans, seconds = flow["streams"], flow["spans"], flow["seconds"]
    trips = [one["round_trip"] for one in streams if one["round_trip"]]
    packets, mss = flow["packets"], result["mss"]
    windows = (spans["window"] or [])[1:]
    return {
        "octets": flow["octets"],
        "rate": flow["rate"],
        "streams": [item for one in streams if (item := _first(one["received"], one["sent"])) is not None],
        "seconds": _seconds(received["spans"], received["seconds"]),
        "duration": seconds,
        "retransmits": flow["retransmits"],
        "segments": packets if packets is not None else round(flow["octets"] / mss) if mss else None,
        "lost": flow["lost"],
        "pps": (packets - (flow["lost"] or 0)) / seconds if packets is not None and seconds else None,
        "rtt": mean(one["mean"] for one in trips) / 1e6 if trips else None,
        "rtt_least": min(one["least"] for one in trips) / 1e6 if trips else None,
        "cwnd": max((one["window"] for one in streams if one["window"]), default=None),
        "cwnd_least": min(windows) // max(len(streams), 1) if windows else None,
        "offered": max((one["offered"] for one in streams if one["offered"]), default=None),
        "path_mtu": result["path_mtu"],
    }


def _blocks(cell: TestCell, result: Document, server: Document | None) -> list[Document]:
    """A request/acknowledge test."""
    streams = [
        item for one in result["streams"] if (item := _first(one["received"], one["sent"])) is not None
    ]
    return [
        {
            "octets": result["octets"],
            "rate": result["rate"],
            "streams": streams,
            "seconds": _seconds(result["spans"], result["seconds"]),
            "duration": result["seconds"],
            "blocks": result["blocks"],
            "stalled": result["stalled"],
            "stall": None if result["stall_us"] is None else result["stall_us"] / 1e6,
        }
    ]


def _echoes(cell: TestCell, result: Document, server: Document | None) -> list[Document]:
    """A ping test: the rate of answered echoes."""
    spec, latency = cell.spec, result["latency"]
    seconds = spec["count"] / spec["rate"]
    octets = result["received"] * spec["size"]
    return [
        {
            "octets": octets,
            "rate": 8 * octets / seconds,
            "duration": seconds,
            "segments": result["sent"],
            "lost": result["sent"] - result["received"],
            "pps": result["received"] / seconds,
            "rtt": latency["mean"] / 1e6 if latency else None,
            "rtt_least": latency["least"] / 1e6 if latency else None,
        }
    ]


def _rdma(cell: TestCell, result: Document, server: Document | None) -> list[Document]:
    """An RDMA test; the rate of a latency test is derived from its messages."""
    mean_us = result["mean_us"] or result["typical_us"]
    rate = result["rate"]
    if rate is None:
        rate = 8e6 * result["size"] / (2 * mean_us) if mean_us else 0.0
    least = result["least_us"]
    return [
        {
            "octets": result["iterations"] * result["size"],
            "rate": rate,
            "pps": result["messages"],
            "rtt": 2e-6 * mean_us if mean_us else None,
            "rtt_least": 2e-6 * least if least else None,
        }
    ]


_READ = {"transfer": _flows, "request_ack": _blocks, "ping": _echoes, "rdma": _rdma}


def _together(parts: list[Document], cpu: tuple[NodeCpu, ...], results: list[Document]) -> Measured:
    segments, lost = _sum(parts, "segments"), _sum(parts, "lost")
    return Measured(
        rate=sum(part["rate"] for part in parts),
        per_stream=tuple(item for part in parts for item in part.get("streams", ())),
        seconds=_columns([part.get("seconds", []) for part in parts]),
        duration_s=max((part["duration"] for part in parts if part.get("duration")), default=None),
        retransmits=_sum(parts, "retransmits"),
        segments=segments,
        loss=lost / segments if lost is not None and segments else None,
        pps=_sum(parts, "pps"),
        rtt_s=_of(parts, "rtt", mean),
        rtt_least_s=_of(parts, "rtt_least", min),
        cwnd=_of(parts, "cwnd", max),
        cwnd_least=_of(parts, "cwnd_least", min),
        peer_window=_of(parts, "offered", max),
        path_mtu=_of(parts, "path_mtu", min),
        cpu=cpu,
        stalls=_stalls(parts),
    )


def _stalls(parts: list[Document]) -> Stalls | None:
    blocks = _sum(parts, "blocks")
    if blocks is None:
        return None
    typical = _of(parts, "stall", max)
    return Stalls(_sum(parts, "stalled") or 0, blocks, typical or 0.0)


def _sum(parts: list[Document], name: str) -> Any:
    """None unless every part has a value."""
    found = [part.get(name) for part in parts]
    return None if any(one is None for one in found) else sum(one for one in found if one is not None)


def _of(parts: list[Document], name: str, choose: Any) -> Any:
    found = [one for part in parts if (one := part.get(name)) is not None]
    return choose(found) if found else None


def _first(one: float | None, other: float | None) -> float | None:
    return other if one is None else one


def _seconds(spans: Mapping[str, Any], seconds: float) -> list[float]:
    """Rates of complete seconds."""
    starts, rates = spans["start_ms"], spans["rate"]
    first = starts[0] if starts else 0
    whole = not starts or seconds * 1000 - (starts[-1] - first) >= 1000 * _WHOLE_S
    return list(rates if whole else rates[:-1])


def _columns(found: list[list[float]]) -> tuple[float, ...]:
    """Sum of flows per second; seconds missing in a flow are left out."""
    reported = [one for one in found if one]
    if len(reported) < len(found):
        return ()
    return tuple(sum(row) for row in zip_longest(*reported) if None not in row)


def _cpu(cell: TestCell, assignments: list[TestAssignment]) -> tuple[NodeCpu, ...]:
    """Every node once, from its assignment with the highest load."""
    found: dict[str, NodeCpu] = {}
    for row in assignments:
        host = row.report.get("host")
        if not host:
            continue
        cores = host["cpus"]
        reported = NodeCpu(
            node=row.node.name,
            role=_role(cell, row.role),
            busy=host["busy"] / 100 * cores,
            cores=cores,
            busiest=min(host["busiest"] / 100, 1.0),
            softirq=host["softirq"] / 100 * cores,
        )
        found[reported.node] = max(reported, found.get(reported.node, reported), key=lambda one: one.busy)
    return tuple(found.values())


def _role(cell: TestCell, role: str) -> Role:
    if role == "observer":
        return "gateway"
    sends = (role == "client") != (cell.spec.get("direction") == "reverse")
    return "endpoint_sender" if sends else "endpoint_receiver"
