"""The paper's TCP experiment (section 7.3): goodput unblocked, blocked with h infinite, and with h finite.

Bulk data flow from the C90 to the Y-MP; the Sun blocks the C90's port, which delays the acknowledgements
that return through San Diego's gateway. Without a hold time all of them wait there; with one, most are
dropped, and TCP waits for its retransmission timer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from backstay_lab.hippi.control import ask
from backstay_lab.hippi.transfer import Endpoint, Goodput, Transfer

PAPER = (314.4, 76.8, 10.4)
"""Mb/s in the paper: unblocked, h infinite, h = 10 ms, the last two with a blocking factor of 20 ms."""
SETTLE_S = 0.5
TICKS_PER_MS = 50

SetHold = Callable[[int | None], None]
"""Sets the hold time in ticks over SNMP; None: no limit."""


@dataclass(frozen=True)
class Case:
    """One row: settings, measured result, the paper's result."""

    title: str
    blocking_ms: float
    hold_ms: float | None
    goodput: Goodput
    paper_mbps: float


@dataclass(frozen=True)
class Setup:
    """The hosts and boxes that the experiment uses."""

    socket: Path
    """The fabric's control socket."""
    source: Endpoint
    target: Endpoint
    blocker: str
    set_hold: SetHold


def run(setup: Setup, blocking_ms: float, hold_ms: float, duty: float, seconds: float) -> Iterator[Case]:
    """Run the three cases in sequence, each over its own connection; afterwards reset blocking and hold
    time.
    """
    cases = (
        ("unblocked", 0.0, None, PAPER[0]),
        ("blocked, h infinite", blocking_ms, None, PAPER[1]),
        (f"blocked, h = {hold_ms:g} ms", blocking_ms, hold_ms, PAPER[2]),
    )
    try:
        for title, factor_ms, held_ms, paper in cases:
            with Transfer(setup.source, setup.target) as transfer:
                time.sleep(SETTLE_S)
                setup.set_hold(None if held_ms is None else round(held_ms * TICKS_PER_MS))
                ask(setup.socket, verb="block", host=setup.blocker, factor_ms=factor_ms, duty=duty)
                time.sleep(SETTLE_S)
                yield Case(title, factor_ms, held_ms, transfer.measure(seconds), paper)
            # Open the next connection over an unblocked path.
            ask(setup.socket, verb="block", host=setup.blocker, factor_ms=0, duty=duty)
    finally:
        ask(setup.socket, verb="block", host=setup.blocker, factor_ms=0, duty=duty)
        setup.set_hold(None)


def in_order(cases: list[Case]) -> bool:
    """Whether blocking and the finite hold time each reduce the goodput by at least a factor of 2."""
    unblocked, infinite, held = (case.goodput.mbps for case in cases)
    return unblocked > 2 * infinite > 4 * held


def table(cases: list[Case], duty: float) -> list[str]:
    """The results next to the paper's."""
    lines = [f"{'':24}{'here':>12}{'resent':>9}{'paper':>14}   of unblocked: here, paper"]
    best = cases[0].goodput.mbps
    for case in cases:
        shares = f"{case.goodput.mbps / best:8.1%}, {case.paper_mbps / PAPER[0]:.1%}"
        lines.append(
            f"{case.title:24}{case.goodput.mbps:7.1f} Mb/s{case.goodput.retransmits:9}"
            f"{case.paper_mbps:9.1f} Mb/s   {shares}"
        )
    order = "as in the paper" if in_order(cases) else "NOT as in the paper"
    return [
        *lines,
        f"Order (unblocked >> h infinite >> finite h): {order}.",
        f"The source requests the port {duty:.0%} of the time; the paper does not state its own duty cycle.",
        "Linux acknowledges every second segment, BSD about every third: with one acknowledgement per",
        "blocking time, that alone is 52 against 78 Mb/s at 20 ms. And h = 10 ms depends on the",
        "retransmission timer: 200 ms and more here, 500 ms ticks there, besides SACK and tail loss probes,",
        "which TCP lacked then.",
    ]
