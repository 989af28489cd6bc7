"""Delay, loss and TCP throughput of a blocked destination: the published values, a simulation, and limits.

Expected values are those of the CASA paper (Chinoy and Fall) as recomputed independently of this code.
"""

from __future__ import annotations

import heapq
import math
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.planning.blocking import evaluation, hold, infiniband, queueing, recommendation, tcp
from backstay.core.planning.blocking.evaluation import BlockedFlow, evaluate
from backstay.core.planning.blocking.recommendation import Needs, recommend

BUFFER = 4 * 2**20
PACKET = 65_536
RATES = st.floats(0.5, 2000)
FACTORS = st.floats(1e-4, 2)


def simulate(
    rate: float, blocking: float, held: float | None, buffer: int, packets: int = 60_000
) -> tuple[float, float]:
    """(loss, mean wait) by events: an arrival list and one server; shares nothing with the model."""
    source = random.Random(17)
    queue: list[float] = []
    events = [(number / rate, 0, number) for number in range(packets)]
    lost = delivered = 0
    waited, head = 0.0, 0

    def start(now: float) -> None:
        nonlocal head
        head += 1
        drawn = source.expovariate(1 / blocking)
        limit = math.inf if held is None else held
        heapq.heappush(events, (now + min(drawn, limit), 2 if drawn > limit else 1, head))

    while events:
        now, kind, number = heapq.heappop(events)
        if kind == 0:
            if len(queue) == buffer:
                lost += 1
                continue
            queue.append(now)
            if len(queue) == 1:
                start(now)
            continue
        if number != head:
            continue
        if kind == 1:
            waited += now - queue.pop(0)
            delivered += 1
        else:
            lost += len(queue)
            queue.clear()
        if queue:
            start(now)
    return lost / packets, waited / max(delivered, 1)


@pytest.mark.parametrize(
    ("rate", "blocking", "ms"),
    [
        (100, 0.001, 1.0), (100, 0.002, 2.01), (100, 0.005, 6.28), (100, 0.008, 21.54),
        (10, 0.02, 20.14), (10, 0.05, 62.75), (10, 0.08, 215.42),
        (1, 0.1, 100.0), (1, 0.2, 201.41), (1, 0.5, 627.5), (1, 0.9, 4660.79),
    ],
)  # fmt: skip
def test_delay_without_a_hold_time(rate: float, blocking: float, ms: float) -> None:
    wait = queueing.mean_wait(rate, blocking)
    assert wait is not None
    assert wait * 1000 == pytest.approx(ms, abs=0.006)


@pytest.mark.parametrize(("rate", "blocking"), [(100, 0.01), (100, 0.02), (10, 0.1), (1, 1.0)])
def test_unstable_from_a_load_of_one(rate: float, blocking: float) -> None:
    assert queueing.mean_wait(rate, blocking) is None


@pytest.mark.parametrize(
    ("blocking", "percent"),
    [
        (0.005, 0.0), (0.008, 0.0), (0.009, 0.0), (0.01, 0.777), (0.011, 9.091), (0.0125, 20.0),
        (0.015, 33.333), (0.02, 50.0), (0.05, 80.0), (0.1, 90.0),
    ],
)  # fmt: skip
def test_loss_of_a_full_buffer(blocking: float, percent: float) -> None:
    packets = queueing.buffer_packets(BUFFER, PACKET, whole_bursts=False)
    assert packets == 64
    assert queueing.loss(100, blocking, packets) * 100 == pytest.approx(percent, abs=0.0006)


@pytest.mark.parametrize(
    ("rate", "blocking", "seconds"), [(100, 0.02, 1.28), (100, 0.05, 0.8), (10, 0.2, 12.8), (10, 1, 7.11)]
)
def test_time_until_the_buffer_is_full(rate: float, blocking: float, seconds: float) -> None:
    assert queueing.time_to_fill(rate, blocking, 64) == pytest.approx(seconds, abs=0.005)
    assert queueing.time_to_fill(rate, 1 / rate, 64) is None


def test_small_packets_fill_the_buffer_by_bytes_or_by_bursts() -> None:
    by_bytes = BlockedFlow(100, 64, 0.02, BUFFER)
    by_bursts = BlockedFlow(100, 64, 0.02, BUFFER, whole_bursts=True)
    assert (by_bytes.packets, by_bursts.packets) == (65_536, 4096)
    assert evaluate(by_bytes, None).fill_s == pytest.approx(1311, abs=1)
    assert evaluate(by_bursts, None).fill_s == pytest.approx(82, abs=0.1)


@pytest.mark.parametrize(
    ("blocking", "percent", "ms"),
    [
        (0.001, 0.0, 1.0), (0.002, 0.67, 1.932), (0.005, 13.53, 3.435), (0.008, 28.65, 3.984),
        (0.01, 36.79, 4.18), (0.02, 60.65, 4.585), (0.05, 81.87, 4.833), (0.1, 90.48, 4.917),
        (1, 99.0, 4.992),
    ],
)  # fmt: skip
def test_finite_hold_time(blocking: float, percent: float, ms: float) -> None:
    result = evaluate(BlockedFlow(100, PACKET, blocking, BUFFER), 0.010)
    assert result.state == "stable"
    assert not result.is_simulated
    assert result.loss is not None
    assert result.wait_s is not None
    assert result.loss * 100 == pytest.approx(percent, abs=0.006)
    assert result.wait_s * 1000 == pytest.approx(ms, abs=0.0006)


@pytest.mark.parametrize("blocking", [0.004, 0.007, 0.0085])
def test_delay_agrees_with_a_simulation(blocking: float) -> None:
    _, wait = simulate(100, blocking, None, 100_000, packets=200_000)
    assert queueing.mean_wait(100, blocking) == pytest.approx(wait, rel=0.06)


@pytest.mark.parametrize(("blocking", "buffer"), [(0.008, 3), (0.01, 8), (0.01, 1), (0.013, 64)])
def test_loss_agrees_with_a_simulation(blocking: float, buffer: int) -> None:
    lost, _ = simulate(100, blocking, None, buffer, packets=150_000)
    assert queueing.loss(100, blocking, buffer) == pytest.approx(lost, rel=0.05, abs=0.002)


@pytest.mark.parametrize(
    ("rate", "blocking", "held"),
    [(99, 0.02, 0.01), (10, 0.03, 0.05), (1000, 0.02, 0.01), (200, 0.004, 0.02), (1000, 0.005, 0.02)],
)
def test_finite_hold_time_agrees_with_a_simulation(rate: float, blocking: float, held: float) -> None:
    lost, wait = simulate(rate, blocking, held, 64)
    result = hold.evaluate(rate, np.array([blocking]), held, 64)
    assert result.is_simulated == (rate * held > 1)
    assert result.loss[0] == pytest.approx(lost, abs=0.01)
    assert result.wait_s[0] == pytest.approx(wait, rel=0.1)


@given(rate=RATES, blocking=FACTORS)
def test_delay_grows_with_blocking_and_is_never_shorter(rate: float, blocking: float) -> None:
    wait, more = queueing.mean_wait(rate, blocking), queueing.mean_wait(rate, blocking * 1.05)
    if wait is None:
        assert more is None
        return
    assert wait >= blocking
    assert more is None or more > wait


@given(rate=RATES, blocking=FACTORS, buffer=st.integers(1, 100_000))
def test_loss_is_bounded_and_shrinks_with_the_buffer(rate: float, blocking: float, buffer: int) -> None:
    lost, with_more = queueing.loss(rate, blocking, buffer), queueing.loss(rate, blocking, buffer + 1)
    least = max(0.0, 1 - 1 / (rate * blocking))
    assert least - 1e-9 <= lost <= 1
    assert with_more <= lost + 1e-9
    # One packet: it is lost if the one before still waits after an interval.
    assert queueing.loss(rate, blocking, 1) == pytest.approx(math.exp(-1 / (rate * blocking)), abs=1e-9)


def test_large_buffers_continue_small_ones() -> None:
    """On both sides of the length from which the sum is extrapolated, and against a term-by-term sum."""
    for blocking in (0.0098, 0.00999, 0.01, 0.010001, 0.0102):
        losses = [queueing.loss(100, blocking, packets) for packets in (398, 399, 400, 401, 402, 403)]
        steps = [one / other for one, other in pairwise(losses)]
        assert max(steps) / min(steps) == pytest.approx(1, abs=1e-4)
    exact = 1 / float(np.sum(queueing._relative(1.0, 3000)))
    assert queueing.loss(100, 0.01, 3000) == pytest.approx(exact, rel=1e-6)


@given(blocking=FACTORS, held=st.floats(1e-3, 1))
def test_a_longer_hold_time_trades_loss_for_delay(blocking: float, held: float) -> None:
    assert hold.expiry_share(blocking, held * 1.1) <= hold.expiry_share(blocking, held)
    wait = hold.delivered_wait(blocking, held)
    assert hold.delivered_wait(blocking, held * 1.1) >= wait - 1e-12
    assert wait <= min(blocking, held / 2) + 1e-12


def test_an_unknown_input_gives_no_number() -> None:
    for flow in (BlockedFlow(None, PACKET, 0.02, BUFFER), BlockedFlow(100, PACKET, None, BUFFER)):
        for held in (None, 0.01):
            result = evaluate(flow, held)
            assert (result.state, result.wait_s, result.loss, result.fill_s) == ("unknown", None, None, None)
            assert "not measured" in result.reason
    unsized = evaluate(BlockedFlow(10, None, 0.02, BUFFER), None)
    assert (unsized.state, unsized.loss) == ("stable", None)
    assert evaluate(BlockedFlow(1000, None, 0.02, BUFFER), 0.01).state == "unknown"


def test_an_unstable_queue_has_no_delay_but_a_time() -> None:
    result = evaluate(BlockedFlow(100, PACKET, 0.02, BUFFER), None)
    assert (result.state, result.wait_s, result.fill_s) == ("unstable", None, 1.28)
    assert result.loss == pytest.approx(0.5)
    assert result.reason.startswith("Unstable: 100 packets per second arrive, and one passes every 20 ms.")
    # At most one in e^50 blocking times exceeds such a hold time: the queue grows as without it.
    rare = evaluate(BlockedFlow(100, 64, 0.02, BUFFER), 1.0)
    assert (rare.state, rare.wait_s) == ("unstable", None)
    assert "hardly ever expires" in rare.reason
    critical = evaluate(BlockedFlow(100, PACKET, 0.01, BUFFER), None)
    assert (critical.state, critical.fill_s) == ("unstable", None)


def test_curves_equal_their_points() -> None:
    points = evaluation.curve_points()
    assert (points[0], points[-1], len(points)) == (0.001, 1.0, evaluation.POINTS)
    flow = BlockedFlow(100, PACKET, None, BUFFER)
    for held in (None, 0.01):
        results = evaluation.curve(flow, points, held)
        assert results[10] == evaluate(BlockedFlow(100, PACKET, points[10], BUFFER), held)


def bulk(segments_per_ack: int, duty: float = 1.0) -> tcp.Connection:
    return tcp.Connection(314.4e6, 400 * 1024, segments_per_ack, 0.006, duty)


@pytest.mark.parametrize(("segments", "mbps"), [(1, 26.1), (2, 52.2), (3, 78.3), (4, 104.4)])
def test_one_acknowledgement_per_blocking_time(segments: int, mbps: float) -> None:
    result = tcp.throughput(bulk(segments), "acks", 0.02, None)
    assert result.bps / 1e6 == pytest.approx(mbps, abs=0.05)
    assert result.reproduces_paper


# (segments per acknowledgement, duty) -> Mb/s of an event simulation of the sender: h unlimited, h = 10 ms.
SIMULATED = {
    (2, 0.25): (129.4, 9.19), (2, 0.5): (84.5, 2.36), (2, 1.0): (49.7, 0.09),
    (3, 0.25): (142.3, 10.35), (3, 0.5): (102.8, 2.40), (3, 0.8): (78.3, 0.37), (3, 1.0): (65.6, 0.09),
}  # fmt: skip


@pytest.mark.parametrize("case", SIMULATED)
def test_tcp_is_near_the_event_simulation(case: tuple[int, float]) -> None:
    connection, (unlimited, finite) = bulk(*case), SIMULATED[case]
    assert tcp.throughput(connection, "acks", 0.02, None).bps / 1e6 == pytest.approx(unlimited, rel=0.27)
    assert tcp.throughput(connection, "acks", 0.02, 0.01).bps / 1e6 == pytest.approx(finite, rel=0.45)


def test_tcp_with_a_finite_hold_time_is_marked() -> None:
    result = tcp.throughput(bulk(3), "acks", 0.02, 0.01)
    assert result.reproduces_paper is False
    assert "10.4 Mb/s" in result.note
    assert result.bps < 1e6  # The paper measured 10.4 Mb/s.
    assert tcp.throughput(bulk(3), "segments", 0.02, None).reproduces_paper is None


@given(blocking=FACTORS, held=st.floats(1e-3, 1), blocked=st.sampled_from(["acks", "segments"]))
def test_blocking_never_speeds_tcp_up(blocking: float, held: float, blocked: tcp.Blocked) -> None:
    connection = bulk(2)
    for limit in (None, held):
        rates = [tcp.throughput(connection, blocked, at, limit).bps for at in (0.0, blocking, blocking * 2)]
        assert rates[0] == pytest.approx(314.4e6)
        assert rates[0] >= rates[1] >= rates[2] > 0
    assert tcp.throughput(connection, blocked, blocking, held).bps <= rates[0]


def needs(blocking: float | None = 0.02, **more: float) -> Needs:
    given = {"timeout_s": 0.5, "deadline_s": 0.05, "loss_limit": 0.01, "base_rtt_s": 0.006, **more}
    return Needs(blocking_s=blocking, window_bytes=400 * 1024, buffer_bytes=BUFFER, **given)


def test_recommended_hold_times() -> None:
    bulk_tcp, request, datagram = recommend(needs())
    assert (bulk_tcp.ticks, bulk_tcp.hold_s, bulk_tcp.is_met) == (0, None, True)
    assert request.hold_s == pytest.approx(0.02 * math.log(100), abs=20e-6)
    assert request.loss is not None
    assert request.loss <= 0.01
    assert datagram.hold_s == pytest.approx(0.047)
    assert (datagram.is_met, datagram.ticks) == (False, 2350)
    assert "no h meets it" in datagram.reason


def test_recommendations_at_the_limits() -> None:
    request = recommend(needs(timeout_s=0.05))[1]
    assert request.hold_s == pytest.approx(0.044)
    assert request.is_met is False
    assert recommend(needs(0.005))[2].is_met
    for advice in recommend(needs(None))[1:]:
        assert (advice.is_known, advice.hold_s, advice.ticks, advice.is_met) == (False, None, None, None)
    late = recommend(needs(base_rtt_s=1.0))
    assert [(item.is_known, item.is_met) for item in late[1:]] == [(False, False), (False, False)]
    (longest,) = recommend(needs(1.0, timeout_s=30))[1:2]
    assert (longest.ticks, longest.hold_s) == (0, None)
    assert "longest finite h is 655 ms" in longest.reason
    small = Needs(0.02, 2 * BUFFER, BUFFER, 0.006, 0.01, 0.5, 0.05)
    assert not recommend(small)[0].is_met
    assert recommendation.in_ticks(1e-9, is_least=False) == 1


def test_head_of_queue_lifetimes() -> None:
    table = infiniband.lifetimes(0.02)
    assert [item.code for item in table] == list(range(21))
    assert table[0].seconds == 4.096e-6
    assert table[18].seconds == pytest.approx(1.0737, abs=1e-4)
    assert (table[20].seconds, table[20].loss) == (None, 0.0)
    assert all(
        one.loss >= other.loss for one, other in pairwise(table) if one.loss and other.loss is not None
    )
    assert {item.loss for item in infiniband.lifetimes(None)} == {None}
    assert infiniband.code_for(0.010) == 12
    assert infiniband.code_for(4.096e-6 * 2**12) == 12
    assert (infiniband.code_for(None), infiniband.code_for(60)) == (20, 20)
    with pytest.raises(ValueError, match="five bits"):
        infiniband.lifetime_s(32)


def test_transmit_wait_needs_the_length_of_a_tick() -> None:
    assert infiniband.wait_share(1e6, 10, None) is None
    assert infiniband.wait_share(1e6, 10, 1e-6) == pytest.approx(0.1)
    assert infiniband.wait_share(1e9, 10, 1e-6) == 1.0
