"""Simulated runs by mechanism: the verdict names the limit and is never confidently wrong."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.diagnosis.throughput.run import RunVerdict, judge_run
from backstay.core.model.throughput import Parameters, VerdictName
from backstay.core.model.throughput_kinds import Kind
from backstay.core.tests.throughput.measured_runs import Limit, Seen, World, matrix, run

KB = 1024
STREAMS = (1, 2, 4, 8)
BUFFERS = (16 * KB, 32 * KB, 64 * KB, 128 * KB)
MEANT: dict[Limit, set[VerdictName]] = {
    "medium": {"medium_limited"},
    "hop": {"narrow_hop", "medium_limited"},
    "window": {"window_limited"},
    "socket": {"sender_buffer", "window_limited"},
    "stall": {"delayed_ack"},
    "write": {"sender_buffer"},
    "packets": {"packet_rate"},
    "loss": {"loss_limited"},
    "sender": {"cpu_endpoint"},
    "receiver": {"cpu_endpoint"},
    "gateway": {"cpu_gateway"},
}
"""Limit -> correct verdicts."""
NEVER_WRONG: set[VerdictName] = {"inconclusive", "unstable", "scaling", "fair_share"}


def judged(world: World, cells: list[Parameters], seen: Seen | None = None, seed: int = 1) -> RunVerdict:
    """A run in the simulated world."""
    made, medium = run(world, cells, seen, seed)
    return judge_run(made, medium)


CASES: dict[str, tuple[World, list[Parameters], Seen, VerdictName]] = {
    "window, round trip known": (World(), matrix(windows=[65536], streams=[1, 2]), Seen(), "window_limited"),
    "window, one cell": (World(), matrix(windows=[65536]), Seen(), "window_limited"),
    "window, told by buffers and streams only": (
        World(rtt=3e-3),
        matrix(windows=[65536], streams=[1, 2, 3], buffers=BUFFERS),
        Seen(idle_rtt=False, rtt=False),
        "window_limited",
    ),
    "window, told by windows only": (
        World(rtt=5e-3),
        matrix(windows=[16 * KB, 32 * KB, 64 * KB]),
        Seen(idle_rtt=False, rtt=False, cpu=False),
        "window_limited",
    ),
    "medium, one stream": (World(), matrix(windows=[4 << 20]), Seen(), "medium_limited"),
    "medium, with congestion losses": (World(queue=0.3), matrix(streams=STREAMS), Seen(), "medium_limited"),
    "medium not known, but level over streams and buffers": (
        World(medium=1e8),
        matrix(streams=STREAMS, buffers=BUFFERS),
        Seen(medium=False),
        "medium_limited",
    ),
    "known narrow hop": (World(hop=2e8), matrix(streams=STREAMS), Seen(), "narrow_hop"),
    "hidden narrow hop": (World(hop=2e8), matrix(streams=STREAMS), Seen(hop=False), "narrow_hop"),
    "stall of 40 ms": (World(stall=0.04), matrix("request_ack", STREAMS, BUFFERS), Seen(), "delayed_ack"),
    "stall of 200 ms": (World(stall=0.2), matrix("request_ack", STREAMS, BUFFERS), Seen(), "delayed_ack"),
    "stall of 500 ms": (World(stall=0.5), matrix("request_ack", STREAMS, BUFFERS), Seen(), "delayed_ack"),
    "stall seen in one cell": (
        World(stall=0.04),
        matrix("request_ack", buffers=[8 * KB]),
        Seen(stalls=True),
        "delayed_ack",
    ),
    "one write a round trip": (
        World(rtt=0.02),
        matrix("request_ack", STREAMS[:2], BUFFERS, no_delay=True),
        Seen(stalls=True),
        "sender_buffer",
    ),
    "cost of each write": (
        World(write_cost=4e-3, medium=1e8),
        matrix(buffers=[4 * KB, 8 * KB, 16 * KB, 32 * KB], streams=[1, 2]),
        Seen(),
        "sender_buffer",
    ),
    "sender's socket buffer": (
        World(rtt=0.01),
        matrix(windows=[8 << 20], send_buffer=128 * KB),
        Seen(),
        "sender_buffer",
    ),
    "packets, limit known": (
        World(packets=20_000),
        matrix(streams=STREAMS),
        Seen(packet_limit=True),
        "packet_rate",
    ),
    "packets, by sizes": (
        World(packets=20_000),
        matrix("udp", buffers=[None], sizes=[64, 256, 512, 1024, 1400]),
        Seen(),
        "packet_rate",
    ),
    "receiver's processor": (
        World(demand={"receiver": 2e8}),
        matrix(streams=STREAMS),
        Seen(),
        "cpu_endpoint",
    ),
    "sender's processor": (World(demand={"sender": 2e8}), matrix(), Seen(), "cpu_endpoint"),
    "gateway's processor": (
        World(demand={"gateway": 2e8}),
        matrix(streams=STREAMS),
        Seen(),
        "cpu_gateway",
    ),
    "loss at random": (World(loss=1e-3, rtt=0.02), matrix(streams=STREAMS), Seen(), "loss_limited"),
    "loss at random, one cell": (World(loss=1e-3, rtt=0.02), matrix(), Seen(), "loss_limited"),
    "a limit that all share, nobody knows which": (
        World(hop=2e8),
        matrix(streams=STREAMS),
        Seen(hop=False, cpu=False, retransmits=False),
        "fair_share",
    ),
    "nothing told": (
        World(hop=2e8),
        matrix(),
        Seen(hop=False, cpu=False, retransmits=False, rtt=False, idle_rtt=False),
        "inconclusive",
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("seed", range(4))
def test_limiting_mechanism_is_named(case: str, seed: int) -> None:
    world, cells, seen, expected = CASES[case]
    verdict = judged(world, cells, seen, seed).verdict
    assert verdict.name == expected, verdict.sentence


def test_full_processor_names_its_node() -> None:
    for node in ("sender", "receiver", "gateway"):
        verdict = judged(World(demand={node: 2e8}), matrix(streams=STREAMS)).verdict
        assert verdict.suspect == f"{node}-node"
        assert verdict.numbers["ceiling"] == pytest.approx(2e8, rel=0.15)


@given(
    window=st.sampled_from([16 * KB, 64 * KB, 256 * KB]),
    rtt=st.floats(1e-3, 0.1),
    medium=st.sampled_from([1e9, 1e10]),
    seed=st.integers(0, 999),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_window_verdict_has_round_trip_and_needed_window(
    window: int, rtt: float, medium: float, seed: int
) -> None:
    world = World(medium=medium, rtt=rtt)
    cells = matrix(windows=[window], streams=[1, 2], buffers=BUFFERS[:3])
    if any(world.binding(cell) != {"window"} for cell in cells):
        return
    verdict = judged(world, cells, Seen(idle_rtt=False, rtt=False), seed).verdict
    assert verdict.name == "window_limited"
    assert verdict.numbers["rtt"] == pytest.approx(rtt, rel=0.12)
    assert verdict.numbers["window_needed"] == pytest.approx(medium * rtt / 8, rel=0.12)


@given(
    period=st.sampled_from([0.04, 0.2, 0.5]),
    rtt=st.floats(1e-4, 0.01),
    smallest=st.sampled_from([1 * KB, 4 * KB, 16 * KB]),
    seed=st.integers(0, 999),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_stall_verdict_has_its_period(period: float, rtt: float, smallest: int, seed: int) -> None:
    world = World(stall=period, rtt=rtt)
    cells = matrix("request_ack", (1, 2), [smallest, 2 * smallest, 4 * smallest])
    verdict = judged(world, cells, Seen(noise=0.01), seed).verdict
    assert verdict.name == "delayed_ack"
    assert verdict.numbers["wait"] == period
    assert verdict.numbers["writes_per_second"] == pytest.approx(1 / period, rel=0.1)


def test_round_trip_equal_to_a_timer_is_not_a_stall() -> None:
    world = World(rtt=0.2)
    verdict = judged(world, matrix("request_ack", (1, 2), BUFFERS)).verdict
    assert verdict.name == "sender_buffer"
    blind = judged(world, matrix("request_ack", (1, 2), BUFFERS), Seen(idle_rtt=False, rtt=False)).verdict
    assert blind.name != "delayed_ack" or blind.confidence != "high"


def test_window_filled_by_a_queue_is_not_the_cause() -> None:
    world = World(hop=1e8, rtt=2e-3, queue=20)
    verdict = judged(world, matrix(windows=[256 * KB], streams=STREAMS), Seen(hop=False)).verdict
    assert verdict.name != "window_limited"


def _world(chance: random.Random) -> World:
    """One to three limits of any strength, near each other or not."""
    medium = chance.choice([1e8, 1e9, 1e10])

    def some(share: float) -> bool:
        return chance.random() < share

    def below() -> float:
        return medium * 10 ** chance.uniform(-1.5, 0.3)

    return World(
        medium=medium,
        rtt=10 ** chance.uniform(-3.7, -1.0),
        mss=chance.choice([1448, 8948]),
        hop=below() if some(0.25) else None,
        packets=below() / 8 / 1448 if some(0.25) else None,
        loss=10 ** chance.uniform(-5, -1.7) if some(0.25) else 0.0,
        stall=chance.choice([0.04, 0.2, 0.5]) if some(0.3) else None,
        write_cost=10 ** chance.uniform(-4.5, -2) if some(0.2) else 0.0,
        demand={name: below() for name in ("sender", "receiver", "gateway") if some(0.15)},
        queue=10 ** chance.uniform(-1, 0.7),
    )


def _asked(chance: random.Random) -> list[Parameters]:
    kinds: list[Kind] = ["tcp", "tcp", "tcp", "request_ack", "udp"]
    kind = chance.choice(kinds)
    streams = chance.choice([(1,), (1, 2), (1, 2, 4), (1, 2, 4, 8)])
    if kind == "udp":
        sizes = chance.choice([[512], [64, 512], [64, 256, 512, 1024, 1400]])
        return matrix("udp", streams, [None], sizes=sizes)
    buffers = chance.choice([[64 * KB], [16 * KB, 64 * KB], list(BUFFERS)])
    tried: list[list[int | None]] = [[None], [64 * KB], [64 * KB, 256 * KB, 1024 * KB]]
    windows = chance.choice(tried)
    return matrix(kind, streams, buffers, windows=windows)


def _seen(chance: random.Random) -> Seen:
    names = ("medium", "hop", "idle_rtt", "rtt", "cpu", "retransmits", "seconds", "packet_limit", "stalls")
    reported = {name: chance.random() < 0.7 for name in names}
    return replace(Seen(noise=chance.choice([0.005, 0.02, 0.05])), **reported)


@given(st.integers(0, 10**9))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_no_mixture_is_confidently_wrong(seed: int) -> None:
    chance = random.Random(seed)
    world, cells, seen = _world(chance), _asked(chance), _seen(chance)
    for one in judged(world, cells, seen, seed).cells:
        if one.verdict.confidence != "high" or one.verdict.name in NEVER_WRONG:
            continue
        right = set().union(*(MEANT[limit] for limit in world.binding(one.cell.parameters)))
        assert one.verdict.name in right, (one.verdict.sentence, world, one.cell.parameters)


def test_nine_in_ten_clear_cells_are_right() -> None:
    """Clear: one limit binds and the next is at least twice as far away."""
    right = wrong = silent = 0
    for seed in range(120):
        chance = random.Random(seed)
        world, cells = _world(chance), _asked(chance)
        for one in judged(world, cells, Seen(packet_limit=True, stalls=True), seed).cells:
            limits = sorted(world.limits(one.cell.parameters).values())
            if len(limits) > 1 and limits[1] < 2 * limits[0]:
                continue
            (held,) = world.binding(one.cell.parameters)
            if one.verdict.name in MEANT[held]:
                right += 1
            elif one.verdict.name in NEVER_WRONG:
                silent += 1
            else:
                wrong += 1
    assert right / (right + wrong + silent) >= 0.9, (right, wrong, silent)
    assert wrong / (right + wrong) <= 0.03, (right, wrong, silent)
