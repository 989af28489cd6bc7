"""Assignments over loopback with real programs: measurements of both ends, and start times."""

import time
from collections.abc import Callable

import pytest

from backstay_agent.host.throughput.child import Ended
from backstay_agent.host.throughput.echoes import NOT_ALLOWED
from backstay_agent.probes.throughput.idle_round_trip import least
from backstay_agent.probes.throughput.tools import FOLDERS
from backstay_testing.throughput_agent import Side, assignment, free_port, pair
from backstay_wire import (
    PingResult,
    PingSpec,
    RequestAckResult,
    RequestAckSpec,
    Role,
    Spec,
    TcpSpec,
    TestReport,
    TestState,
    TransferResult,
    UdpSpec,
)

pytestmark = pytest.mark.anyio
MakeSide = Callable[..., Side]
needs_iperf3 = pytest.mark.skipif(
    not any((folder / "iperf3").exists() for folder in FOLDERS), reason="iperf3 is not installed"
)


async def both_ends(make_side: MakeSide, spec: Spec, **more: object) -> tuple[TestReport, TestReport]:
    """The final reports of server and client."""
    one, other = make_side(), make_side()
    server, client = pair(spec, **more)
    one.want(server)
    other.want(client)
    ends = await other.last(2), await one.last(1)
    assert other.states(2) == [TestState.ACCEPTED, TestState.RUNNING, TestState.DONE]
    return ends[1], ends[0]


@needs_iperf3
async def test_tcp_cell_is_measured_by_both_ends(make_side: MakeSide) -> None:
    spec = TcpSpec(streams=2, buffer=65536, window=65536, duration_s=1)
    server, client = await both_ends(make_side, spec)
    assert isinstance(client.result, TransferResult)
    assert isinstance(server.result, TransferResult)
    assert client.result.forward is not None
    assert server.result.forward is not None
    assert client.result.forward.octets == server.result.forward.octets > 0
    assert all(one.round_trip and one.window for one in client.result.forward.streams)
    assert client.result.forward.spans.rtt_us
    assert client.program.startswith("iperf3 3.")
    assert client.route is not None
    assert client.route.mtu in {65535, 65536}
    assert client.host is not None
    assert 0 < client.host.busy <= 100
    assert client.started is not None
    assert client.ended is not None
    assert client.ended - client.started > 900_000_000


@needs_iperf3
@pytest.mark.parametrize("direction", ["forward", "reverse", "both"])
async def test_datagrams_are_assigned_to_their_direction_at_both_ends(
    make_side: MakeSide, direction: str
) -> None:
    spec = UdpSpec.model_validate({"size": 1000, "rate": 4_000_000, "duration_s": 1, "direction": direction})
    server, client = await both_ends(make_side, spec)
    assert isinstance(client.result, TransferResult)
    assert isinstance(server.result, TransferResult)
    for name in ("forward", "reverse"):
        mine, far = getattr(client.result, name), getattr(server.result, name)
        assert (mine is not None) == (far is not None) == (direction in (name, "both"))
        if mine is not None:
            assert mine.packets == pytest.approx(500, abs=20)
            assert far.packets == pytest.approx(mine.packets, abs=20)


async def test_delayed_ack_stalls_each_block_unless_nagle_is_off(make_side: MakeSide) -> None:
    slow = RequestAckSpec(size=512, header=16, count=12)
    _, stalled = await both_ends(make_side, slow)
    _, quick = await both_ends(make_side, slow.model_copy(update={"nodelay": True}))
    assert isinstance(stalled.result, RequestAckResult)
    assert isinstance(quick.result, RequestAckResult)
    assert stalled.result.stalled >= 10
    assert 35_000 <= (stalled.result.stall_us or 0) <= 100_000
    assert quick.result.rate > 5 * stalled.result.rate
    assert quick.result.stalled <= 2


async def test_quickack_removes_the_stall(make_side: MakeSide) -> None:
    spec = RequestAckSpec(size=512, header=16, count=20, ack_delay="quick", streams=2)
    server, client = await both_ends(make_side, spec)
    assert isinstance(client.result, RequestAckResult)
    assert isinstance(server.result, RequestAckResult)
    assert client.result.blocks == server.result.blocks == 40
    assert client.result.stalled <= 4
    assert client.result.latency is not None
    assert sum(client.result.latency.histogram.count) == 40


async def test_large_echoes_are_answered_with_round_trips(make_side: MakeSide) -> None:
    side = make_side()
    side.want(assignment(1, Role.CLIENT, PingSpec(size=65_507, rate=100, count=30), 5201))
    last = await side.last(1)
    assert isinstance(last.result, PingResult)
    assert (last.result.sent, last.result.received) == (30, 30)
    assert last.result.latency is not None
    assert last.result.latency.least > 0


async def test_observer_reports_its_host_for_the_same_period(make_side: MakeSide) -> None:
    side = make_side()
    asked = assignment(1, Role.OBSERVER, TcpSpec(duration_s=1), 5201, lead_s=0.3)
    side.want(asked)
    last = await side.last(1)
    assert last.state is TestState.DONE
    assert last.host is not None
    assert (last.late_us or 0) >= 0
    assert last.started is not None
    assert last.ended is not None
    assert 0.9e9 < last.ended - last.started < 15e9, "one second, on a busy machine"


async def test_observer_of_an_amount_is_done_when_its_assignment_ends(make_side: MakeSide) -> None:
    side = make_side()
    side.want(assignment(1, Role.OBSERVER, TcpSpec(amount=10**9), 5201, lead_s=0.2))
    await side.running(1)
    side.want()
    last = await side.last(1)
    assert last.state is TestState.DONE
    assert last.host is not None


@needs_iperf3
async def test_ten_agents_start_within_20_ms(make_side: MakeSide) -> None:
    spreads = []
    for cell in range(3):
        start = time.time_ns() + 3_000_000_000
        sides = [make_side() for _ in range(10)]
        for number, side in enumerate(sides, 1):
            spec, key = TcpSpec(duration_s=1), 100 * cell + number
            side.want(assignment(key, Role.CLIENT, spec, 5201, start_at=start, late_s=0))
        ends = [await side.last(100 * cell + number) for number, side in enumerate(sides, 1)]
        begun = [one.started or 0 for one in ends]
        assert all(one.state is TestState.REFUSED for one in ends), "nobody listens: only the start counts"
        assert all((one.late_us or -1) >= 0 for one in ends), "none begins before its time"
        spreads.append((max(begun) - min(begun)) / 1e6)
        if spreads[-1] < 20:
            return
    pytest.fail(f"ms between the first and the last: {spreads}")


async def test_client_reports_the_idle_round_trip_without_starting_later(make_side: MakeSide) -> None:
    start_at = time.time_ns() + 4_000_000_000
    server, client = await both_ends(make_side, RequestAckSpec(size=512, count=5), start_at=start_at)
    assert client.idle_us is not None
    assert 0 < client.idle_us < 50_000
    assert server.idle_us is None
    assert client.late_us is not None
    assert client.late_us < 500_000


@pytest.mark.parametrize(
    ("status", "out"),
    [
        (NOT_ALLOWED, ""),
        (-9, ""),
        (0, "not whole"),
        (0, '{"kind": "ping", "sent": 8, "received": 0, "latency": null}'),
    ],
)
def test_refused_aborted_or_unanswered_echoes_give_no_round_trip(status: int, out: str) -> None:
    assert least(Ended(status, out, "", None)) is None


async def test_no_idle_echo_without_time_before_the_start(make_side: MakeSide) -> None:
    side = make_side()
    side.want(assignment(1, Role.CLIENT, RequestAckSpec(size=64, count=1), free_port(), lead_s=0.1))
    last = await side.last(1)
    assert last.idle_us is None
