"""Recommended hold time h per traffic class, with the reason in plain words.

Chinoy and Fall (CASA), section 8: TCP favours little loss, other traffic may prefer a bounded delay. The
gateways have one h for all packets, so the classes' recommendations can contradict each other. Times in
seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from backstay.core.formatting import byte_size, milliseconds, share
from backstay.core.planning.blocking.hold import MAX_TICKS, TICK_S, expiry_share, hold_for_loss

TrafficClass = Literal["bulk", "request", "datagram"]
TITLES: dict[TrafficClass, str] = {
    "bulk": "bulk TCP",
    "request": "request and reply",
    "datagram": "real-time datagrams",
}


@dataclass(frozen=True, slots=True)
class Needs:
    """What the applications stand."""

    blocking_s: float | None
    """None: not measured."""
    window_bytes: int
    buffer_bytes: int
    base_rtt_s: float
    loss_limit: float
    """Share of lost packets that datagrams and requests tolerate, 0..1."""
    timeout_s: float
    """A request without a reply within this time is repeated."""
    deadline_s: float
    """A datagram later than this is useless."""


@dataclass(frozen=True, slots=True)
class HoldAdvice:
    """Recommended h of one class."""

    traffic: TrafficClass
    is_known: bool
    hold_s: float | None
    """None: unlimited, or unknown."""
    ticks: int | None
    """0: unlimited; None: unknown."""
    loss: float | None
    """Share of packets lost with it."""
    is_met: bool | None
    """Whether the class's limits can be met; None: unknown."""
    reason: str


def recommend(needs: Needs) -> list[HoldAdvice]:
    """One per class; all but bulk TCP depend on the blocking factor."""
    return [_bulk(needs), _request(needs), _datagram(needs)]


def in_ticks(hold_s: float, *, is_least: bool) -> int:
    """Whole ticks of 20 us, at least 1, rounded up if h `is_least`; 0 (unlimited) above the largest h."""
    exact = hold_s / TICK_S
    ticks = max(1, math.ceil(exact - 1e-6) if is_least else math.floor(exact + 1e-6))
    return 0 if ticks > MAX_TICKS else ticks


def _bulk(needs: Needs) -> HoldAdvice:
    reason = (
        "TCP slows down by itself when packets are late, but a lost packet makes it wait for its timer and"
        " start"
        " with one segment. Delay costs less than loss."
    )
    if needs.window_bytes <= needs.buffer_bytes:
        held = (
            f" Its window of {byte_size(needs.window_bytes)} fits into the buffer, which therefore does"
            " not overflow."
        )
        return HoldAdvice("bulk", True, None, 0, 0.0, True, reason + held)
    held = (
        f" Its window of {byte_size(needs.window_bytes)} exceeds the buffer of"
        f" {byte_size(needs.buffer_bytes)}: flow control"
        " then stops the source for everybody. Reduce the window."
    )
    return HoldAdvice("bulk", True, None, 0, None, False, reason + held)


def _request(needs: Needs) -> HoldAdvice:
    budget = needs.timeout_s - needs.base_rtt_s
    if (refused := _refusal("request", needs, budget, "timeout")) is not None:
        return refused
    blocking = needs.blocking_s or 0.0
    wanted = hold_for_loss(blocking, needs.loss_limit)
    if wanted <= budget:
        reason = (
            f"{_ms(wanted)} lose {share(needs.loss_limit)} of the packets; longer is not needed, and the"
            " requester"
            f" repeats only after {_ms(needs.timeout_s)}."
        )
        return _advice("request", blocking, wanted, is_met=True, reason=reason, is_least=True)
    reason = (
        f"A reply after the timeout of {_ms(needs.timeout_s)} is useless: the request is repeated, and the"
        " late"
        f" packet would delay the next. A loss of {share(needs.loss_limit)} would need {_ms(wanted)}:"
        " reduce the"
        " blocking or lengthen the timeout."
    )
    return _advice("request", blocking, budget, is_met=False, reason=reason)


def _datagram(needs: Needs) -> HoldAdvice:
    budget = needs.deadline_s - needs.base_rtt_s / 2
    if (refused := _refusal("datagram", needs, budget, "deadline")) is not None:
        return refused
    blocking = needs.blocking_s or 0.0
    lost = expiry_share(blocking, budget)
    is_met = lost <= needs.loss_limit
    rest = (
        f"within the limit of {share(needs.loss_limit)}."
        if is_met
        else f"above the limit of {share(needs.loss_limit)}: no h meets it, so reduce the blocking."
    )
    reason = (
        f"A datagram later than {_ms(needs.deadline_s)} is useless and would only delay those behind it."
        f" The loss is {share(lost)}, {rest}"
    )
    return _advice("datagram", blocking, budget, is_met=is_met, reason=reason)


def _refusal(traffic: TrafficClass, needs: Needs, budget: float, limit: str) -> HoldAdvice | None:
    """If no h can be computed."""
    if needs.blocking_s is None:
        return HoldAdvice(
            traffic, False, None, None, None, None, "Unknown: the blocking factor was not measured."
        )
    if budget > TICK_S:
        return None
    reason = (
        f"The {limit} is not longer than the delay without blocking ({_ms(needs.base_rtt_s)} per round trip)."
    )
    return HoldAdvice(traffic, False, None, None, None, False, reason)


def _advice(
    traffic: TrafficClass,
    blocking_s: float,
    hold_s: float,
    *,
    is_met: bool,
    reason: str,
    is_least: bool = False,
) -> HoldAdvice:
    ticks = in_ticks(hold_s, is_least=is_least)
    if not ticks:
        most = f" The longest finite h is {_ms(MAX_TICKS * TICK_S)}, so choose unlimited."
        return HoldAdvice(traffic, True, None, 0, 0.0, is_met, reason + most)
    held = ticks * TICK_S
    return HoldAdvice(traffic, True, held, ticks, expiry_share(blocking_s, held), is_met, reason)


def _ms(seconds: float) -> str:
    return milliseconds(seconds * 1000)
