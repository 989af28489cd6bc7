"""One sweep of a whole fabric: topology when it is due, then every counter in two runs of one tool.

`ibqueryerrors --counters` prints the data counters of all ports and no errors; without that option it prints
the errors that are not zero and queries a clean switch only once. So each is run once, in parallel, over the
topology that `ibnetdiscover` left in a cache. Together they take about as long as a single run without the
cache, which walks the fabric each time.

A cache may be out of date. A node that does not answer ends the runs at once: the fabric is rediscovered,
without the node if its links are down, and the counters are read again. A node that is still present but does
not answer gets short timeouts until it does: 37 queries to a switch, 3 times each, in less than 2 s.

`--skip-sl` is required: without it, the tool asks the subnet manager for all paths, gives up if there is
none, and waits 3 s for every unanswered query. No option that clears a counter is used.
"""

import asyncio
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import Protocol

from backstay_agent.collectors.base import NoAnswerError, UnusableError
from backstay_agent.collectors.infiniband.counters import BY_TOOL
from backstay_agent.collectors.infiniband.growth import PortReading
from backstay_agent.host.clock import Clock
from backstay_agent.host.infiniband import Output
from backstay_agent.parsers.infiniband import ib_counters, ib_links, ib_sm, ib_topology
from backstay_agent.parsers.infiniband.ib_counters import ALL_PORTS, Counters, Sweep
from backstay_agent.parsers.infiniband.ib_links import PortLink
from backstay_agent.parsers.infiniband.ib_sm import SubnetManager
from backstay_agent.parsers.infiniband.ib_topology import IbTopology, PortKey
from backstay_agent.schedule import SECOND

_DISCOVER_NS = 60 * SECOND
_DISCOVER_LIMIT_S = 30.0
_COUNT_LIMIT_S = 20.0
_PATIENT_MS = 100
_HURRIED_MS = 12
"""Times 3 tries, times 37 queries to an unresponsive switch of 36 ports: 1.3 s."""
_CACHE, _NAMES = "fabric.cache", "names"
_OUTSTANDING = 32
"""Queries in flight during discovery, so that the paths to one dead switch time out together."""


_PACKETS = ("PortRcvPkts", "PortXmitPkts")
_DOWNED = "LinkDownedCounter"


class SweepComparison:
    """Compares each sweep with the previous one."""

    def __init__(self) -> None:
        self._idle: dict[PortKey, tuple[int, ...]] = {}
        self._downed: dict[PortKey, int] | None = None

    def of_change(
        self,
        topology: IbTopology,
        traffic: Mapping[PortKey, Counters],
        errors: Mapping[PortKey, Counters],
    ) -> bool:
        """Whether a cable seems to have been moved since the last call; False at the first call."""
        idle = {
            key: tuple(counters.get(name, 0) for name in _PACKETS)
            for key, counters in traffic.items()
            if key not in topology.cables
        }
        downed = {
            key: counters[_DOWNED]
            for key, counters in errors.items()
            if _DOWNED in counters and key[1] != ALL_PORTS
        }
        awake = any(key in self._idle and value > self._idle[key] for key, value in idle.items())
        known, ceiling = self._downed, (1 << BY_TOOL[_DOWNED].bits) - 1
        pulled = known is not None and any(
            value > known.get(key, 0) and value < ceiling for key, value in downed.items()
        )
        self._idle, self._downed = idle, downed
        return awake or pulled


class SweepTools(Protocol):
    """The programs (host/infiniband.py)."""

    async def run(
        self,
        program: str,
        *arguments: str,
        limit_s: float,
        stop_at: Callable[[str], bool] | None = None,
        feed: Callable[[list[str]], None] | None = None,
    ) -> Output:
        """Run a program and return its output, or pass its lines to `feed` as they arrive."""

    def write(self, name: str, content: str) -> object:
        """Put a file where the programs run."""

    def close(self) -> None:
        """Clean up."""


@dataclass(frozen=True, slots=True)
class DiscoveredFabric:
    """A fabric as discovered."""

    topology: IbTopology
    links: Mapping[PortKey, PortLink]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SweepResult:
    """Result of one sweep."""

    fabric: DiscoveredFabric
    ports: Mapping[PortKey, PortReading]
    silent: Set[str]
    """GUIDs of nodes that are in the fabric but did not return their counters."""
    sm: SubnetManager | None
    at_ns: int
    """Middle of the reading, monotonic."""
    slack_ns: int
    notes: tuple[str, ...] = ()
    """Faults of the sweep, one sentence each."""


@dataclass(slots=True)
class _Count:
    """Both runs of the tool."""

    traffic: Sweep
    errors: Sweep
    failed: set[str] = field(default_factory=set)
    stopped: bool = False
    began_ns: int = 0
    ended_ns: int = 0


class FabricSweeper:
    """Sweeps one fabric through one adapter."""

    def __init__(self, tools: SweepTools, clock: Clock) -> None:
        self._tools = tools
        self._clock = clock
        self._fabric: DiscoveredFabric | None = None
        self._discovered_ns = 0
        self._hurried = False
        self._evidence = SweepComparison()

    def close(self) -> None:
        """Remove files left by the programs."""
        self._tools.close()

    async def sweep(self) -> SweepResult:
        """Read everything once. Raises NoAnswerError, UnusableError and the errors of the tools."""
        began = self._clock.monotonic_ns()
        if self._fabric is None or began - self._discovered_ns >= _DISCOVER_NS:
            self._fabric = await self._discover()
        fabric, discovered_now = self._fabric, self._discovered_ns >= began
        count, sm = await asyncio.gather(self._count(fabric), self._subnet_manager())
        if count.stopped:
            if not discovered_now:
                self._fabric = fabric = await self._discover()
            self._hurried = bool(count.failed & fabric.topology.nodes.keys()) or discovered_now
            count = await self._count(fabric, insist=True)
        elif self._evidence.of_change(fabric.topology, count.traffic.ports, count.errors.ports):
            self._fabric = fabric = await self._discover()
        self._hurried = bool(count.failed)
        return self._reading(fabric, count, sm)

    async def _discover(self) -> DiscoveredFabric:
        found = await self._tools.run(
            "ibnetdiscover",
            *("-t", str(_PATIENT_MS), "-o", str(_OUTSTANDING), "--cache", _CACHE),
            limit_s=_DISCOVER_LIMIT_S,
        )
        if found.cut:
            raise NoAnswerError(f"ibnetdiscover did not end within {_DISCOVER_LIMIT_S:g} s")
        topology = await asyncio.to_thread(ib_topology.topology, found.lines)
        if not topology.nodes:
            message = "; ".join(found.errors[-3:]) or f"status {found.status}"
            raise UnusableError(f"ibnetdiscover found no fabric: {message}")
        self._tools.write(_NAMES, "".join(f'{guid} "{guid}"\n' for guid in topology.nodes))
        listed = await self._tools.run(
            "iblinkinfo",
            *("-l", "--load-cache", _CACHE, "--node-name-map", _NAMES),
            limit_s=_DISCOVER_LIMIT_S,
        )
        links = await asyncio.to_thread(ib_links.links, listed.lines)
        self._discovered_ns = self._clock.monotonic_ns()
        notes = _notes(found, topology.unparsed) + _notes(listed, links.unparsed)
        return DiscoveredFabric(topology, links.ports, notes)

    async def _count(self, fabric: DiscoveredFabric, *, insist: bool = False) -> _Count:
        """Every counter of every port; stopped by a node that does not answer, unless we `insist` or already
        hurry."""
        stop_at = None if insist or self._hurried else _is_failure
        began = self._clock.monotonic_ns()
        # Parsed as they arrive, a few milliseconds at a time, while the tools still query the fabric.
        counted, erred = ib_counters.Reader(), ib_counters.Reader()
        traffic, errors = await asyncio.gather(
            self._query(stop_at, "--counters", counted), self._query(stop_at, "--details", erred)
        )
        failed = {
            name
            for output in (traffic, errors)
            for line in output.errors
            if (name := ib_counters.failed_node(line)) is not None
        }
        return _Count(
            traffic=counted.found,
            errors=erred.found,
            failed=failed,
            stopped=stop_at is not None and bool(failed),
            began_ns=began,
            ended_ns=self._clock.monotonic_ns(),
        )

    async def _query(
        self, stop_at: Callable[[str], bool] | None, what: str, reader: ib_counters.Reader
    ) -> Output:
        timeout_ms = _HURRIED_MS if self._hurried else _PATIENT_MS
        return await self._tools.run(
            "ibqueryerrors",
            *("--load-cache", _CACHE, "--node-name-map", _NAMES, "--skip-sl", "-t", str(timeout_ms), what),
            limit_s=_COUNT_LIMIT_S,
            stop_at=stop_at,
            feed=reader.feed,
        )

    async def _subnet_manager(self) -> SubnetManager | None:
        answer = await self._tools.run("sminfo", "-t", str(_PATIENT_MS), limit_s=2.0)
        return ib_sm.subnet_manager(answer.lines)

    def _reading(self, fabric: DiscoveredFabric, count: _Count, sm: SubnetManager | None) -> SweepResult:
        notes = [
            *fabric.notes,
            *_unparsed("ibqueryerrors", (*count.traffic.unparsed, *count.errors.unparsed)),
        ]
        asked = {guid for guid, _ in count.traffic.ports}
        nodes = set(fabric.topology.nodes)
        silent = (nodes - asked) | (count.failed & nodes)
        if not (count.traffic.complete and count.errors.complete):
            notes.append("ibqueryerrors did not come to its end: the counters are a part")
        if not count.errors.complete:
            # It is unknown which errors are zero, so no port's growth is known either.
            silent = nodes
        ports = {
            key: PortReading(
                traffic, count.errors.ports.get(key, {}), count.errors.wide.get(key, frozenset())
            )
            for key, traffic in count.traffic.ports.items()
            if key[0] not in silent and key[1] != ALL_PORTS
        }
        half = (count.ended_ns - count.began_ns) // 2
        return SweepResult(fabric, ports, frozenset(silent), sm, count.began_ns + half, half, tuple(notes))


def _is_failure(line: str) -> bool:
    return ib_counters.failed_node(line) is not None


def _notes(output: Output, unparsed: tuple[str, ...]) -> tuple[str, ...]:
    return _unparsed("the fabric's listing", unparsed) + (
        (f"a listing was cut off after {len(output.lines)} lines",) if output.cut else ()
    )


def _unparsed(what: str, lines: tuple[str, ...]) -> tuple[str, ...]:
    return (f"{what}: {len(lines)} lines are not understood, first: {lines[0][:200]}",) if lines else ()
