"""Facts about one cell that causes use: its results, its path, and its place in the matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from backstay.core.diagnosis.throughput.available_rate import Room, direction_count
from backstay.core.diagnosis.throughput.matrix import Matrix, Points
from backstay.core.diagnosis.throughput.robust_statistics import spread
from backstay.core.diagnosis.throughput.series import LEVEL, plateau
from backstay.core.model.throughput import Cell, Measured, Medium, NodeCpu, Parameters

NEAR = 0.85
"""From this share of a limit on, the limit may bind."""
AT = 0.93
"""From this share on, the limit binds."""
_HEADERS = 40
"""IPv4 and TCP headers without options: MTU minus segment size (RFC 879)."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One cell in its matrix."""

    cell: Cell
    matrix: Matrix

    @property
    def set(self) -> Parameters:
        """Requested parameters."""
        return self.cell.parameters

    @property
    def measured(self) -> Measured:
        """Results; only measured cells are evaluated."""
        assert self.cell.measured is not None
        return self.cell.measured

    @property
    def rate(self) -> float:
        """Sum of all streams, bit/s."""
        return self.measured.rate

    @property
    def per_stream(self) -> float:
        """Mean rate of a stream in one direction, bit/s."""
        return self.rate / (self.set.streams * self.direction_count)

    @property
    def medium(self) -> Medium:
        """The path during this cell, as far as known."""
        return self.cell.medium or self.matrix.medium

    @property
    def room(self) -> Room | None:
        """The path's narrowest place, as declared."""
        return self.matrix.room(self.cell)

    @property
    def available(self) -> float | None:
        """Rate that other traffic leaves on the path, bit/s; None if unknown or refuted by a cell."""
        place = self.room
        return None if place is None or self.matrix.refuted else place.available(self.rate)

    @property
    def direction_count(self) -> int:
        """Number of directions that the rate includes."""
        return direction_count(self.set.direction)

    @property
    def used(self) -> float | None:
        """Share of the available rate."""
        return self.rate / self.available if self.available else None

    @property
    def window(self) -> int | None:
        """Maximum unacknowledged bytes of a stream: the peer's offer, otherwise the requested window.

        A system may give up to twice the requested size (socket(7)). If the peer offers more than that, the
        sender's own buffer, which was requested with the same size, is the smaller limit.
        """
        asked, offered = self.set.window, self.measured.peer_window
        if asked and offered:
            return offered if offered <= 2 * asked else asked
        return asked or offered

    @property
    def idle_rtt(self) -> float | None:
        """Round trip without queues, s: known for the path, or from an echo; not from a busy stream."""
        echoes = self.measured.rtt_least_s if self.set.load == "echoes" else None
        return self.medium.rtt_s or echoes

    @property
    def loaded_rtt(self) -> float | None:
        """Smallest round trip while data flowed, s."""
        return self.measured.rtt_least_s or self.measured.rtt_s

    @property
    def rtt(self) -> float | None:
        """The best known value: idle, otherwise under load."""
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
        """Share of segments lost: counted, or retransmits / segments."""
        if self.measured.loss is not None:
            return self.measured.loss
        if self.measured.retransmits is None or not (segments := self.segments):
            return None
        return min(self.measured.retransmits / segments, 1.0)

    @property
    def segments(self) -> float | None:
        """Segments sent: counted, or from rate and duration."""
        if self.measured.segments:
            return float(self.measured.segments)
        if not self.mss or not self.measured.duration_s:
            return None
        return self.rate * self.measured.duration_s / (8 * self.mss)

    @property
    def pps(self) -> float | None:
        """Packets/s on the wire: counted, or from the packet size."""
        if self.measured.pps is not None:
            return self.measured.pps
        size = self.set.size if self.set.load in {"datagrams", "echoes"} else self.mss or self.set.size
        return self.rate / (8 * size) if size else None

    @property
    def seconds_spread(self) -> float | None:
        """Relative spread of the per-second rates; None for fewer than 5 seconds."""
        return spread(self.measured.seconds) if len(self.measured.seconds) >= 5 else None

    @property
    def as_offered(self) -> bool:
        """Whether everything that the sender offered arrived, so that no limit was reached."""
        offered = self.set.offered_rate
        if offered is None and self.set.offered_pps and self.set.size:
            offered = 8 * self.set.offered_pps * self.set.size * self.set.streams
        return offered is not None and self.rate >= 0.97 * offered

    @property
    def busiest(self) -> NodeCpu | None:
        """The node with the highest CPU share."""
        return max(self.measured.cpu, key=cpu_share, default=None)

    def over(self, setting: str, *also: str) -> Points:
        """The matrix's rates over one setting; all others as in this cell."""
        return self.matrix.over(self.cell, setting, *also)

    def over_streams(self) -> Points:
        """The matrix's rates over the number of streams."""
        return self.matrix.over_streams(self.cell)

    def single(self, buffer: int | None = None) -> float | None:
        """Rate of a single stream with this or another buffer, bit/s, if measured."""
        return self.singles().get(self.set.buffer if buffer is None else buffer)

    def singles(self) -> Mapping[int | None, float]:
        """Buffer -> bit/s of a single stream."""
        return self.matrix.once("singles", self.cell, ("streams", "buffer"), _singles)

    def ceiling(self) -> float | None:
        """The level that neither streams nor buffers raise, bit/s; None if only one buffer shows it."""
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
    """CPU load of a node, 0..1: of all processors or of the busiest one."""
    return max(cpu.busy / cpu.cores, cpu.busiest or 0.0)
