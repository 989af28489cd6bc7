"""A host whose gateways are checked: a simulated network and an engine that can fail, in simulated time."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backstay_agent.failover.routes import Put, RouteTable
from backstay_agent.host.icmp import Address, Reply
from backstay_agent.host.via_gateway import NextHopPath
from backstay_agent.parsers.linux.rtnl import KernelLink
from backstay_agent.probes import checker as checker_module
from backstay_agent.probes.checker import Checker
from backstay_agent.probes.checker_state import StateFile
from backstay_agent.probes.echo import EchoProber
from backstay_agent.probes.moves import Moves
from backstay_agent.probes.via_gateway import ProbeStreams
from backstay_testing.clock import ManualClock
from backstay_testing.report_list import ReportList
from backstay_wire import (
    DecisionReport,
    Detection,
    Engine,
    EngineKind,
    Hop,
    MoveReport,
    NextHop,
    PolicyRoute,
    Route,
    Timers,
)

PREFIX, TARGET = "10.9.0.0/16", "10.9.0.1"
GATEWAYS = {"grf1": "10.1.0.1", "atmgw": "10.1.0.2"}
UP = 0x1 | 0x40 | 0x10000


def link(index: int, name: str, mac: str = "02:00:00:00:00:01") -> KernelLink:
    """A port that is up."""
    return KernelLink(
        index=index, name=name, arp_type=1, mtu=1500, flags=UP, mac=mac, alias="", virtual=False
    )


@dataclass
class View:
    """The kernel as the checker sees it."""

    links: dict[int, KernelLink] = field(default_factory=lambda: {2: link(2, "css0")})
    addresses: dict[int, list[str]] = field(default_factory=lambda: {2: ["10.1.0.9/24"]})
    routes: RouteTable = field(default_factory=RouteTable)

    def forward(self, gateway: str) -> None:
        """Make the kernel forward by one gateway."""
        hop = NextHop(via=GATEWAYS[gateway], port="css0")
        self.routes.apply([Put(Route(prefix=PREFIX, protocol="static", next_hops=[hop]), replaces=True)])


@dataclass
class Network:
    """What answers: plain echoes by address, frames by (gateway's link address, target)."""

    silent: set[str] = field(default_factory=set)
    plain: list[Reply] = field(default_factory=list)
    framed: list[Reply] = field(default_factory=list)
    dropping: set[str] = field(default_factory=set)
    """Gateways that are reachable and do not forward."""
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
    """Link addresses: the last octet of the address."""

    def link_address(self, address: Address, index: int) -> bytes | None:
        return bytes([int(str(address).rpartition(".")[2])])

    def close(self) -> None:
        pass


class FakeActuator:
    """An engine that obeys, unless set to fail."""

    runs_daemon = True
    switches_by_file = False

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
    """A policy's route by grf1, then atmgw."""
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


class CheckedHost:
    """One node under test, in simulated time."""

    def __init__(self, clock: ManualClock, state: Path, patch: Callable[[Any, str, Any], None]) -> None:
        """`patch`: as `pytest.MonkeyPatch.setattr`."""
        self.clock, self.state = clock, state
        self.view, self.network, self.reports = View(), Network(), ReportList()
        self.actuator = FakeActuator(self.view)
        self.view.forward("grf1")
        patch(checker_module, "ProbeStreams", self._streams)
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
            emit=self.reports,
            state=state,
        )
        self.moves = Moves(self.checker, device="sp01", clock=self.clock, emit=self.reports, state=state)

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
