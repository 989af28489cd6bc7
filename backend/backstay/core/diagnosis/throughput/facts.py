"""What a cause may ask about one cell: its own figures, the path's, and its place in the matrix."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from backstay.core.diagnosis.throughput.fits import spread
from backstay.core.diagnosis.throughput.matrix import Matrix, Points
from backstay.core.diagnosis.throughput.series import LEVEL, plateau
from backstay.core.model.throughput import Cell, Hop, Measured, NodeCpu, Parameters

NEAR = 0.85
"""A rate from this share of a limit on may be held by it."""
AT = 0.93
"""From this share on it is."""
_HEADERS = 40
"""IPv4 and TCP without options: what an MTU has beyond the segment (RFC 879)."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One cell in its matrix."""

    cell: Cell
    matrix: Matrix

    @property
    def set(self) -> Parameters:
        """What was asked for."""
        return self.cell.parameters

    @property
    def measured(self) -> Measured:
        """What came of it: the judge hands over measured cells only."""
        assert self.cell.measured is not None
        return self.cell.measured

    @property
    def rate(self) -> float:
        """Sum of all streams, bit/s."""
        return self.measured.rate

    @property
    def each(self) -> float:
        """Bit/s of a stream on average."""
        return self.rate / self.set.streams

    @property
    def available(self) -> float | None:
        """What the medium had left beside production traffic, bit/s; twice it for both ways at a time."""
        medium = self.matrix.medium
        if medium.usable is None:
            return None
        return max(medium.usable - (medium.production or 0.0), 0.0) * self.ways

    @property
    def ways(self) -> int:
        """Directions that the rate is the sum of."""
        return 2 if self.set.direction == "both" else 1

    @property
    def used(self) -> float | None:
        """Share of what was available."""
        return self.rate / self.available if self.available else None

    @property
    def window(self) -> int | None:
        """Most unacknowledged bytes of a stream: the smaller of what was set and what the peer offered."""
        known = [one for one in (self.set.window, self.measured.peer_window) if one]
        return min(known) if known else None

    @property
    def idle_rtt(self) -> float | None:
        """Round trip without queues, s: what is known of the path, or an echo's; not a busy stream's."""
        echoes = self.measured.rtt_least_s if self.set.kind == "ping" else None
        return self.matrix.medium.rtt_s or echoes

    @property
    def loaded_rtt(self) -> float | None:
        """The least round trip that was seen while data flowed, s."""
        return self.measured.rtt_least_s or self.measured.rtt_s

    @property
    def rtt(self) -> float | None:
        """The best that is known: idle, or else as it was under load."""
        return self.idle_rtt or self.loaded_rtt

    @property
    def mss(self) -> int | None:
        """Bytes of a full segment."""
        if self.set.mss:
            return self.set.mss
        mtu = self.measured.path_mtu or self.set.mtu
        return mtu - _HEADERS if mtu else None

    @property
    def loss(self) -> float | None:
        """Share of segments lost: counted, or retransmits over segments."""
        if self.measured.loss is not None:
            return self.measured.loss
        if self.measured.retransmits is None or not (segments := self.segments):
            return None
        return min(self.measured.retransmits / segments, 1.0)

    @property
    def segments(self) -> float | None:
        """Segments sent: told, or from rate and duration."""
        if self.measured.segments:
            return float(self.measured.segments)
        if not self.mss or not self.measured.duration_s:
            return None
        return self.rate * self.measured.duration_s / (8 * self.mss)

    @property
    def pps(self) -> float | None:
        """Packets/s on the wire: counted, or from the size of a packet."""
        if self.measured.pps is not None:
            return self.measured.pps
        size = self.set.size if self.set.kind in {"udp", "ping"} else self.mss or self.set.size
        return self.rate / (8 * size) if size else None

    @property
    def seconds_spread(self) -> float | None:
        """Spread of the seconds' rates; None of fewer than 5 seconds."""
        return spread(self.measured.seconds) if len(self.measured.seconds) >= 5 else None

    @property
    def as_offered(self) -> bool:
        """Whether the sender offered no more than arrived: then nothing was limited."""
        offered = self.set.offered_rate
        if offered is None and self.set.offered_pps and self.set.size:
            offered = 8 * self.set.offered_pps * self.set.size * self.set.streams
        return offered is not None and self.rate >= 0.97 * offered

    @property
    def busiest(self) -> NodeCpu | None:
        """The node with the least left."""
        return max(self.measured.cpu, key=cpu_share, default=None)

    def over(self, setting: str, *also: str) -> Points:
        """The matrix's rates over one setting, the others as here."""
        return self.matrix.over(self.cell, setting, *also)

    def over_streams(self) -> Points:
        """The matrix's rates over the number of streams."""
        return self.matrix.over_streams(self.cell)

    def single(self, buffer: int | None = None) -> float | None:
        """Bit/s of one stream alone with this or another buffer, where that was tried."""
        wanted = self.set.buffer if buffer is None else buffer
        rates = [
            one.measured.rate
            for one in self.matrix.alike(self.cell, "streams", "buffer")
            if one.measured and one.parameters.streams == 1 and one.parameters.buffer == wanted
        ]
        return median(rates) if rates else None

    def ceiling(self) -> float | None:
        """The level that neither streams nor buffers raise, bit/s; None when only one buffer shows it."""
        flat = [plateau(self.matrix.over_streams(one)) for one in _a_buffer_each(self)]
        levels = [one.level for one in flat if one]
        best = max(levels, default=0.0)
        agreed = [level for level in levels if level >= (1 - LEVEL) * best]
        return best if len(agreed) > 1 else None

    def hop(self) -> Hop | None:
        """The narrowest hop with a known rate."""
        known = [hop for hop in self.matrix.medium.hops if hop.usable]
        return min(known, key=hop_left, default=None)


def hop_left(hop: Hop) -> float:
    """Bit/s that a hop has left beside production traffic."""
    return max((hop.usable or 0.0) - (hop.production or 0.0), 0.0)


def cpu_share(cpu: NodeCpu) -> float:
    """How full a node's processors are: all of them, or the busiest one."""
    return max(cpu.busy / cpu.cores, cpu.busiest or 0.0)


def _a_buffer_each(facts: Facts) -> list[Cell]:
    found: dict[int | None, Cell] = {}
    for cell in facts.matrix.alike(facts.cell, "streams", "buffer"):
        found.setdefault(cell.parameters.buffer, cell)
    return list(found.values())
