"""The host during one test: processors and port counters each second, and the cross traffic limit."""

from collections.abc import Sequence

from backstay_agent.probes.throughput import ports, processors
from backstay_agent.probes.throughput.host import ThroughputHost
from backstay_agent.probes.throughput.ports import CounterReading, PortFacts
from backstay_agent.probes.throughput.processors import Processors
from backstay_wire import HostLoad, PortLoad, QuietLink

TICK_S = 1.0
_STRIKES = 2
"""Consecutive spans with too much cross traffic: a single one may be a measurement error."""


class Watch:
    """Readings so far."""

    def __init__(
        self, host: ThroughputHost, known: Sequence[PortFacts], quiet: Sequence[QuietLink], *, own: bool
    ) -> None:
        """`own`: the test's octets can be separated from cross traffic (they pass through read and write)."""
        self._host = host
        self._known = {port.name: port for port in known}
        self._quiet = quiet
        self._own = own
        self._before: CounterReading | None = None
        self._readings: list[CounterReading] = []
        self._live = 0
        self._processors: list[Processors] = []
        self._strikes = 0

    def look_before(self) -> None:
        """First reading, a while before the test starts."""
        self._before = self._reading()

    def disturbed_before(self) -> str:
        """Why the test must not start, just before it; empty if it may."""
        if self._before is None:
            return ""
        now = self._reading()
        for quiet in self._quiet:
            if (port := self._known.get(quiet.port)) is None:
                return f"there is no port {quiet.port} on this host to be quiet"
            found = ports.others(self._before, now, port.index)
            if found is not None and (reason := ports.too_much(quiet, found)):
                return f"before the test, {reason}"
        return ""

    def look(self, *, alive: bool = True) -> None:
        """Read at the start, each second, and at the end. `alive`: the program runs, its octets are known."""
        self._readings.append(self._reading())
        if alive:
            self._live = len(self._readings)
        if (now := processors.read()) is not None:
            self._processors.append(now)

    def disturbed(self) -> str:
        """After a reading: why the test must not continue; empty if it may."""
        if not self._own or len(self._readings) < 2:
            return ""
        before, now = self._readings[-2:]
        for quiet in self._quiet:
            port = self._known.get(quiet.port)
            found = ports.others(before, now, port.index) if port else None
            if found is not None and (reason := ports.too_much(quiet, found)):
                self._strikes += 1
                return f"during the test, {reason}" if self._strikes >= _STRIKES else ""
        self._strikes = 0
        return ""

    def host_load(self) -> HostLoad | None:
        """The processors during the test."""
        return processors.load(self._processors)

    def port_loads(self, wanted: Sequence[str]) -> list[PortLoad]:
        """The ports during the test: the requested ones, else all that carried traffic."""
        names = wanted or list(self._known)
        loads = []
        for port in (self._known[name] for name in names if name in self._known):
            whole = ports.load(port, self._before, self._readings, own=False)
            if whole is None or not (wanted or whole.in_packets or whole.out_packets):
                continue
            live = ports.load(port, None, self._readings[: self._live], own=self._own)
            foreign = {"others_in": live.others_in, "others_out": live.others_out} if live else {}
            loads.append(whole.model_copy(update=foreign))
        return loads

    def _reading(self) -> CounterReading:
        read, written = self._host.moved.total()
        return CounterReading(self._host.clock.monotonic_ns(), self._host.counters.counters(), read, written)
