"""What a cause may ask about one cell: its own figures, the path's, and its place in the matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from backstay.core.diagnosis.throughput.fits import spread
from backstay.core.diagnosis.throughput.matrix import Matrix, Points
from backstay.core.diagnosis.throughput.room import Room, direction_count
from backstay.core.diagnosis.throughput.series import LEVEL, plateau
from backstay.core.model.throughput import Cell, Measured, Medium, NodeCpu, Parameters

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
    def per_stream(self) -> float:
        """Bit/s of a stream one way, on average."""
        return self.rate / (self.set.streams * self.direction_count)

    @property
    def medium(self) -> Medium:
        """The path as it was during this cell, as far as that is known."""
        return self.cell.medium or self.matrix.medium

    @property
    def room(self) -> Room | None:
        """The path's narrowest place, as it is told."""
        return self.matrix.room(self.cell)

    @property
    def available(self) -> float | None:
        """What the path had left beside others' traffic, bit/s; None also where a cell has shown it wrong."""
        place = self.room
        return None if place is None or self.matrix.refuted else place.available(self.rate)

    @property
    def direction_count(self) -> int:
        """Directions that the rate is the sum of."""
        return direction_count(self.set.direction)

    @property
    def used(self) -> float | None:
        """Share of what was available."""
        return self.rate / self.available if self.available else None

    @property
    def window(self) -> int | None:
        """Most unacknowledged bytes of a stream: what the peer offered, or else what was asked for.

        A system may give up to twice what it is asked for (socket(7)). Where the peer offers more than that,
        the sender's own buffer, which was asked for with the same figure, is the lesser.
        """
        asked, offered = self.set.window, self.measured.peer_window
        if asked and offered:
            return offered if offered <= 2 * asked else asked
        return asked or offered

    @property
    def idle_rtt(self) -> float | None:
        """Round trip without queues, s: what is known of the path, or an echo's; not a busy stream's."""
        echoes = self.measured.rtt_least_s if self.set.load == "echoes" else None
        return self.medium.rtt_s or echoes

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
        size = self.set.size if self.set.load in {"datagrams", "echoes"} else self.mss or self.set.size
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
        return self.singles().get(self.set.buffer if buffer is None else buffer)

    def singles(self) -> Mapping[int | None, float]:
        """Buffer -> bit/s of one stream alone."""
        return self.matrix.once("singles", self.cell, ("streams", "buffer"), _singles)

    def ceiling(self) -> float | None:
        """The level that neither streams nor buffers raise, bit/s; None when only one buffer shows it."""
        return self.matrix.once("ceiling", self.cell, ("streams", "buffer"), self._ceiling)

    def _ceiling(self, cells: list[Cell]) -> float | None:
        flat = [plateau(self.matrix.over_streams(one)) for one in self.matrix.per_buffer(cells[0], "streams")]
        levels = [one.level for one in flat if one]
        best = max(levels, default=0.0)
        agreed = [level for level in levels if level >= (1 - LEVEL) * best]
        return best if len(agreed) > 1 else None


def _singles(cells: list[Cell]) -> dict[int | None, float]:
    rates: dict[int | None, list[float]] = {}
    for one in cells:
        if one.measured and one.parameters.streams == 1:
            rates.setdefault(one.parameters.buffer, []).append(one.measured.rate)
    return {buffer: median(some) for buffer, some in rates.items()}


def cpu_share(cpu: NodeCpu) -> float:
    """How full a node's processors are: all of them, or the busiest one."""
    return max(cpu.busy / cpu.cores, cpu.busiest or 0.0)
