"""The agent's running assignments.

A new generation is compared with what runs: sources and paths that are no longer assigned stop, new ones
start, unchanged ones keep running.
"""

import logging
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from backstay_agent.arp_assignments import ArpAssignments
from backstay_agent.collector_registry import make_collectors
from backstay_agent.collectors.base import Collector
from backstay_agent.collectors.context import Context
from backstay_agent.failover.routes import Delta
from backstay_agent.logs import event
from backstay_agent.probes.echo import EchoProber
from backstay_agent.probes.paths import PathWatcher
from backstay_agent.probes.standby import StandbyProbes
from backstay_agent.probes.via_gateway import ProbeStreams
from backstay_agent.routing_assignments import RoutingAssignments, path_watches
from backstay_agent.runner import Runner
from backstay_wire import (
    PATH_REPEAT_MOST_S,
    Desired,
    InfinibandHostSource,
    InfinibandSource,
    LinuxSource,
    PathWatch,
    SnmpSource,
    Source,
    SshSource,
)

_log = logging.getLogger(__name__)

_COUNTING = (LinuxSource, SnmpSource, SshSource, InfinibandHostSource, InfinibandSource)
"""Sources whose counters are reported each interval."""
_PATIENCE = 1.5
"""Of the interval of counters: a report waits for them, even if they are late."""


def counters_s(sources: Iterable[Source]) -> float:
    """Seconds between two reports of counters; 0 if no source has any."""
    return min((source.interval_s for source in sources if isinstance(source, _COUNTING)), default=0.0)


def patience_s(sources: Iterable[Source]) -> float:
    """Seconds after a request until which a report that can wait does."""
    return _PATIENCE * min(counters_s(sources), PATH_REPEAT_MOST_S)


class Assignments:
    """Collectors, path watchers, and the routing and ARP assignments that run now."""

    def __init__(
        self, context: Context, runner: Runner, prober: EchoProber, state: Path | None = None
    ) -> None:
        """`state`: the file in which the checker's state survives a restart."""
        self._context = context
        self._runner = runner
        self._prober = prober
        self._device = ""
        self._sources: list[tuple[Source, list[Collector]]] = []
        self._paths: list[tuple[PathWatch, PathWatcher]] = []
        self._streams = ProbeStreams(prober, context.kernel)
        self._routing = RoutingAssignments(context, prober, state)
        self._arp = ArpAssignments(context)
        context.kernel.routes_listeners.append(self._routes_changed)
        context.kernel.carrier_listeners.append(self._routing.carrier)
        context.kernel.ports_listeners.append(self._routing.ports_read)

    async def take_up(self, desired: Desired) -> None:
        """Run exactly what `desired` contains."""
        await self._change_sources(desired.sources)
        await self._change_paths(desired)
        await self._change_routing(desired)
        await self._arp.take_up(desired)
        event(
            _log,
            logging.INFO,
            "desired state taken up",
            generation=desired.generation,
            sources=len(self._sources),
            paths=len(self._paths),
        )

    def request_leaves(self) -> None:
        """A request with reports is about to leave: paths whose heartbeat is due go with it."""
        for _, watcher in self._paths:
            watcher.request_leaves()

    async def let_go(self) -> None:
        """Stop managing routes; `take_up` begins again."""
        await self._routing.let_go()

    async def hold(self, *, held: bool, ended: str = "") -> None:
        """Leave this node's managed routes alone, or restore them; `ended`: why."""
        await self._routing.hold(held=held, ended=ended)

    @property
    def not_held(self) -> list[str]:
        """What continues in spite of a hold."""
        return self._routing.not_held

    async def close(self) -> None:
        """Stop everything."""
        await self._routing.close()
        await self._arp.close()
        for _, watcher in self._paths:
            watcher.stop()
        self._streams.close()
        self._prober.close()
        await self._runner.close()
        await self._context.kernel.stop()

    async def _change_sources(self, wanted: list[Source]) -> None:
        for source, collectors in list(self._sources):
            if source not in wanted:
                self._sources.remove((source, collectors))
                for collector in collectors:
                    await self._runner.remove(collector)
        running = [source for source, _ in self._sources]
        for source in wanted:
            if source not in running:
                collectors = make_collectors(source, self._context)
                self._sources.append((source, collectors))
                for collector in collectors:
                    self._runner.add(collector)

    async def _change_paths(self, desired: Desired) -> None:
        moved, self._device = self._device != desired.node, desired.node
        wanted = path_watches(desired)
        for watch, watcher in list(self._paths):
            if moved or watch not in wanted:
                watcher.stop()
                self._paths.remove((watch, watcher))
        every_s = counters_s(desired.sources)
        for _, watcher in self._paths:
            watcher.set_counters(every_s)
        running = [watch for watch, _ in self._paths]
        for watch in wanted:
            if watch not in running:
                await self._watch(watch, desired.node, every_s)

    async def _change_routing(self, desired: Desired) -> None:
        try:
            await self._routing.take_up(desired)
        except OSError as error:
            event(_log, logging.ERROR, "cannot manage this node's routing", error=error)

    async def _watch(self, watch: PathWatch, node: str, every_s: float) -> None:
        context = self._context
        try:
            # A path needs the live routes even on a node whose own ports are not assigned.
            await context.kernel.start()
            watcher = PathWatcher(
                watch,
                node,
                kernel=context.kernel,
                prober=self._prober,
                clock=context.clock,
                emit=context.emit,
                standby=StandbyProbes(watch, self._streams, context.kernel),
                counters_s=every_s,
            )
            watcher.switch_listeners.append(partial(self._routing.measured, watch.policy, watch.prefix))
            watcher.start()
        except OSError as error:
            event(_log, logging.ERROR, "cannot watch a path", policy=watch.policy, error=error)
            return
        self._paths.append((watch, watcher))

    def _routes_changed(self, delta: Delta, at: int, now: int) -> None:
        for _, watcher in self._paths:
            watcher.routes_changed(at, now)
        self._routing.routes_changed(now)
