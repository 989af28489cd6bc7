"""The checker and moves over a simulated network and an engine that can fail, in simulated time."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from pathlib import Path
from uuid import uuid4

import pytest

from backstay_agent.failover.routes import Put, RouteTable
from backstay_agent.host.icmp import Address, Reply
from backstay_agent.host.via_gateway import NextHopPath
from backstay_agent.parsers.linux.rtnl import Link
from backstay_agent.probes import checker as checker_module
from backstay_agent.probes.checker import Checker
from backstay_agent.probes.checker_state import StateFile
from backstay_agent.probes.echo import EchoProber
from backstay_agent.probes.moves import Moves
from backstay_agent.probes.via_gateway import ProbeStream, ProbeStreams
from backstay_agent.report_sink import BuildReport
from backstay_testing.clock import ManualClock
from backstay_wire import (
    Report,
    DecisionReport,
    Detection,
    Engine,
    EngineKind,
    Hop,
    MoveReport,
    NextHop,
    PathMove,
    PolicyRoute,
    Route,
    Timers,
)

PREFIX, TARGET = "10.9.0.0/16", "10.9.0.1"
GATEWAYS = {"grf1": "10.1.0.1", "atmgw": "10.1.0.2"}
UP = 0x1 | 0x40 | 0x10000


def link(index: int, name: str, mac: str = "02:00:00:00:00:01") -> Link:
    return Link(index=index, name=name, arp_type=1, mtu=1500, flags=UP, mac=mac, alias="", virtual=False)


@dataclass
class View:
    """The kernel as the checker sees it."""

    links: dict[int, Link] = field(default_factory=lambda: {2: link(2, "css0")})
    addresses: dict[int, list[str]] = field(default_factory=lambda: {2: ["10.1.0.9/24"]})
    routes: RouteTable = field(default_factory=RouteTable)

    def forward(self, gateway: str) -> None:
        hop = NextHop(via=GATEWAYS[gateway], port="css0")
        self.routes.apply([Put(Route(prefix=PREFIX, protocol="static", next_hops=[hop]), replaces=True)])


@dataclass
class Network:
    """What answers: plain echoes by address, frames by (gateway's link address, target)."""

    silent: set[str] = field(default_factory=set)
    plain: list[Reply] = field(default_factory=list)
    framed: list[Reply] = field(default_factory=list)
    dropping: set[str] = field(default_factory=set)
    """Gateways that answer and forward nothing."""
    back: str = ""
    """The gateway that the target answers by; empty: the one that it was asked through."""
    frames: int = 0
    looped: int = 0
    sockets: int = 0

    def send(self, address: str, slot: int, number: int, wall_ns: int) -> bool:
        if address not in self.silent:
            self.plain.append(Reply(slot, number, 300))
        return True

    def replies(self) -> list[Reply]:
        taken, self.plain = self.plain, []
        return taken

    def close(self) -> None:
        pass


class Framing:
    """The network side of frames; a gateway's link address is its last octet."""

    def __init__(self, network: Network) -> None:
        self._network = network
        network.sockets += 1

    def send(self, next_hop: NextHopPath, target: str, slot: int, number: int, wall_ns: int) -> bool:
        self._network.frames += 1
        gateway = f"10.1.0.{next_hop.link_address[0]}"
        broken = self._network.silent | self._network.dropping
        if not {gateway, target, self._network.back} & broken:
            self._network.framed.append(Reply(slot, number, 2100))
        return True

    def loop(self, next_hop: NextHopPath, slot: int, number: int, wall_ns: int) -> bool:
        self._network.looped += 1
        if f"10.1.0.{next_hop.link_address[0]}" not in self._network.silent | self._network.dropping:
            self._network.framed.append(Reply(slot, number, 300))
        return True

    def replies(self) -> list[Reply]:
        taken, self._network.framed = self._network.framed, []
        return taken

    def close(self) -> None:
        pass


class Arp:
    def link_address(self, address: Address, index: int) -> bytes | None:
        return bytes([int(str(address).rpartition(".")[2])])

    def close(self) -> None:
        pass


class FakeActuator:
    """An engine that does what is requested, unless set to fail."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.engine = Engine(kind=EngineKind.BIRD, config="/etc/bird.conf")
        self.led: list[str] = []
        self.batches: list[int] = []
        """How many routes were switched at once."""
        self.trouble = ""

    async def lead(self, leads: Sequence[tuple[PolicyRoute, str]]) -> None:
        self.batches.append(len(leads))
        for _, gateway in leads:
            self.led.append(gateway)
            if self.trouble:
                raise RuntimeError(self.trouble)
            self.view.forward(gateway)


def route(detection: Detection = Detection.CHECKER, policy: str = "out", **timers: object) -> PolicyRoute:
    hops = [
        Hop(gateway=name, address=address, port="css0", preference=60 + 10 * n)
        for n, (name, address) in enumerate(GATEWAYS.items())
    ]
    return PolicyRoute(
        policy=policy,
        prefix=PREFIX,
        hops=hops,
        detection=detection,
        timers=Timers.model_validate({"hold_down_s": 0, **timers}),
        target=TARGET,
    )


class Host:
    """One node under test."""

    def __init__(self, clock: ManualClock, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock, self.state = clock, state
        self.view, self.network, self.reports = View(), Network(), list[Report]()
        self.actuator = FakeActuator(self.view)
        self.view.forward("grf1")
        monkeypatch.setattr(checker_module, "ProbeStreams", self._streams)
        self.begin()

    def _streams(self, prober: EchoProber, view: View) -> ProbeStreams:
        return ProbeStreams(prober, view, lambda version, strict: Framing(self.network), Arp)

    def begin(self) -> None:
        self.prober = EchoProber(self.clock, lambda version: self.network)
        state = StateFile(self.state, self.clock)
        self.checker = Checker(
            device="sp01",
            view=self.view,
            prober=self.prober,
            clock=self.clock,
            emit=self.emit,
            state=state,
        )
        self.moves = Moves(self.checker, device="sp01", clock=self.clock, emit=self.emit, state=state)

    def emit(self, build: BuildReport, *, urgent: bool = False) -> None:
        self.reports.append(build(uuid4(), len(self.reports) + 1))

    def care(self, *routes: PolicyRoute, paused: bool = False) -> None:
        self.checker.take_up(list(routes), self.actuator, paused=paused)  # type: ignore[arg-type]

    async def run(self, seconds: float) -> None:
        """Advance time; the engine works between two ticks."""
        for _ in range(round(seconds * 40)):
            self.clock.advance(0.025)
            self.prober.tick()
            for _ in range(12):
                await asyncio.sleep(0)
            self.checker.routes_changed(self.clock.monotonic_ns())

    async def end(self) -> None:
        await self.moves.close()
        self.checker.close()
        self.prober.close()

    def decisions(self) -> list[tuple[str, str, str]]:
        found = [one for one in self.reports if isinstance(one, DecisionReport)]
        return [(one.reason, one.from_gateway, one.to_gateway) for one in found]

    def move_states(self) -> list[str]:
        return [one.state for one in self.reports if isinstance(one, MoveReport)]


@pytest.fixture
async def host(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anyio_backend: str
) -> AsyncIterator[Host]:
    made = Host(clock, tmp_path / "failover.json", monkeypatch)
    yield made
    await made.end()


pytestmark = pytest.mark.anyio


async def test_policies_with_the_same_target_and_gateways_share_their_probes(host: Host) -> None:
    host.care(route(), route(policy="other"))
    await host.run(10)
    assert host.network.frames == pytest.approx(400, abs=4)
    assert host.network.looped == pytest.approx(10, abs=2)
    assert host.network.sockets == 2  # the returned packet is read from the wire


async def test_blackholed_gateway_is_left_even_if_replies_arrive_through_it(
    host: Host,
) -> None:
    host.network.back = GATEWAYS["grf1"]
    host.care(route())
    await host.run(5)
    host.network.dropping = {GATEWAYS["grf1"]}
    await host.run(0.3)
    assert host.decisions()[-1] == ("failed", "grf1", "atmgw")
    assert host.actuator.led == ["atmgw"]
    reported = host.reports[-1]
    assert isinstance(reported, DecisionReport)
    assert "grf1 does not forward: 3 of 3 probes" in reported.evidence


async def test_gateway_probes_slow_down_while_the_target_is_dead(host: Host) -> None:
    host.care(route())
    await host.run(5)
    before = host.network.looped
    host.network.silent = {TARGET}
    await host.run(3)
    soon = host.network.looped - before
    await host.run(27)
    assert 80 <= soon <= 140
    assert host.network.looped - before - soon < 200


async def test_trial_continues_after_a_restart(host: Host) -> None:
    host.care(route())
    await host.run(5)
    host.network.silent = {TARGET}
    await host.run(6)
    assert host.decisions()[-1] == ("tried", "grf1", "atmgw")
    await host.end()
    host.begin()
    host.care(route())
    before = len(host.decisions())
    await host.run(25)
    assert host.decisions()[before - 1 :][:3] == [
        ("start", "atmgw", "atmgw"),
        ("tried", "atmgw", "grf1"),
        ("no_gateway", "grf1", "grf1"),
    ]
    assert len(host.decisions()) == before + 2


async def test_no_failover_during_a_change_and_the_kernel_state_counts_afterwards(host: Host) -> None:
    host.care(route())
    await host.run(1)
    host.care(route(), paused=True)
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(5)
    assert host.actuator.led == []
    host.view.forward("atmgw")
    host.care(route())
    await host.run(3)
    assert host.actuator.led == []
    assert host.decisions() == [("start", "grf1", "grf1")]


def restorations(host: Host) -> list[DecisionReport]:
    kinds = {"restored", "not_restored"}
    return [one for one in host.reports if isinstance(one, DecisionReport) and one.reason in kinds]


async def test_a_route_that_something_else_changed_is_restored_and_reported(host: Host) -> None:
    host.care(route())
    await host.run(2)
    host.view.forward("atmgw")
    await host.run(2)
    assert host.decisions() == [("start", "grf1", "grf1"), ("restored", "atmgw", "grf1")]
    assert host.actuator.led == ["grf1"]
    reported = restorations(host)[0]
    assert f"found {PREFIX} via 10.1.0.2 dev css0 metric 0 (static: set as static)" in reported.evidence
    assert f"instead of {PREFIX} via grf1; restored" in reported.evidence
    assert reported.times == 1


async def test_repeated_manual_changes_are_reported_once_a_minute_with_their_number(host: Host) -> None:
    host.care(route())
    await host.run(2)
    for _ in range(6):
        host.view.forward("atmgw")
        await host.run(3)
    assert [one.times for one in restorations(host)] == [1]
    await host.run(45)
    assert [one.times for one in restorations(host)] == [1, 5]
    await host.run(120)
    assert [one.times for one in restorations(host)] == [1, 5]


async def test_a_removed_route_is_restored_and_reported(host: Host) -> None:
    host.care(route())
    await host.run(2)
    host.view.routes.replace_all([])
    await host.run(2)
    assert host.decisions()[-1] == ("restored", "", "grf1")
    assert f"found no route to {PREFIX}" in restorations(host)[0].evidence


async def test_a_route_that_cannot_be_restored_is_reported_with_the_reason(host: Host) -> None:
    host.care(route())
    await host.run(2)
    host.view.forward("atmgw")
    host.actuator.trouble = "bird went away"
    await host.run(5)
    assert [one.reason for one in restorations(host)] == ["not_restored"]
    assert "bird went away" in restorations(host)[0].evidence
    host.actuator.trouble = ""
    await host.run(10)
    assert [one.reason for one in restorations(host)] == ["not_restored", "restored"]


async def test_routes_that_the_kernel_drops_with_a_port_are_no_manual_change(host: Host) -> None:
    host.care(route())
    await host.run(2)
    up = link(2, "css0")
    host.view.links = {2: replace(up, flags=0x1)}
    host.checker.ports_read()
    host.view.routes.replace_all([])
    await host.run(3)
    host.view.links = {2: up}
    host.checker.ports_read()
    await host.run(3)
    assert host.view.routes.all()
    assert restorations(host) == []


async def test_a_held_node_keeps_an_operators_route_and_is_restored_afterwards(host: Host) -> None:
    host.care(route())
    await host.run(2)
    host.checker.hold(held=True)
    host.view.forward("atmgw")
    await host.run(5)
    host.network.silent = {GATEWAYS["atmgw"]}
    await host.run(5)
    assert host.actuator.led == []
    host.network.silent = set()
    await host.run(5)
    host.checker.hold(held=False, ended="the hold of alice is over")
    await host.run(1)
    assert host.decisions() == [("start", "grf1", "grf1"), ("restored", "atmgw", "grf1")]
    assert restorations(host)[0].evidence.startswith("the hold of alice is over; found ")


async def test_a_hold_outlives_the_process_and_nothing_is_reported_if_nothing_differs(host: Host) -> None:
    host.care(route())
    await host.run(2)
    host.checker.hold(held=True)
    host.view.forward("atmgw")
    await host.end()
    host.begin()
    host.checker.hold(held=True)
    host.care(route())
    await host.run(5)
    assert host.actuator.led == []
    host.view.forward("grf1")
    await host.run(1)
    host.checker.hold(held=False, ended="the hold of alice is over")
    await host.run(2)
    assert restorations(host) == []
    assert host.actuator.led == ["grf1"]


async def test_a_move_on_a_held_node_is_refused(host: Host) -> None:
    host.care(route())
    host.moves.held = True
    move = PathMove(id="m", policy="out", prefix=PREFIX, gateway="atmgw", seconds=20)
    host.moves.take_up([move], [route()])
    await host.run(1)
    assert host.move_states() == ["refused"]


async def test_failing_engine_is_reported_and_retried(host: Host) -> None:
    host.care(route())
    await host.run(1)
    host.actuator.trouble = "bird went away"
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(1)
    reported = host.reports[-1]
    assert isinstance(reported, DecisionReport)
    assert "the engine was not switched: bird went away" in reported.evidence
    await host.run(4)
    assert host.actuator.led.count("atmgw") >= 3
    host.actuator.trouble = ""
    await host.run(10)
    assert host.checker.borrow(route()).active == "atmgw"  # type: ignore[union-attr]


async def test_policies_that_lose_their_gateway_together_are_switched_at_once(host: Host) -> None:
    host.care(*(route(policy=f"out{number}") for number in range(5)))
    await host.run(1)
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(1)
    assert host.actuator.led == ["atmgw"] * 5
    assert host.actuator.batches == [5]


async def test_removed_policy_leaves_its_route_unchanged(host: Host) -> None:
    host.care(route())
    await host.run(1)
    host.care()
    sent = host.network.frames
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(3)
    assert host.network.frames == sent
    assert host.actuator.led == []


async def test_gateways_on_a_port_without_link_addresses_are_judged_by_direct_probes(
    host: Host,
) -> None:
    host.view.links = {2: link(2, "css0", mac="")}
    host.care(route())
    await host.run(1)
    reported = host.reports[0]
    assert isinstance(reported, DecisionReport)
    assert "the target cannot be reached through each of grf1, atmgw" in reported.evidence
    assert host.network.frames == 0
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(3)
    assert host.decisions()[-1] == ("failed", "grf1", "atmgw")


async def test_bfd_policy_is_returned_to_its_daemon_after_a_move(host: Host) -> None:
    bfd = route(Detection.BFD)
    host.care(bfd)
    move = PathMove(id="m", policy="out", prefix=PREFIX, gateway="atmgw", seconds=20)
    host.moves.take_up([move], [bfd])
    # These waits use the real clock.
    for _ in range(40):
        await host.run(1)
        await asyncio.sleep(0.06 if len(host.actuator.led) < 1 else 0)
        if host.actuator.led:
            break
    assert host.actuator.led == ["atmgw"]
    host.moves.take_up([], [bfd])
    for _ in range(100):
        await host.run(0.1)
        await asyncio.sleep(0.01)
        if len(host.actuator.led) > 1:
            break
    assert host.actuator.led == ["atmgw", "grf1"]


async def test_move_fails_and_returns_at_once_if_its_gateway_dies(host: Host) -> None:
    host.care(route())
    await host.run(1)
    host.moves.take_up(
        [PathMove(id="m", policy="out", prefix=PREFIX, gateway="atmgw", seconds=600)], [route()]
    )
    await host.run(1)
    assert host.decisions()[-1] == ("moved", "grf1", "atmgw")
    host.network.silent = {GATEWAYS["atmgw"]}
    await host.run(1)
    assert host.decisions()[-1] == ("failed", "atmgw", "grf1")
    for _ in range(20):
        await asyncio.sleep(0.02)
        await host.run(0.1)
    host.network.silent = set()
    await host.run(5)
    assert host.decisions()[-1] == ("failed", "atmgw", "grf1")


async def test_damping_and_active_gateway_survive_a_restart(host: Host) -> None:
    host.care(route(recover_after=2))
    await host.run(1)
    for _ in range(2):
        host.network.silent = {GATEWAYS["grf1"]}
        await host.run(0.5)
        host.network.silent = set()
        await host.run(3)
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(0.5)
    assert host.decisions()[-1] == ("failed", "grf1", "atmgw")
    await host.end()
    host.network.silent = set()
    host.reports.clear()
    host.begin()
    host.care(route(recover_after=2))
    await host.run(2)
    # The third failure excludes grf1 for four seconds, also across a restart.
    assert host.decisions() == [("start", "atmgw", "atmgw")]
    await host.run(4)
    assert host.decisions()[-1] == ("recovered", "atmgw", "grf1")


async def test_damaged_state_file_is_ignored(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "failover.json"
    state.write_text('{"leads": 7')
    broken = Host(clock, state, monkeypatch)
    broken.care(route())
    await broken.run(1)
    assert broken.decisions() == [("start", "grf1", "grf1")]
    await broken.end()


def test_probe_stream_is_identified_by_its_path() -> None:
    one = ProbeStream(ip_address("10.1.0.1"), "css0", ip_address(TARGET), 50)
    assert one == ProbeStream(ip_address("10.1.0.1"), "css0", ip_address(TARGET), 50)
    assert one != ProbeStream(ip_address("10.1.0.1"), "at0", ip_address(TARGET), 50)
