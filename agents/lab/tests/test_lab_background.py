"""The background flows: mean rate, oscillation, and behaviour after a stall."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backstay_lab.background import HEADERS, MAX_STALL_S, SWING, TICK_S, Pacer, offered
from backstay_lab.blueprint import FlowSpec

FLOW = FlowSpec(source="a", target="b", rate=4_000_000, datagram=9152, period_s=60, phase=0.25)


def octets_on_wire(flow: FlowSpec, seconds: float) -> int:
    pacer = Pacer([flow], 0.0)
    ticks = round(seconds / TICK_S)
    sent = sum(len(pacer.due(tick * TICK_S)) for tick in range(1, ticks + 1))
    return sent * (flow.datagram + HEADERS)


def test_mean_rate_over_a_full_period_is_the_configured_rate() -> None:
    assert octets_on_wire(FLOW, 60) * 8 / 60 == pytest.approx(FLOW.rate, rel=0.01)


def test_rate_oscillates_around_its_mean_and_never_stops() -> None:
    rates = [offered(FLOW, second) for second in range(60)]
    assert max(rates) == pytest.approx(FLOW.rate * (1 + SWING), rel=0.01)
    assert min(rates) == pytest.approx(FLOW.rate * (1 - SWING), rel=0.01)


def test_flows_with_different_phases_have_different_momentary_rates() -> None:
    assert offered(replace(FLOW, phase=0.75), 0) < offered(FLOW, 0)


def test_no_burst_follows_a_stall() -> None:
    pacer = Pacer([FLOW], 0.0)
    most = offered(FLOW, 100.0) * MAX_STALL_S / 8 / FLOW.datagram
    assert len(pacer.due(100.0)) <= most + 1
