"""What an agent on a host with 8 ports and one watched path sends, made by the agent's own encoder.

In a minute, with an interval of 30 s: 6 path heartbeats, 2 reports of its counters, 1 of the state of its
ports, 1 of its collectors, and 1 request of its desired state. They are not due at the same time, hence 10
requests to store reports; an agent that is behind sends all that is due in one.
"""

from __future__ import annotations

import heapq
import random
import time
from collections.abc import Callable
from uuid import UUID

from backstay_agent.uplink.client import compress
from backstay_agent.uplink.spool import encode
from backstay_wire import (
    ClockReading,
    CollectorOutcome,
    CollectorReport,
    DeviceReport,
    GatewayLiveness,
    PathReport,
    PortSamples,
    PortState,
    Report,
    SpoolState,
)
from bench.service.sites import PORTS

POLICY, PREFIX, GATEWAYS = "fleet", "0.0.0.0/0", ("gw1", "gw2")
DESIRED = "desired"
EVERY_S = {"path": 10.0, "ports": 30.0, "device": 60.0, "collectors": 60.0, DESIRED: 60.0}
"""Kind -> seconds between two of them, as in the agent."""
COLLECTORS = ("linux", "linux-state", "linux-neighbours")
_CLOCK = ClockReading(offset_ns=0, error_ns=2_000_000)


class Schedule:
    """When one agent has something to send, by the monotonic clock."""

    def __init__(self, seed: int, start: float) -> None:
        chance = random.Random(seed)  # noqa: S311 - spreads agents over their intervals
        self._due = [(start + chance.random() * every_s, kind) for kind, every_s in EVERY_S.items()]
        heapq.heapify(self._due)

    @property
    def next_s(self) -> float:
        """When the next kind is due."""
        return self._due[0][0]

    def take(self, now: float) -> list[str]:
        """The kinds that are due, each as often as it is."""
        kinds = []
        while self._due[0][0] <= now:
            at, kind = self._due[0]
            heapq.heapreplace(self._due, (at + EVERY_S[kind], kind))
            kinds.append(kind)
        return kinds


class Author:
    """Makes one agent's reports and numbers them."""

    def __init__(self, device: str, boot: UUID) -> None:
        self._device, self._boot = device, boot
        self.seq = 0
        """Reports made; also the number of the newest."""
        self.counted: dict[int, int] = {}
        """Number -> time in us of each report of counters."""

    def body(self, kinds: list[str]) -> bytes:
        """Body of a request with these kinds of report."""
        reports = [report for kind in kinds for report in self._make[kind](self)]
        sent = [encode(report) for report in reports]
        return compress(sent, SpoolState(waiting=len(sent)), time.time_ns(), _CLOCK)

    def _head(self) -> tuple[UUID, int, int]:
        self.seq += 1
        return self._boot, self.seq, time.time_ns() // 1000 * 1000

    def _path(self) -> list[Report]:
        boot, seq, at = self._head()
        alive = [GatewayLiveness(name=name, alive=True, rtt_us=200 + seq % 90) for name in GATEWAYS]
        return [
            PathReport(
                boot=boot,
                seq=seq,
                device=self._device,
                at=at,
                policy=POLICY,
                prefix=PREFIX,
                active=GATEWAYS[0],
                gateways=alive,
            )
        ]

    def _ports(self) -> list[Report]:
        boot, seq, at = self._head()
        self.counted[seq] = at // 1000
        octets = [seq, *(1_000_003 * port * seq for port in range(1, len(PORTS)))]
        packets = [1 + value // 700 for value in octets]
        return [
            PortSamples(
                boot=boot,
                seq=seq,
                device=self._device,
                at=at,
                duration_ns=round(EVERY_S["ports"] * 1e9),
                ports=PORTS,
                in_octets=octets,
                out_octets=octets[::-1],
                in_packets=packets,
                out_packets=packets[::-1],
                in_peak=[value // 20 for value in octets],
                out_peak=[value // 20 for value in octets[::-1]],
            )
        ]

    def _device_state(self) -> list[Report]:
        boot, seq, at = self._head()
        states = [
            PortState(name=name, index=index, speed=10**10, mtu=1500, admin_up=True, oper_up=True)
            for index, name in enumerate(PORTS, 1)
        ]
        uptime_s = time.monotonic()
        about = {"sys_name": self._device, "sys_descr": "Linux 6.1.0", "uptime_s": uptime_s}
        return [DeviceReport(boot=boot, seq=seq, device=self._device, at=at, ports=states, **about)]

    def _collectors(self) -> list[Report]:
        made: list[Report] = []
        for collector in COLLECTORS:
            boot, seq, at = self._head()
            made.append(
                CollectorReport(
                    boot=boot,
                    seq=seq,
                    device=self._device,
                    at=at,
                    collector=collector,
                    outcome=CollectorOutcome.OK,
                    duration_ms=1.25,
                )
            )
        return made

    _make: dict[str, Callable[[Author], list[Report]]] = {
        "path": _path,
        "ports": _ports,
        "device": _device_state,
        "collectors": _collectors,
    }
