"""Duties carried out over loopback with real programs: both ends, each refusal, cancels, restarts."""

import asyncio
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from uuid import uuid4

import pytest

from backstay_agent.emit import AnyReport, Build
from backstay_agent.host.clock import HostClock
from backstay_agent.host.netlink import Netlink
from backstay_agent.parsers.rtnl import Link
from backstay_agent.probes.throughput.duty import TestsDuty
from backstay_agent.probes.throughput.host import Host
from backstay_agent.probes.throughput.journal import Journal
from backstay_agent.probes.throughput.tools import FOLDERS, Tools
from backstay_wire import (
    Desired,
    PingResult,
    PingSpec,
    RequestAckResult,
    RequestAckSpec,
    Role,
    Spec,
    TcpSpec,
    TestDuty,
    TestReport,
    TestState,
    TransferResult,
    UdpSpec,
)

pytestmark = pytest.mark.anyio
HERE = "127.0.0.1"
ON_THE_WAY = (TestState.ACCEPTED, TestState.RUNNING)
BLOCKS = RequestAckSpec(size=4096, count=50, nodelay=True)
needs_iperf3 = pytest.mark.skipif(
    not any((folder / "iperf3").exists() for folder in FOLDERS), reason="iperf3 is not installed"
)


class NoPorts:
    """A host with loopback alone."""

    def __init__(self) -> None:
        self.links: dict[int, Link] = {}
        self.addresses: dict[int, list[str]] = {}
        self.speeds: dict[int, int] = {}

    async def start(self) -> None:
        """Nothing to read."""


class Side:
    """One agent's tests, and what it reported."""

    def __init__(self, journal: Path | None = None, tools: Tools | None = None) -> None:
        self.said: list[TestReport] = []
        self._boot = uuid4()
        self._news = asyncio.Event()
        self._netlink = Netlink()
        self.host = Host(
            clock=HostClock(),
            emit=self._emit,
            ports=NoPorts(),
            counters=self._netlink,
            offset=lambda: None,
            journal=Journal(journal),
            tools=tools or Tools(),
        )
        self.tests = TestsDuty(self.host)

    def _emit(self, build: Build, *, urgent: bool = False) -> None:
        report: AnyReport = build(self._boot, len(self.said) + 1)
        assert isinstance(report, TestReport)
        assert urgent
        self.said.append(report)
        self._news.set()

    def want(self, *duties: TestDuty) -> None:
        self.tests.take_up(
            Desired(generation=1, site="s", node="n", sources=[], paths=[], tests=list(duties))
        )

    def states(self, assignment: int) -> list[TestState]:
        return [one.state for one in self.said if one.assignment == assignment]

    async def last(self, assignment: int, seconds: float = 20.0) -> TestReport:
        """The last report on a duty, as soon as there is one."""
        async with asyncio.timeout(seconds):
            while all(state in ON_THE_WAY for state in self.states(assignment)):
                await self._told()
        (last,) = (one for one in self.said if one.assignment == assignment and one.state not in ON_THE_WAY)
        return last

    async def running(self, assignment: int) -> None:
        async with asyncio.timeout(20):
            while TestState.RUNNING not in self.states(assignment):
                await self._told()

    async def _told(self) -> None:
        self._news.clear()
        await self._news.wait()

    async def close(self) -> None:
        await self.tests.close()
        self._netlink.close()


MakeSide = Callable[..., Side]


@pytest.fixture
async def make_side() -> AsyncIterator[MakeSide]:
    """Makes agents' tests, and ends them."""
    made: list[Side] = []

    def make(journal: Path | None = None, tools: Tools | None = None) -> Side:
        made.append(Side(journal, tools))
        return made[-1]

    yield make
    for one in made:
        await one.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return int(probe.getsockname()[1])


def duty(
    assignment: int, role: Role, spec: Spec, port: int, *, lead_s: float = 0.8, **more: object
) -> TestDuty:
    ends = {"local": HERE} if role is Role.SERVER else {"peer": HERE, "peer_name": "shift7"}
    start_at = time.time_ns() + round(lead_s * 1e9)
    values = {"run": 1, "cell": 1, "start_at": start_at, "limit_s": 20, **ends, **more}
    return TestDuty.model_validate(
        {"assignment": assignment, "role": role, "spec": spec, "port": port, **values}
    )


def pair(spec: Spec, **more: object) -> tuple[TestDuty, TestDuty]:
    port, start = free_port(), time.time_ns() + 800_000_000
    both = {"port": port, "start_at": start, **more}
    return duty(1, Role.SERVER, spec, **both), duty(2, Role.CLIENT, spec, **both)  # type: ignore[arg-type]


async def both_ends(make_side: MakeSide, spec: Spec) -> tuple[TestReport, TestReport]:
    """The server's and the client's last word."""
    one, other = make_side(), make_side()
    server, client = pair(spec)
    one.want(server)
    other.want(client)
    ends = await other.last(2), await one.last(1)
    assert other.states(2) == [TestState.ACCEPTED, TestState.RUNNING, TestState.DONE]
    return ends[1], ends[0]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HERE, port)) == 0


def script(folder: Path, body: str) -> Tools:
    """An iperf3 of our own making: `body` is Python after the question for its release."""
    version = "import sys\nif '--version' in sys.argv:\n    print('iperf 3.12')\n    sys.exit()\n"
    (folder / "iperf3").write_text(f"#!{sys.executable} -IS\n{version}{body}\n")
    (folder / "iperf3").chmod(0o755)
    return Tools([folder])


@needs_iperf3
async def test_a_tcp_cell_is_measured_by_both_ends(make_side: MakeSide) -> None:
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
async def test_datagrams_are_told_by_their_direction_at_both_ends(
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


async def test_a_delayed_acknowledgement_stalls_each_block_until_nagle_is_off(make_side: MakeSide) -> None:
    slow = RequestAckSpec(size=512, header=16, count=12)
    _, stalled = await both_ends(make_side, slow)
    _, quick = await both_ends(make_side, slow.model_copy(update={"nodelay": True}))
    assert isinstance(stalled.result, RequestAckResult)
    assert isinstance(quick.result, RequestAckResult)
    assert stalled.result.stalled >= 10
    assert 35_000 <= (stalled.result.stall_us or 0) <= 100_000
    assert quick.result.rate > 5 * stalled.result.rate
    assert quick.result.stalled <= 2


async def test_a_quick_acknowledgement_removes_the_stall_too(make_side: MakeSide) -> None:
    spec = RequestAckSpec(size=512, header=16, count=20, ack_delay="quick", streams=2)
    server, client = await both_ends(make_side, spec)
    assert isinstance(client.result, RequestAckResult)
    assert isinstance(server.result, RequestAckResult)
    assert client.result.blocks == server.result.blocks == 40
    assert client.result.stalled <= 4
    assert client.result.latency is not None
    assert sum(client.result.latency.histogram.count) == 40


async def test_large_echoes_are_answered_and_timed(make_side: MakeSide) -> None:
    side = make_side()
    side.want(duty(1, Role.CLIENT, PingSpec(size=65_507, rate=100, count=30), 5201))
    last = await side.last(1)
    assert isinstance(last.result, PingResult)
    assert (last.result.sent, last.result.received) == (30, 30)
    assert last.result.latency is not None
    assert last.result.latency.least > 0


@needs_iperf3
@pytest.mark.parametrize("spec", [TcpSpec(duration_s=1), BLOCKS])
async def test_a_client_whom_nobody_listens_to_is_refused(make_side: MakeSide, spec: Spec) -> None:
    side, begun = make_side(), time.monotonic()
    side.want(duty(1, Role.CLIENT, spec, free_port(), late_s=0.5))
    last = await side.last(1)
    assert last.state is TestState.REFUSED
    assert "shift7 (127.0.0.1)" in last.detail
    assert time.monotonic() - begun > 1.0, "it tries again for as long as it may be late"


@needs_iperf3
@pytest.mark.parametrize("spec", [TcpSpec(duration_s=1), BLOCKS])
async def test_a_server_whose_port_another_program_has_is_busy(make_side: MakeSide, spec: Spec) -> None:
    side = make_side()
    with socket.create_server((HERE, 0)) as taken:
        port = int(taken.getsockname()[1])
        side.want(duty(1, Role.SERVER, spec, port))
        last = await side.last(1)
    assert last.state is TestState.PORT_BUSY
    assert str(port) in last.detail


async def test_two_tests_never_have_one_port_and_the_second_waits_for_the_first(make_side: MakeSide) -> None:
    side, port = make_side(), free_port()
    first, second = duty(1, Role.SERVER, BLOCKS, port), duty(2, Role.SERVER, BLOCKS, port, late_s=0.2)
    third = duty(3, Role.SERVER, BLOCKS, port, lead_s=4)
    side.want(first)
    await side.running(1)
    side.want(first, second, third)
    assert (await side.last(2)).state is TestState.PORT_BUSY
    assert side.states(3) == [TestState.ACCEPTED]
    side.want(third)
    assert (await side.last(1)).state is TestState.CANCELLED
    await side.running(3)


@needs_iperf3
async def test_a_test_that_is_no_longer_wanted_ends_within_a_second(make_side: MakeSide) -> None:
    one, other = make_side(), make_side()
    server, client = pair(TcpSpec(duration_s=30), limit_s=40)
    one.want(server)
    other.want(client)
    await other.running(2)
    await asyncio.sleep(1.2)
    asked = time.monotonic()
    other.want()
    one.want()
    mine, far = await other.last(2), await one.last(1)
    assert time.monotonic() - asked < 1.0
    assert mine.state is far.state is TestState.CANCELLED
    assert isinstance(mine.result, TransferResult), "what was measured until then is kept"
    assert not listening(client.port)


async def test_a_server_that_nobody_comes_to_is_ended_at_its_limit(make_side: MakeSide) -> None:
    side = make_side()
    asked = duty(1, Role.SERVER, BLOCKS, free_port(), lead_s=0.2, limit_s=1)
    side.want(asked)
    last = await side.last(1)
    assert last.state is TestState.TIMED_OUT
    assert "did not come" in last.detail
    assert not listening(asked.port)


async def test_a_duty_that_comes_too_late_is_not_begun(make_side: MakeSide) -> None:
    side = make_side()
    side.want(duty(1, Role.CLIENT, BLOCKS, free_port(), lead_s=-3))
    last = await side.last(1)
    assert (last.state, last.started) == (TestState.TIMED_OUT, None)
    assert "3.0 s ago" in last.detail


async def test_a_duty_is_carried_out_once_however_often_it_is_seen(
    make_side: MakeSide, tmp_path: Path
) -> None:
    journal = tmp_path / "tests.json"
    side = make_side(journal)
    asked = duty(1, Role.CLIENT, PingSpec(count=1), 5201, lead_s=0.3)
    side.want(asked)
    assert (await side.last(1)).state is TestState.DONE
    side.want(asked)
    side.want(asked)
    await side.close()
    again = make_side(journal)
    again.want(asked)
    await asyncio.sleep(0.1)
    assert side.states(1).count(TestState.DONE) == 1
    assert again.said == []


async def test_a_test_that_the_agents_end_cut_off_is_told_and_not_run_again(
    make_side: MakeSide, tmp_path: Path
) -> None:
    Journal(tmp_path / "tests.json").begin(1)
    side = make_side(tmp_path / "tests.json")
    side.want(duty(1, Role.CLIENT, PingSpec(count=1), 5201))
    last = await side.last(1)
    assert (last.state, side.states(1)) == (TestState.KILLED, [TestState.KILLED])
    assert "in the middle" in last.detail


async def test_a_clean_stop_of_the_agent_ends_the_test_and_says_so(make_side: MakeSide) -> None:
    side = make_side()
    asked = duty(1, Role.SERVER, BLOCKS, free_port())
    side.want(asked)
    await side.running(1)
    await side.close()
    assert (await side.last(1)).state is TestState.KILLED
    assert not listening(asked.port)


async def test_what_a_clean_stop_finds_not_begun_is_left_to_the_next_agent(
    make_side: MakeSide, tmp_path: Path
) -> None:
    side = make_side(tmp_path / "tests.json")
    asked = duty(1, Role.CLIENT, PingSpec(count=1), 5201, lead_s=6.5)
    side.want(asked)
    await asyncio.sleep(0.1)
    await side.close()
    assert side.states(1) == [TestState.ACCEPTED]
    again = make_side(tmp_path / "tests.json")
    again.want(asked)
    assert (await again.last(1)).state is TestState.DONE


async def test_a_duty_that_goes_in_the_moment_it_came_is_cancelled(make_side: MakeSide) -> None:
    side = make_side()
    side.want(duty(1, Role.CLIENT, PingSpec(count=1), 5201))
    side.want()
    assert (await side.last(1)).state is TestState.CANCELLED


async def test_a_program_that_somebody_ends_is_killed(make_side: MakeSide, tmp_path: Path) -> None:
    tools = script(tmp_path, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    side = make_side(tools=tools)
    side.want(duty(1, Role.CLIENT, TcpSpec(duration_s=1), 5201, lead_s=0.3))
    last = await side.last(1)
    assert (last.state, "signal 9" in last.detail) == (TestState.KILLED, True)


@pytest.mark.parametrize(
    ("body", "state"),
    [
        ('print(\'{"start": {"connected": [\')', TestState.TRUNCATED),
        ("pass", TestState.FAILED),
        ("sys.exit('iperf3: parameter error')", TestState.FAILED),
    ],
)
async def test_half_a_result_or_none_is_a_state(
    make_side: MakeSide, tmp_path: Path, body: str, state: TestState
) -> None:
    side = make_side(tools=script(tmp_path, body))
    side.want(duty(1, Role.CLIENT, TcpSpec(duration_s=1), 5201, lead_s=0.3))
    assert (await side.last(1)).state is state


async def test_a_host_without_iperf3_says_so_at_once(make_side: MakeSide, tmp_path: Path) -> None:
    side = make_side(tools=Tools([tmp_path]))
    side.want(duty(1, Role.CLIENT, TcpSpec(duration_s=1), 5201, lead_s=60))
    assert (await side.last(1, 2.0)).state is TestState.MISSING_TOOL


async def test_an_observer_tells_the_host_over_the_same_time(make_side: MakeSide) -> None:
    side = make_side()
    asked = duty(1, Role.OBSERVER, TcpSpec(duration_s=1), 5201, lead_s=0.3)
    side.want(asked)
    last = await side.last(1)
    assert last.state is TestState.DONE
    assert last.host is not None
    assert (last.late_us or 0) >= 0
    assert last.started is not None
    assert last.ended is not None
    assert 0.9e9 < last.ended - last.started < 3e9


async def test_an_observer_of_an_amount_is_through_when_its_duty_goes(make_side: MakeSide) -> None:
    side = make_side()
    side.want(duty(1, Role.OBSERVER, TcpSpec(amount=10**9), 5201, lead_s=0.2))
    await side.running(1)
    side.want()
    last = await side.last(1)
    assert last.state is TestState.DONE
    assert last.host is not None


@needs_iperf3
async def test_ten_agents_begin_within_twenty_milliseconds(make_side: MakeSide) -> None:
    spreads = []
    for cell in range(3):
        start = time.time_ns() + 3_000_000_000
        sides = [make_side() for _ in range(10)]
        for number, side in enumerate(sides, 1):
            spec, assignment = TcpSpec(duration_s=1), 100 * cell + number
            side.want(duty(assignment, Role.CLIENT, spec, 5201, start_at=start, late_s=0))
        ends = [await side.last(100 * cell + number) for number, side in enumerate(sides, 1)]
        begun = [one.started or 0 for one in ends]
        assert all(one.state is TestState.REFUSED for one in ends), "nobody listens: only the start counts"
        assert all((one.late_us or -1) >= 0 for one in ends), "none begins before its time"
        spreads.append((max(begun) - min(begun)) / 1e6)
        if spreads[-1] < 20:
            return
    pytest.fail(f"ms between the first and the last: {spreads}")
