"""Delay and loss of one flow toward a busy destination at a point and as curves over the blocking factor.

The state says whether a mean exists: an unstable queue has none, only the time until the buffer is full, and
an input that was not measured leaves the result unknown. Times are in seconds, sizes in bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from backstay.core.formatting import count, duration
from backstay.core.planning.blocking import hold, queueing

QueueState = Literal["stable", "unstable", "unknown"]
LEAST_BLOCKING_S, MOST_BLOCKING_S = 1e-3, 1.0
"""Range of the curves: the paper's experiments (section 6)."""
POINTS = 31


@dataclass(frozen=True, slots=True)
class BlockedFlow:
    """Packets toward one destination; None: not measured."""

    rate_pps: float | None
    packet_bytes: int | None
    blocking_s: float | None
    buffer_bytes: int
    whole_bursts: bool = False
    """A packet occupies whole bursts of 1 KiB of the buffer."""

    @property
    def packets(self) -> int | None:
        """Packets that the buffer holds, at least one; None if their size is unknown."""
        if self.packet_bytes is None or self.packet_bytes < 1:
            return None
        held = queueing.buffer_packets(self.buffer_bytes, self.packet_bytes, whole_bursts=self.whole_bursts)
        return max(1, held)


@dataclass(frozen=True, slots=True)
class FlowResult:
    """Mean delay by blocking and share of packets lost; None where there is no value, with the reason."""

    state: QueueState
    wait_s: float | None
    loss: float | None
    fill_s: float | None
    """Time until an empty buffer is full, if unstable and known."""
    reason: str
    is_simulated: bool = False


def evaluate(flow: BlockedFlow, hold_s: float | None) -> FlowResult:
    """One operating point; `hold_s` None: unlimited."""
    missing = _missing(flow)
    if missing or flow.rate_pps is None or flow.blocking_s is None:
        return FlowResult("unknown", None, None, None, missing)
    return _unlimited(flow) if hold_s is None else _finite([flow], hold_s)[0]


def curve(flow: BlockedFlow, blocking_s: Sequence[float], hold_s: float | None) -> list[FlowResult]:
    """The same flow at several blocking factors; all unknown if its rate is."""
    flows = [replace(flow, blocking_s=blocking) for blocking in blocking_s]
    if hold_s is None or any(_missing(item) for item in flows):
        return [evaluate(item, hold_s) for item in flows]
    return _finite(flows, hold_s)


def curve_points() -> list[float]:
    """Blocking factors of a curve, s, evenly spaced on a logarithmic axis."""
    return [round(float(at), 6) for at in np.geomspace(LEAST_BLOCKING_S, MOST_BLOCKING_S, POINTS)]


def _missing(flow: BlockedFlow) -> str:
    """What is not known of the flow, as a sentence; empty: nothing that the delay needs."""
    parts = ["packet rate"] if flow.rate_pps is None else []
    parts += ["blocking factor"] if flow.blocking_s is None else []
    return f"Unknown: the {' and the '.join(parts)} was not measured." if parts else ""


def _unlimited(flow: BlockedFlow) -> FlowResult:
    rate, blocking = flow.rate_pps or 0.0, flow.blocking_s or 0.0
    packets = flow.packets
    lost = None if packets is None else queueing.loss(rate, blocking, packets)
    wait = queueing.mean_wait(rate, blocking)
    if wait is not None:
        unknown = "" if packets is not None else "The loss is unknown: the packet size was not measured."
        return FlowResult("stable", wait, lost, None, unknown)
    fill = None if packets is None else queueing.time_to_fill(rate, blocking, packets)
    reason = (
        f"Unstable: {rate:g} packets per second arrive, and one passes every {blocking * 1000:g} ms."
        f" {_until_full(fill, packets)}"
    )
    return FlowResult("unstable", None, lost, fill, reason)


def _until_full(fill_s: float | None, packets: int | None) -> str:
    if packets is None:
        return "The time until the buffer is full is unknown: the packet size was not measured."
    held = f"The buffer of {count(packets, 'packet')}"
    if fill_s is None:
        return f"{held} fills by chance only: arrivals and departures are equal."
    return f"{held} is full after {duration(fill_s)}."


def _finite(flows: Sequence[BlockedFlow], hold_s: float) -> list[FlowResult]:
    """Flows that differ in the blocking factor only."""
    rate, packets = flows[0].rate_pps or 0.0, flows[0].packets
    blocking = np.array([flow.blocking_s or 0.0 for flow in flows])
    if packets is None and rate * hold_s > 1:
        reason = "Unknown: packets queue within the hold time, and their size was not measured."
        return [FlowResult("unknown", None, None, None, reason)] * len(flows)
    found = hold.evaluate(rate, blocking, hold_s, packets or 1)
    return [
        _growing(flow, hold_s)
        if grows
        else FlowResult("stable", float(wait), float(lost), None, "", is_simulated=found.is_simulated)
        for flow, lost, wait, grows in zip(flows, found.loss, found.wait_s, found.grows, strict=True)
    ]


def _growing(flow: BlockedFlow, hold_s: float) -> FlowResult:
    result = _unlimited(flow)
    return replace(
        result, reason=f"{result.reason} The hold time of {hold_s * 1000:g} ms hardly ever expires before."
    )
