"""Shared by all test runs of this agent: the host, its clocks, its programs, and the ports in use."""

import asyncio
import logging
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from backstay_agent.host.clock import Clock
from backstay_agent.host.kernel.port_statistics import Counters
from backstay_agent.host.throughput.child import Child
from backstay_agent.logs import event
from backstay_agent.parsers.linux.rtnl import KernelLink
from backstay_agent.probes.throughput.journal import Journal
from backstay_agent.probes.throughput.kinds.base import ThroughputKind
from backstay_agent.probes.throughput.kinds.registry import KINDS
from backstay_agent.probes.throughput.ports import PortFacts
from backstay_agent.probes.throughput.tools import Tools
from backstay_agent.report_sink import ReportSink
from backstay_wire import ClockReading

_log = logging.getLogger(__name__)


class ThroughputPorts(Protocol):
    """This host's ports (collectors/linux/state.py)."""

    links: dict[int, KernelLink]
    addresses: dict[int, list[str]]
    speeds: dict[int, int]

    async def start(self) -> None:
        """Make sure that they are known. Raises OSError."""


class CounterSource(Protocol):
    """Source of counters (host/kernel/netlink.py)."""

    def counters(self) -> dict[int, Counters]:
        """Counters of every port by interface index."""


class Moved:
    """Octets that all tests of this host have read and written: several may share a port."""

    def __init__(self) -> None:
        self._children: set[Child] = set()
        self._known: dict[Child, tuple[int, int]] = {}

    def add(self, child: Child) -> None:
        """Count it from now on; after its end its last count is kept."""
        self._children.add(child)

    def remove(self, child: Child) -> None:
        """It has ended."""
        self._children.discard(child)

    def total(self) -> tuple[int, int]:
        """(read, written) so far."""
        for child in self._children:
            self._known[child] = max(child.moved(), self._known.get(child, (0, 0)))
        both = list(self._known.values())
        if not self._children:
            self._known.clear()
        return sum(read for read, _ in both), sum(written for _, written in both)


@dataclass(slots=True)
class Taken:
    """Ports in use by tests of this agent: at most one test per port."""

    _held: dict[Hashable, asyncio.Event] = field(default_factory=dict)

    async def claim(self, key: Hashable, seconds: float) -> bool:
        """Claim it, waiting up to `seconds` for its holder; returns whether it was claimed."""
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                while (other := self._held.get(key)) is not None:
                    await other.wait()
        except TimeoutError:
            return False
        self._held[key] = asyncio.Event()
        return True

    def release(self, key: Hashable) -> None:
        """Give it back."""
        if (held := self._held.pop(key, None)) is not None:
            held.set()


@dataclass(slots=True)
class ThroughputHost:
    """Dependencies of a run."""

    clock: Clock
    emit: ReportSink
    ports: ThroughputPorts
    counters: CounterSource
    offset: Callable[[], ClockReading | None]
    """Offset of this host's clock from the backend's, if known."""
    journal: Journal
    tools: Tools = field(default_factory=Tools)
    kinds: Mapping[str, ThroughputKind] = field(default_factory=lambda: KINDS)
    moved: Moved = field(default_factory=Moved)
    taken: Taken = field(default_factory=Taken)

    async def known_ports(self) -> list[PortFacts]:
        """The current ports except loopback."""
        try:
            await self.ports.start()
        except OSError as error:
            event(_log, logging.WARNING, "cannot read the ports of a test", error=error.strerror)
        speeds = self.ports.speeds
        return [
            PortFacts(index, link.name, link.mtu, speeds.get(index, 0))
            for index, link in self.ports.links.items()
        ]

    def port_of(self, address: str) -> str:
        """Name of the port with the address; empty: none, or loopback."""
        for index, addresses in self.ports.addresses.items():
            if index in self.ports.links and any(one.split("/")[0] == address for one in addresses):
                return self.ports.links[index].name
        return ""
