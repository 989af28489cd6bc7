"""The agents of the cluster: enrolled at once, their reports stored in groups as the ingest stores them."""

from __future__ import annotations

import time
import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.utils import timezone

from backstay.accounts.models import Agent
from backstay.alerts.evaluation_triggers import evaluations
from backstay.intake.batches import store_batch
from backstay.intake.groups import store_group
from backstay.inventory.models import Node
from backstay.telemetry.ingest.batch import Batch
from backstay_wire import (
    ClockReading,
    CollectorOutcome,
    CollectorReport,
    DeviceReport,
    MetricReport,
    MetricValue,
    PortSamples,
    PortState,
    Report,
    SpoolState,
)
from bench.growth.site_blueprint import SITE, USED, Cluster

GROUP = 256
"""Batches of one transaction."""
DEVICES = 4
"""Devices in one batch of a management host: a group takes batches of at most 16 reports."""
SAMPLE_S, SAMPLES = 30, 3
"""Interval of the counters, and how many intervals are stored."""
COLLECTORS = ("linux", "linux-state")
CLOCK = ClockReading(offset_ns=0, error_ns=2_000_000)
IDLE_S = 600.0
Make = Callable[[str], Iterator[Report]]
"""Reports of a device."""


class Agents:
    """One agent on every host, gateway, router and management host."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._up, self._addresses = cluster.up, cluster.addresses
        self._ports = cluster.ports
        self._boot, self._seq = uuid.uuid4(), 0
        names = [*cluster.hosts, *cluster.gateways, *cluster.routers, *cluster.managers]
        self._agents = _enrolled(names)
        self.devices: dict[str, list[str]] = {name: [name] for name in names if name in self._ports}
        for switch in (*cluster.spines, *cluster.switches):
            self.devices.setdefault(cluster.watcher(switch), []).append(switch)

    def report(self) -> int:
        """Ports, metrics and collectors of every device, then counters; how many batches were alone."""
        now = timezone.now()
        alone = self._store(self._state, now)
        for ago in reversed(range(SAMPLES)):
            alone += self._store(partial(self._samples, ago), now)
        self._settle()
        return alone

    def _state(self, device: str) -> Iterator[Report]:
        ports = [
            PortState(
                name=port,
                index=index,
                speed=25 * 10**9,
                mtu=9000,
                mac=(zlib.crc32(device.encode()) << 8 | index % 256).to_bytes(6).hex(":"),
                admin_up=not port.startswith("eth") or port in USED,
                oper_up=f"{device}:{port}" in self._up,
                addresses=self._addresses.get(f"{device}:{port}", []),
            )
            for index, port in enumerate(self._ports[device], 1)
        ]
        yield DeviceReport(**self._head(device), sys_name=device, sys_descr="Linux 6.1.0", ports=ports)
        loads = [
            MetricValue(metric="host.processor_load", subject=str(core), value=core) for core in range(4)
        ]
        yield MetricReport(**self._head(device), collector="linux-host", metrics=loads)
        for collector in COLLECTORS:
            outcome = CollectorOutcome.OK
            yield CollectorReport(
                **self._head(device), collector=collector, outcome=outcome, duration_ms=1.25
            )

    def _samples(self, ago: int, device: str) -> Iterator[Report]:
        names = self._ports[device]
        octets = [1_000_003 * (1 + at % 8) for at in range(len(names))]
        packets = [1 + value // 700 for value in octets]
        head = self._head(device)
        head["at"] -= ago * SAMPLE_S * 10**9
        yield PortSamples(
            **head,
            duration_ns=SAMPLE_S * 10**9,
            ports=names,
            in_octets=octets,
            out_octets=octets[::-1],
            in_packets=packets,
            out_packets=packets[::-1],
        )

    def _head(self, device: str) -> dict[str, Any]:
        self._seq += 1
        return {"boot": self._boot, "seq": self._seq, "device": device, "at": time.time_ns()}

    def _store(self, make: Make, now: datetime) -> int:
        alone = 0
        for share in _shares(self.devices):
            for group in _cut(share, GROUP):
                batches = [self._batch(name, devices, make, now) for name, devices in group]
                for batch, outcome in zip(batches, store_group(batches), strict=True):
                    if outcome is None:
                        store_batch(batch)
                        alone += 1
        return alone

    def _batch(self, name: str, devices: Sequence[str], make: Make, now: datetime) -> Batch:
        reports = [report for device in devices for report in make(device)]
        sent = time.time_ns()
        return Batch(self._agents[name], now, sent, SpoolState(), list(enumerate(reports)), CLOCK)

    @staticmethod
    def _settle() -> None:
        """Wait for the evaluations that the reports triggered."""
        deadline = time.monotonic() + IDLE_S
        while not evaluations.is_idle and time.monotonic() < deadline:
            time.sleep(0.1)


def _enrolled(names: Iterable[str]) -> dict[str, uuid.UUID]:
    wanted = set(names)
    nodes = [node for node in Node.objects.filter(site__name=SITE) if node.name in wanted]
    made = [Agent(site=SITE, node=node.name, public_key=bytes(32), version="1.0") for node in nodes]
    Agent.objects.bulk_create(made)
    for node, agent in zip(nodes, made, strict=True):
        node.agent = agent
    Node.objects.bulk_update(nodes, ["agent"], batch_size=500)
    return {agent.node: agent.pk for agent in made}


def _shares(devices: dict[str, list[str]]) -> Iterator[list[tuple[str, list[str]]]]:
    """One batch of each agent, as often as the one with most devices needs."""
    longest = max(map(len, devices.values()))
    for first in range(0, longest, DEVICES):
        yield [(name, mine[first : first + DEVICES]) for name, mine in devices.items() if mine[first:]]


def _cut(items: Sequence[tuple[str, list[str]]], size: int) -> Iterator[Sequence[tuple[str, list[str]]]]:
    for first in range(0, len(items), size):
        yield items[first : first + size]
