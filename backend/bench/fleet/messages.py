"""What an agent on a quiet host with 8 ports and one watched path sends, made by the agent's own encoder.

In a minute, with an interval of 30 s: 2 requests with the counters and the path's heartbeat. What is reported
each minute leaves with one of them: the state of its ports, its forwarding, its neighbour tables and the
outcomes of its collectors. Each ten minutes it fetches its desired state. An agent that is behind sends all
that is due in one request.
"""

from __future__ import annotations

import heapq
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

from backstay_agent.collectors.neighbour_metrics import PortTable
from backstay_agent.config import Settings, StateDir
from backstay_agent.desired_schedule import WHOLE_EVERY
from backstay_agent.schedule import REPEAT_NS, SECOND
from backstay_agent.uplink.client import compress
from backstay_agent.uplink.spool import encode
from backstay_wire import (
    ClockReading,
    CollectorOutcome,
    CollectorReport,
    DeviceReport,
    GatewayLiveness,
    HostNetworkReport,
    MetricReport,
    PathReport,
    PortNetwork,
    PortSamples,
    PortState,
    Report,
    SpoolState,
    path_repeat_s,
)
from bench.service.sites import PORTS

POLICY, PREFIX, GATEWAYS = "fleet", "0.0.0.0/0", ("gw1", "gw2")
DESIRED = "desired"
INTERVAL_S = float(os.environ.get("FLEET_INTERVAL_S", "30"))
"""The sites' interval, seconds: of reports of counters, which do not wait. Two processes read it."""
_PROBE_MS, _REPEAT_S = 50, REPEAT_NS / SECOND
WITH_COUNTERS = {
    "path": path_repeat_s(_PROBE_MS, INTERVAL_S),
    "device": _REPEAT_S,
    "network": _REPEAT_S,
    "neighbours": _REPEAT_S,
    "collectors": _REPEAT_S,
}
ALONE = {"ports": INTERVAL_S, DESIRED: WHOLE_EVERY * Settings(StateDir(Path())).desired_every_s}
EVERY_S = WITH_COUNTERS | ALONE
"""Kind -> seconds between two of them, by the agent's own constants."""
COLLECTORS = ("linux", "linux-state", "linux-network", "neighbours")
_CLOCK = ClockReading(offset_ns=0, error_ns=2_000_000)


class Schedule:
    """When one agent has something to send, by the monotonic clock."""

    def __init__(self, seed: int, start: float) -> None:
        chance = random.Random(seed)  # noqa: S311 - spreads agents over their intervals
        due = {kind: start + chance.random() * every_s for kind, every_s in EVERY_S.items()}
        due["path"] = due["ports"]
        self._alone = [(due[kind], kind) for kind in ALONE]
        self._with_counters = [(due[kind], kind) for kind in WITH_COUNTERS]
        heapq.heapify(self._alone)
        heapq.heapify(self._with_counters)

    @property
    def next_s(self) -> float:
        """When the next kind is due that does not wait."""
        return self._alone[0][0]

    def take(self, now: float) -> list[str]:
        """The kinds that are due, each as often as it is; those that wait only with counters."""
        kinds = _due(self._alone, now)
        return kinds + _due(self._with_counters, now) if "ports" in kinds else kinds


def _due(heap: list[tuple[float, str]], now: float) -> list[str]:
    kinds = []
    while heap[0][0] <= now:
        at, kind = heap[0]
        heapq.heapreplace(heap, (at + EVERY_S[kind], kind))
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
                duration_ns=round(INTERVAL_S * 1e9),
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

    def _network(self) -> list[Report]:
        boot, seq, at = self._head()
        ports = [PortNetwork(port=name, forwards_ipv4=False, rp_filter=2) for name in PORTS]
        about = {"controllers": [], "resolvers": [], "ports": ports, "rules": []}
        return [HostNetworkReport(boot=boot, seq=seq, device=self._device, at=at, **about)]

    def _neighbours(self) -> list[Report]:
        boot, seq, at = self._head()
        metrics = [item for name in PORTS for item in PortTable(name, ipv4=12, ipv6=3).metrics()]
        about = {"collector": COLLECTORS[-1], "metrics": metrics}
        return [MetricReport(boot=boot, seq=seq, device=self._device, at=at, **about)]

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
        "network": _network,
        "neighbours": _neighbours,
        "collectors": _collectors,
    }
